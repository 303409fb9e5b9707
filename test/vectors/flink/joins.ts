import { coGroupWith, intervalJoinWith, mapValue, type StreamRecord, type WindowJoinConfig, windowJoinWith } from 'tidemark';
import type { Json } from '../json.js';
import { anyAssignerOf, type WindowSpec } from '../windows.js';
import { type Item, type Operator, stamped, toTime } from './format.js';
import { type Input, InputsStage, type Side, type Stage } from './stages.js';

/** What a join is given: the record, and its time, which the vectors show. */
interface Timed {
  readonly item: Item;
  readonly at: number;
}

export function intervalJoinStage(spec: Operator, side: Side, _variant: number, start: number): Stage {
  const late = (of: string) => (record: StreamRecord<Timed, unknown>) =>
    side({ late: stamped({ side: of, key: record.key, value: record.value.item.value }, record.timestamp) });
  return new InputsStage(2, start, 'wakes').through(
    (left, right) =>
      (left as Input).pipe(
        timed(),
        intervalJoinWith((right as Input).pipe(timed()), {
          lower: spec['lower'] as number,
          upper: spec['upper'] as number,
          lowerExclusive: spec['lowerExclusive'] === true,
          upperExclusive: spec['upperExclusive'] === true,
          ...(spec['sideOutputLate'] === true ? { lateTo: { left: late('left'), right: late('right') } } : {}),
        }),
      ),
    ([left, right], timestamp) => {
      const { key } = left.item;
      const value = { left: left.item.value, right: right.item.value, leftTimestamp: left.at, rightTimestamp: right.at };
      return { shown: stamped({ key, ...value }, timestamp), item: { key, value } };
    },
  );
}

export function windowJoinStage(spec: Operator, windows: WindowSpec, start: number): Stage {
  return new InputsStage(2, start, 'ignored').through(
    (left, right) => (left as Input).pipe(windowJoinWith(right as Input, anyAssignerOf(windows), configOf(spec))),
    ({ key, value: [left, right] }, timestamp) => shownOf(key, { left: left.value, right: right.value }, timestamp),
  );
}

export function coGroupStage(spec: Operator, windows: WindowSpec, start: number): Stage {
  return new InputsStage(2, start, 'ignored').through(
    (left, right) => (left as Input).pipe(coGroupWith(right as Input, anyAssignerOf(windows), configOf(spec))),
    ({ key, value }, timestamp) => {
      const left = value._tag === 'Right' ? [] : value.left.map((item) => item.value);
      const right = value._tag === 'Left' ? [] : value.right.map((item) => item.value);
      return shownOf(key, { left, right }, timestamp);
    },
  );
}

function shownOf(key: unknown, value: Json, timestamp: number): { readonly shown: Json; readonly item: Item } {
  return { shown: stamped({ key, ...value }, timestamp), item: { key, value } };
}

function configOf(spec: Operator): Omit<WindowJoinConfig<Item, Item, unknown>, 'lateTo'> {
  return { allowedLateness: toTime(spec['allowedLateness'] ?? 0) };
}

function timed() {
  return mapValue<Item, Timed, unknown>((item, at) => ({ item, at }));
}
