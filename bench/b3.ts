import { sessionWindow } from 'tidemark';
import { merging, struct, tidemark } from './pipeline.js';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Workload } from './workload.js';

const GAP = 5_000;
/** Sessions wait for the watermark in buckets of this much time. */
const BUCKET = 1_000;

interface Session {
  readonly key: string;
  start: number;
  end: number;
  n: number;
  sum: number;
  /** It has become part of another one. */
  gone: boolean;
}

/** A short list of open sessions a key; sessions wait in buckets by end, and are put into a later one if they have grown. */
function loop(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const open = new Map<string, Session[]>();
  const buckets = new Map<number, Session[]>();
  let next = NaN; // the bucket that is looked at next
  let newest = -Infinity;
  let max = -Infinity;
  let watermark = -Infinity;

  function wait(session: Session): void {
    const bucket = Math.floor((session.end - 1) / BUCKET);
    const waiting = buckets.get(bucket);
    if (waiting !== undefined) waiting.push(session);
    else buckets.set(bucket, [session]);
    if (bucket > newest) newest = bucket;
    if (!(bucket >= next)) next = bucket;
  }
  function close(): void {
    while (next <= newest && next * BUCKET <= watermark) {
      const waiting = buckets.get(next) ?? [];
      buckets.delete(next);
      const whole = (next + 1) * BUCKET - 1 <= watermark;
      const bucket = next++;
      for (const session of waiting) {
        if (session.gone) continue;
        if (session.end - 1 > watermark) {
          wait(session);
          continue;
        }
        count(found, session.n + session.sum, session.end);
        const sessions = open.get(session.key) as Session[];
        if (sessions.length === 1) open.delete(session.key);
        else sessions.splice(sessions.indexOf(session), 1);
      }
      if (!whole) {
        next = Math.min(next, bucket);
        break;
      }
    }
  }
  for (let i = 0; i < events.length; ) {
    const { key, value, ts } = events[i++] as Event;
    if (ts > max) max = ts;
    const sessions = open.get(key);
    let into: Session | undefined;
    if (sessions !== undefined) {
      for (let s = 0; s < sessions.length; s++) {
        const session = sessions[s] as Session;
        if (ts + GAP < session.start || ts > session.end) continue;
        if (into === undefined) {
          into = session;
          if (ts < session.start) session.start = ts;
          if (ts + GAP > session.end) session.end = ts + GAP;
          session.n++;
          session.sum += value;
        } else {
          if (session.start < into.start) into.start = session.start;
          if (session.end > into.end) into.end = session.end;
          into.n += session.n;
          into.sum += session.sum;
          session.gone = true;
          sessions.splice(s--, 1);
        }
      }
    }
    if (into === undefined) {
      if (ts + GAP - 1 <= watermark) {
        found.late++;
      } else {
        const session: Session = { key, start: ts, end: ts + GAP, n: 1, sum: value, gone: false };
        if (sessions === undefined) open.set(key, [session]);
        else sessions.push(session);
        wait(session);
      }
    }
    if (i % EVERY === 0 && max - BOUND - 1 > watermark) {
      watermark = max - BOUND - 1;
      close();
    }
  }
  watermark = Infinity;
  close();
  return found;
}

export const b3: Workload = {
  name: 'B3',
  what: '10,000 keys, sessions with a gap of 5 s, count and sum',
  keys: 10_000,
  implementations: [
    { name: 'loop', run: loop },
    { name: 'tidemark', run: tidemark((lateTo) => sessionWindow(GAP, merging, { lateTo })) },
    { name: 'tidemark-struct', run: tidemark((lateTo) => sessionWindow(GAP, struct, { lateTo })) },
  ],
};
