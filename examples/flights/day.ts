import { days, hours, MIN_TIMESTAMP, type StreamElement } from 'tidemark';
import type { Flight } from './flights.js';
import { startOfDay } from './newYork.js';

/**
 * One day of a run, as the picture needs it: the second day of the file, by arrival. A whole year would be a blot, and
 * keeping it would take its memory.
 */
export class Day {
  start = Number.NaN;
  readonly onTime: Flight[] = [];
  readonly late: Flight[] = [];
  /** When the watermark rose, and to what. */
  readonly watermarks: Array<{ readonly arrival: number; readonly time: number }> = [];
  private arrival: number = MIN_TIMESTAMP;

  readonly watch = (element: StreamElement<Flight, string>): void => {
    if (element._tag === 'Watermark') {
      if (this.covers(this.arrival)) this.watermarks.push({ arrival: this.arrival, time: element.timestamp });
      return;
    }
    const flight = element.value;
    // noon of the next day lies in it, also when the clocks change
    if (Number.isNaN(this.start)) this.start = startOfDay(startOfDay(flight.landedAt) + hours(36));
    this.arrival = flight.landedAt;
    if (this.covers(flight.landedAt)) this.onTime.push(flight);
  };

  /** What `watch` has just seen was late. */
  markLate(flight: Flight): void {
    if (!this.covers(flight.landedAt)) return;
    this.onTime.pop();
    this.late.push(flight);
  }

  private covers(arrival: number): boolean {
    return arrival >= this.start && arrival < this.start + days(1);
  }
}
