import { map, of, toArray } from 'rxjs';
import { record, type StreamElement, type StreamRecord } from 'tidemark';
import { expect, it } from 'vitest';
import { ElementStage } from '../../src/internal/ElementStage.js';
import { operate } from '../../src/internal/operate.js';

/** Stamps each value with 5. */
class Source extends ElementStage<string, string, undefined> {
  protected onNext(value: string): void {
    this.outlet.record(value, 5, undefined);
  }
}

/** Notes how records come in. */
class Probe extends ElementStage<StreamElement<string>, string, undefined> {
  static seen: unknown[] = [];
  override record(...pieces: [value: string, timestamp: number, key: undefined]): void {
    Probe.seen.push(pieces);
    this.outlet.record(...pieces);
  }
  protected onNext(element: StreamRecord<string>): void {
    Probe.seen.push(element);
    this.outlet.record(element.value, element.timestamp, element.key);
  }
}

const source = operate<string, StreamElement<string>>((out) => new Source(out));
const probe = operate<StreamElement<string>, StreamElement<string>>((out) => new Probe(out));

it('records go from stage to stage in pieces, and leave as elements', () => {
  Probe.seen = [];
  const out: unknown[] = [];
  of('a', 'b')
    .pipe(source, probe, toArray())
    .subscribe((elements) => out.push(...elements));
  expect(Probe.seen).toStrictEqual([
    ['a', 5, undefined],
    ['b', 5, undefined],
  ]);
  expect(out).toStrictEqual([record('a', 5), record('b', 5)]);
});

it('with an operator of RxJS between two stages, what goes through it is an element', () => {
  Probe.seen = [];
  of('a')
    .pipe(
      source,
      map((element) => element),
      probe,
    )
    .subscribe();
  expect(Probe.seen).toStrictEqual([record('a', 5)]);
});
