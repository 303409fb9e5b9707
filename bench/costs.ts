import { from, Subject } from 'rxjs';
import {
  type Aggregate,
  type AlignedConfig,
  aggregates,
  assignWatermarks,
  evictors,
  type StreamRecord,
  triggers,
  tumblingWindow,
  type Windowed,
} from 'tidemark';
import { approxDistinct, quantiles } from 'tidemark/sketches';
import { everyNth } from './everyNth.js';
import { total } from './pipeline.js';
import { EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Implementation, type Workload } from './workload.js';

// What each thing that one can ask of a window adds to the plain one of B1. Only firings at the end of a window are counted,
// which are the same in all of them: so it is seen that nothing but the cost is other.

const SIZE = 5_000;
/** As long as the latest records are late. */
const LATENESS = 20_000;

type Window = Windowed<Event, number, string>;
type Late = StreamRecord<Event, string>;

const early = triggers.afterWatermark({ early: triggers.afterCount(2) });
const late = triggers.afterWatermark({ late: triggers.afterCount(2) });

function run(windowFor: (found: Checksum) => Window, every: number = EVERY): (events: ReadonlyArray<Event>) => Checksum {
  return (events) => {
    const found = emptyChecksum();
    from(events)
      .pipe(
        assignWatermarks(everyNth(every), { timestamp: (event) => event.ts, key: (event) => event.key, interval: Infinity }),
        windowFor(found),
      )
      .subscribe((element) => {
        if (element._tag !== 'Record') return;
        const { value, window, pane } = element.value;
        if (pane.timing === 'onTime' && !pane.retraction) count(found, value, window.end);
      });
    return found;
  };
}

/** The plain window with something more in its config. */
function asking(name: string, config: AlignedConfig<Event, string>): Implementation {
  return { name, run: run(() => tumblingWindow(SIZE, total, config)) };
}

/** The plain window with another aggregate, which finds other sums. */
function folding(name: string, aggregate: Aggregate<Event, number>): Implementation {
  return { name, run: run(() => tumblingWindow(SIZE, aggregate)), differs: ['sum'] };
}

function lateToSubject(found: Checksum): Window {
  const late$ = new Subject<Late>();
  late$.subscribe(() => found.late++);
  return tumblingWindow(SIZE, total, { lateTo: late$ });
}

export const costs: Workload = {
  name: 'COSTS',
  what: 'what is asked of the plain window of B1, one thing at a time',
  keys: 1_000,
  implementations: [
    { name: 'plain', run: run(() => tumblingWindow(SIZE, total)) },
    { name: 'late-to', run: run(lateToSubject), differs: ['late'] },
    asking('lateness', { allowedLateness: LATENESS }),
    asking('late-trigger', { allowedLateness: LATENESS, trigger: late }),
    asking('early-trigger', { trigger: early }),
    asking('retracting', { trigger: early, panes: 'retracting' }),
    asking('evictor', { evict: evictors.count(1_000) }),
    { name: 'watermark-each', run: run(() => tumblingWindow(SIZE, total), 1) },
    folding(
      'quantile',
      aggregates.mapResult(([p99 = 0]: ReadonlyArray<number>) => p99)(quantiles(({ value }: Event) => value, [0.99])),
    ),
    folding(
      'distinct',
      aggregates.distinctCount(({ value }: Event) => value),
    ),
    folding(
      'approx-distinct',
      approxDistinct(({ value }: Event) => value),
    ),
  ],
};
