import { GeneralCore } from '../../src/core/GeneralCore.js';
import { SessionCore } from '../../src/core/SessionCore.js';
import { SlidingCore } from '../../src/core/SlidingCore.js';
import type { KeyChain } from '../../src/core/SlidingFold.js';
import { TumblingWindows } from '../../src/core/TumblingWindows.js';
import { windowStart } from '../../src/time/windowStart.js';

/** How many window-and-key pairs a core has open. Counted from what it keeps: no operator wants to know. */
export function openWindows(core: object): number {
  if (core instanceof TumblingWindows) return sum([...core['open'].values()].map(({ cells }) => cells?.size ?? 1));
  if (core instanceof SessionCore) return sum([...core['open'].values()].map((of) => (Array.isArray(of) ? of.length : 1)));
  if (core instanceof SlidingCore) return openSlides(core);
  if (!(core instanceof GeneralCore)) throw new TypeError('a core of another sort: say how its windows are counted');
  return (
    sum([...core['open'].values()].map(({ entries }) => entries.size)) +
    sum([...core['sessions'].values()].map((of) => of.length))
  );
}

/** Windows that overlap have no state of their own: those that the slices belong to, each once for a key. */
function openSlides<A, K, R, S>(core: SlidingCore<A, K, R, S>): number {
  const slide = core['slide'];
  const covered = new Map<K, number>(); // up to which end
  const reached = windowStart(core['time'] + 1 - core['lateness'], slide, core['offset'] + core['size']); // the last that is over
  let n = 0;
  for (const { first, last, cells, list } of [...core['slices'].values()].sort((a, b) => a.start - b.start)) {
    for (const key of cells?.keys() ?? list.map((cell) => (cell.chain as KeyChain<K, S>).key)) {
      const from = Math.max(first, (covered.get(key) ?? reached) + slide);
      n += Math.max(0, (last - from) / slide + 1);
      covered.set(key, last);
    }
  }
  return n;
}

function sum(counts: ReadonlyArray<number>): number {
  return counts.reduce((a, b) => a + b, 0);
}
