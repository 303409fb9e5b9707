import { of } from 'rxjs';
import { keyedRecord, processWith, record, type StreamElement, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { refusesNonFunctions } from '../helpers/checklist.js';
import { collect, processRows } from '../helpers/processRows.js';

const nothing = (): void => {};

describe('processWith', () => {
  processRows('processWith', ({ create = () => ({ sum: 0 }), onRecord, onTimer }, config = {}) =>
    processWith({ create, onRecord, ...(onTimer === undefined ? {} : { onTimer }) }, config),
  );
  refusesNonFunctions('processWith', 'create', (create: never) => processWith({ create, onRecord: nothing }));
  refusesNonFunctions('processWith', 'onRecord', (onRecord: never) => processWith({ create: nothing, onRecord }));

  it('arguments: refuses an onTimer that is no function', () => {
    expect(() => processWith({ create: nothing, onRecord: nothing, onTimer: 5 as never })).toThrow(
      new RangeError('processWith: onTimer is 5, it must be a function'),
    );
  });

  it('regressing: a timer for a time that has passed waits for the next watermark, even an equal one', () => {
    const operator = processWith<number, string, void, never, string>({
      create: nothing,
      onRecord: (_value, _state, { timers }) => timers.eventTime(1),
      onTimer: (timestamp) => [`${timestamp}`],
    });
    const late = keyedRecord(0, 5, 'k');
    expect(collect(operator, [watermark(20), late, watermark(15), watermark(20), watermark(25)])).toEqual([
      watermark(20),
      keyedRecord('1', 1, 'k'),
      watermark(25),
      watermark(Infinity),
      'complete',
    ]);
  });

  it('keeps functions that read `this`, as classes have them', () => {
    class Counter {
      private readonly step = 2;
      create(): { n: number } {
        return { n: this.step };
      }
      onRecord(value: number, state: { n: number }): number[] {
        state.n += this.step * value;
        return [state.n];
      }
    }
    const seen: StreamElement<number>[] = [];
    of(record(5, 1))
      .pipe(processWith(new Counter()))
      .subscribe((element) => seen.push(element));
    expect(seen[0]).toEqual(record(12, 1));
  });
});
