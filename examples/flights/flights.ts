import { createReadStream, type ReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { map, type Observable } from 'rxjs';
import { fromReadable, type PullConfig } from 'tidemark/node';

/** A departure, known since its landing. Times are ms since the epoch. */
export interface Flight {
  readonly departedAt: number;
  readonly landedAt: number;
  readonly carrier: string;
  readonly number: string;
  readonly origin: string;
  readonly destination: string;
  /** Minutes, negative if early. */
  readonly delay: number;
}

/** The bytes of a file of flights. */
export const openFile = (path: string): ReadStream => createReadStream(path);

/** The flights of a CSV file, compressed or not, in the order in which they became known; pulled, not poured. */
export function readFlights(open: () => Readable, compressed: boolean, config: PullConfig = {}): Observable<Flight> {
  return fromReadable<Row>(() => {
    const parser = parse({ columns: true });
    // A pipeline ties the streams together: an error of one is an error of the last, and destroying the last destroys all.
    const tied = (): void => {};
    return compressed ? pipeline(open(), createGunzip(), parser, tied) : pipeline(open(), parser, tied);
  }, config).pipe(map(toFlight));
}

type Row = Readonly<Partial<Record<string, string>>>;

function toFlight(row: Row): Flight {
  const { departedAt, landedAt, carrier = '', flight = '', origin = '', dest = '', delayMinutes } = row;
  return {
    departedAt: timeOf(departedAt),
    landedAt: timeOf(landedAt),
    carrier,
    number: flight,
    origin,
    destination: dest,
    delay: Number(delayMinutes),
  };
}

// What is no time becomes NaN, and `assignWatermarks` says which record it was.
function timeOf(text: string | undefined): number {
  return Date.parse(text ?? '');
}
