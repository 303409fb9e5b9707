import { from } from 'rxjs';
import { keyedRecord, type Windowed, watermark } from 'tidemark';
import type { In } from './cost.js';

/** Bytes of heap an open window and key: `n` keys in one window, or one key in `n` windows that begin `apart` ms apart. */
export function held(n: number, window: Windowed<number, unknown, number>, apart = 0): number {
  const input: In[] = Array.from({ length: n }, (_, i) => keyedRecord(i, 1e12 + i * apart, apart === 0 ? i : 0));
  input.push(watermark(0));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let bytes = 0;
  from(input)
    .pipe(window)
    .subscribe((element) => {
      // the watermark comes when all are open, and nothing has fired
      if (element._tag !== 'Watermark' || bytes !== 0) return;
      globalThis.gc?.();
      bytes = process.memoryUsage().heapUsed - before;
    });
  return bytes / n;
}
