import type { Observer } from 'rxjs';
import { Endings } from '../../internal/Endings.js';
import { openSink, type Producer } from '../../internal/sink.js';

/** Side outputs that user code names as it goes: each is opened when it is first used, and ends with the operator. */
export class SideOutputs extends Endings {
  private readonly open = new Map<object, Producer<unknown>>();

  next<T>(to: Observer<T>, value: T): void {
    let producer = this.open.get(to);
    if (producer === undefined) {
      producer = openSink(to as Observer<unknown>) as Producer<unknown>;
      this.open.set(to, producer);
      this.include(producer);
    }
    producer.next(value);
  }
}
