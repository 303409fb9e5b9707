import { Observable, type OperatorFunction } from 'rxjs';
import type { In } from './cost.js';

/** Counts by key and window with nothing between, of records in order: how much of the growth is the memory's own. */
export function tumblingByHand(size: number): OperatorFunction<In, unknown> {
  return (source) =>
    new Observable((out) => {
      let end = NaN;
      let counts = new Map<number, number>();
      const fire = (): void => {
        for (const n of counts.values()) out.next(n);
        counts = new Map();
      };
      return source.subscribe({
        next(element) {
          if (element._tag === 'Watermark') return;
          const due = Math.floor(element.timestamp / size) * size + size;
          if (due !== end) fire();
          end = due;
          counts.set(element.key, (counts.get(element.key) ?? 0) + 1);
        },
        complete: fire,
      });
    });
}
