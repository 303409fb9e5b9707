import { from, type OperatorFunction, Subject } from 'rxjs';
import { keyedRecord, type StreamElement, watermark } from 'tidemark';

export type In = StreamElement<number, number>;

/** Records, and what they go through. */
export interface Shape {
  readonly keys: number;
  /** How far records may be behind the newest, ms; there is one a ms. */
  readonly disorder: number;
  readonly operator: OperatorFunction<In, unknown>;
  /** Default 200,000. */
  readonly records?: number;
}

/** Several inputs, dealt the records in turn, each with watermarks of its own. */
export interface Joining {
  readonly keys: number;
  readonly inputs: number;
  readonly join: (...inputs: ReadonlyArray<Subject<In>>) => { subscribe(): unknown };
}

const RECORDS = 200_000;
const ROUNDS = 6;
/** ns of CPU time after which nothing changes any more. */
const SETTLED = 400e6;
/** From so many records on there are fewer rounds. */
const MANY = 1_000_000;

/** Elements with a watermark after every 200th record. */
function elements({ keys, disorder, records = RECORDS }: Omit<Shape, 'operator'>): ReadonlyArray<In> {
  const made: In[] = [];
  for (let i = 0; i < records; i++) {
    const scattered = Math.imul(i, 0x9e3779b1) >>> 0;
    made.push(keyedRecord(i, 1e12 + i - (disorder === 0 ? 0 : scattered % disorder), scattered % keys));
    if (i % 200 === 199) made.push(watermark(1e12 + i - disorder - 1));
  }
  return made;
}

/** ns a record. */
export function cost(shape: Shape): number {
  const { records = RECORDS } = shape;
  const input = elements(shape);
  return leastCpu(() => from(input).pipe(shape.operator).subscribe(), records > MANY ? 2 : ROUNDS) / records;
}

/** ns a record. */
export function costOfJoining({ keys, inputs, join }: Joining): number {
  const input = elements({ keys, disorder: 0 });
  const ns = leastCpu(() => {
    const sides = Array.from({ length: inputs }, () => new Subject<In>());
    join(...sides).subscribe();
    for (let i = 0; i < input.length; i++) {
      const element = input[i] as In;
      // a watermark of all records so far is one of each input
      if (element._tag === 'Watermark') for (const side of sides) side.next(element);
      else sides[i % inputs]?.next(element);
    }
    for (const side of sides) side.complete();
  }, ROUNDS);
  return ns / RECORDS;
}

/** The least CPU time of several runs, ns: of so many, and of more where they are short, until what is new has been compiled. */
function leastCpu(run: () => void, rounds: number): number {
  let least = Infinity;
  let spent = 0;
  for (let i = 0; i < rounds || spent < SETTLED; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) * 1_000;
    spent += took;
    least = Math.min(least, took);
  }
  return least;
}
