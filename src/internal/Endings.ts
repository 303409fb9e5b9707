import type { Ending } from './sink.js';

/** Several side outputs that end together. */
export class Endings implements Ending {
  constructor(private all: Array<Ending | null>) {}

  protected include(ending: Ending): void {
    this.all.push(ending);
  }
  complete(): void {
    for (const each of this.taken()) each?.complete();
  }
  error(cause: unknown): void {
    for (const each of this.taken()) each?.error(cause);
  }
  release(): void {
    for (const each of this.taken()) each?.release();
  }

  /** Each is told one end: what has been completed is not released, as it may have another producer by then. */
  private taken(): ReadonlyArray<Ending | null> {
    const { all } = this;
    this.all = [];
    return all;
  }
}
