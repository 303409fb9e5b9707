import { Subject } from 'rxjs';
import { idle, intervalJoinWith, type StreamElement } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { IntervalJoinCore } from '../../src/core/IntervalJoinCore.js';
import { TwoInputWatermark } from '../../src/core/TwoInputWatermark.js';
import { r, W } from './notation.js';

type In = StreamElement<string>;
type Config = Omit<Parameters<typeof intervalJoinWith<string, string, undefined, 'inner' | 'left'>>[1], 'lateTo'>;

/** What an interval join says to steps `[side, element]`, watermarks as numbers. */
function joined(config: Config, ...steps: ReadonlyArray<readonly ['left' | 'right' | 'both', In]>): unknown[] {
  const [left, right] = [new Subject<In>(), new Subject<In>()];
  const said: unknown[] = [];
  left.pipe(intervalJoinWith<string, string, undefined, 'inner' | 'left'>(right, config)).subscribe((element) => {
    if (element._tag === 'Watermark') {
      said.push(element.timestamp);
      return;
    }
    const [l, other] = element.value;
    const text = typeof other === 'string' ? other : other._tag === 'Some' ? other.value : 'nothing';
    said.push(`${l}+${text}@${element.timestamp}`);
  });
  for (const [side, element] of steps) {
    if (side !== 'right') left.next(element);
    if (side !== 'left') right.next(element);
  }
  return said;
}

describe('joins', () => {
  it('P010 an idle side is not waited for: the watermark goes on, and what is over goes', () => {
    const bounds = { lower: 0, upper: 10 };
    expect(joined(bounds, ['left', r(1, 'L')], ['left', W(100)], ['right', idle()])).toEqual([100]);

    const core = new IntervalJoinCore<string, string, undefined>(
      { name: 'test', ...bounds, allowedLateness: 0, resultTime: 'max', unmatched: { left: false, right: false } },
      { closed: false, pair() {}, alone() {}, late() {} },
    );
    const inputs = new TwoInputWatermark();
    core.left('L', 1, undefined);
    inputs.update(0, 100, false);
    expect(core.kept).toBe(1);
    inputs.update(1, -Infinity, true);
    core.watermark(inputs.time);
    expect([core.kept, core.keys]).toEqual([0, 0]);
  });

  it('P046 results with the time of the left never follow a watermark that is not behind them', () => {
    const steps = [
      ['left', r(5, 'L')],
      ['both', W(12)],
      ['right', r(13, 'R')],
      ['both', W(30)],
    ] as const;
    expect(joined({ lower: 0, upper: 10, resultTime: 'left' }, ...steps)).toEqual([2, 'L+R@5', 20]);
    expect(joined({ lower: 0, upper: 10 }, ...steps)).toEqual([12, 'L+R@13', 30]);
  });

  it('P075 a row is said to be unmatched only when no match can come any more', () => {
    const left = { kind: 'left', lower: 0, upper: 10, allowedLateness: 5 } as const;
    const rows = (said: ReadonlyArray<unknown>) => said.filter((word) => typeof word === 'string');
    expect(rows(joined(left, ['left', r(0, 'L')], ['both', W(12)], ['right', r(9, 'R')], ['both', W(15)]))).toEqual(['L+R@9']);
    expect(rows(joined(left, ['left', r(0, 'L')], ['both', W(12)], ['both', W(14)]))).toEqual([]);
    expect(rows(joined(left, ['left', r(0, 'L')], ['both', W(12)], ['both', W(15)]))).toEqual(['L+nothing@0']);
  });

  it('P076 a row that was matched is never said to be unmatched, whenever its partner went', () => {
    const left = { kind: 'left', lower: 0, upper: 5 } as const;
    const said = joined(left, ['left', r(0, 'L')], ['right', r(0, 'R')], ['both', W(3)], ['both', W(5)], ['both', W(100)]);
    expect(said.filter((word) => typeof word === 'string')).toEqual(['L+R@0']);
  });
});
