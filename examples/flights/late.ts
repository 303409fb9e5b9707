import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { hours, MIN_TIMESTAMP, type StreamElement, type StreamRecord } from 'tidemark';
import { type PacedSink, paced } from 'tidemark/node';
import type { Flight } from './flights.js';

/** Where late flights go: into a file, at the speed of the disk. */
export class LateFile {
  /** For each airport, how many ms the hours of its late flights had been over, by the watermark. */
  readonly behind = new Map<string, number[]>();
  private watermark: number = MIN_TIMESTAMP;
  private readonly lines: PacedSink<string>;

  constructor(path: string) {
    const file = createWriteStream(path);
    file.write('departedAt,landedAt,carrier,flight,origin,dest,delayMinutes,minutesBehind\n');
    this.lines = paced((line) => (file.write(line) ? undefined : once(file, 'drain')));
    this.written = this.lines.done.then(() => once(file.end(), 'finish'));
  }

  /** Resolves when all is on disk. */
  readonly written: Promise<unknown>;

  /** Nothing more is read while the disk is busy. */
  get ready(): PacedSink<string>['ready'] {
    return this.lines.ready;
  }

  watch(element: StreamElement<Flight, string>): void {
    if (element._tag === 'Watermark') this.watermark = element.timestamp;
  }

  /** Puts a late record down; gives the flight. */
  put({ value: flight, timestamp }: StreamRecord<Flight, string>): void {
    const end = (Math.floor(timestamp / hours(1)) + 1) * hours(1);
    const behind = this.watermark - (end - 1);
    const airport = this.behind.get(flight.origin);
    if (airport === undefined) this.behind.set(flight.origin, [behind]);
    else airport.push(behind);
    const [departed, landed] = [new Date(flight.departedAt).toISOString(), new Date(flight.landedAt).toISOString()];
    const { carrier, number, origin, destination, delay } = flight;
    this.lines.next(`${[departed, landed, carrier, number, origin, destination, delay, Math.round(behind / 60_000)].join()}\n`);
  }

  complete(): void {
    this.lines.complete();
  }
}
