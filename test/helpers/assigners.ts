import type { MergingAssigner, TimeWindow, WindowAssigner } from 'tidemark';

// Assigners as a user would write them, in the plainest way that there is: they stand in for those that tidemark does not
// have yet, and share no arithmetic with it.

/** Windows of `size` ms that start every `slide` ms; a slide above the size leaves gaps. */
export function sliding(size: number, slide: number): WindowAssigner<unknown> {
  return {
    kind: 'event',
    assign(_value, timestamp) {
      const windows: TimeWindow[] = [];
      for (let start = timestamp - size + 1; start <= timestamp; start++) {
        if (start % slide === 0) windows.push({ start, end: start + size });
      }
      return windows;
    },
    maxTimestamp: (window) => window.end - 1,
    keyOf: (window) => window.end,
  };
}

/** Sessions that end `gap` ms after their last record; those that touch merge. */
export function sessions<A = unknown>(gap: number): MergingAssigner<A> {
  return {
    kind: 'event',
    assign: (_value, timestamp) => [{ start: timestamp, end: timestamp + gap }],
    maxTimestamp: (window) => window.end - 1,
    keyOf: (window) => `${window.start}-${window.end}`,
    merge(windows) {
      const groups: { start: number; end: number; parts: TimeWindow[] }[] = [];
      for (const window of [...windows].sort((a, b) => a.start - b.start)) {
        const last = groups.at(-1);
        if (last !== undefined && window.start <= last.end) {
          last.end = Math.max(last.end, window.end);
          last.parts.push(window);
        } else {
          groups.push({ start: window.start, end: window.end, parts: [window] });
        }
      }
      return groups.map(({ start, end, parts }) => [{ start, end }, parts] as const);
    },
  };
}
