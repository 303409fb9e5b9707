import type { Observer } from 'rxjs';
import { openSink, type Producer } from '../../internal/sink.js';

/** Side outputs that user code names as it goes: each is opened when it is first used, and ends with the operator. */
export class SideOutputs {
  private readonly open = new Map<object, Producer<unknown>>();

  next<T>(to: Observer<T>, value: T): void {
    let producer = this.open.get(to);
    if (producer === undefined) {
      producer = openSink(to as Observer<unknown>) as Producer<unknown>;
      this.open.set(to, producer);
    }
    producer.next(value);
  }
  complete(): void {
    for (const producer of this.taken()) producer.complete();
  }
  error(cause: unknown): void {
    for (const producer of this.taken()) producer.error(cause);
  }
  release(): void {
    for (const producer of this.taken()) producer.release();
  }

  /** Each is told one end: what has been completed is not released, as it may have another producer by then. */
  private taken(): ReadonlyArray<Producer<unknown>> {
    const all = [...this.open.values()];
    this.open.clear();
    return all;
  }
}
