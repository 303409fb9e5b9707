import type { Same } from '../element/same.js';
import type { MergeableAggregate } from '../windows/aggregates/aggregate.js';
import { dynamicSession, type SessionConfig, session } from '../windows/assigners/session.js';
import { assignedWindow } from './shared/assignedWindow.js';
import type { MergingConfig, Windowed } from './shared/windowConfig.js';

/** The config of sessions. */
export interface SessionWindowConfig<A, K> extends MergingConfig<A, K>, SessionConfig {}

/**
 * Folds the records of each key in sessions: records at most `gap` ms apart belong together, and a session ends `gap` ms
 * after its last record.
 *
 * **Time**: as `tumblingWindow`. A record that joins sessions makes them one; the merged session keeps the place of its
 * oldest part. Records exactly one gap apart share a session, as in Flink and Kafka Streams (Beam keeps them apart).
 * **State**: an accumulator a key and open session. **Late records**: judged after merging: a record whose own session is
 * over is kept if it touches one that is open, else `lateTo`. A late merge never throws; it fires at once only if the
 * merged session is over. **Completion and errors**: as `tumblingWindow`.
 *
 * ```ts
 * fromElements(record('a', 0), record('b', 10), record('c', 30)).pipe(
 *   sessionWindow(10, aggregates.count()),
 *   toValues(),
 *   map(({ window, value }) => `[${window.start}, ${window.end}): ${value}`),
 * ); // '[0, 20): 2', '[30, 40): 1'
 * ```
 *
 * **Cost**: one lookup a record by event time under the default trigger, and a binary search where a key has many open
 * sessions; timers are grouped in stretches of time, and a session that grows does not move.
 *
 * @param gap ms, a whole number ≥ 1, or a function that gives one for each record.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time; a RangeError for a gap that is none.
 * @see Flink's EventTimeSessionWindows and DynamicEventTimeSessionWindows (rule V5).
 * @category windows
 * @since 0.1.0
 */
export function sessionWindow<A, R, K>(
  gap: number | ((value: Same<A>) => number),
  aggregate: MergeableAggregate<Same<A>, R>,
  config: SessionWindowConfig<Same<A>, Same<K>> = {},
): Windowed<A, R, K> {
  const assigner = typeof gap === 'function' ? dynamicSession(gap, config) : session(gap, config);
  return assignedWindow('sessionWindow', assigner, aggregate, config);
}
