import { fromGenerator, type WatermarkStrategy } from 'tidemark';
import { BOUND, EVERY, type Event } from './records.js';

/** The watermark of all workloads, as a strategy: `max - BOUND - 1`, by default after every 200th record. */
export function everyNth(every: number = EVERY): WatermarkStrategy<Event> {
  return fromGenerator<Event>(() => {
    let max = -Infinity;
    let n = 0;
    return {
      onRecord(_value, timestamp, output) {
        if (timestamp > max) max = timestamp;
        if (++n % every === 0) output.emit(max - BOUND - 1);
      },
      onTick() {},
    };
  });
}
