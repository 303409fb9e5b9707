import { compareSteps, type StepOutput } from '../flink/compare.js';
import { type FlinkCase, type Operator, Speller, toTime } from '../flink/format.js';
import { sqlDifference } from '../flink/sql.js';
import { type Side, type Stage, stageOf, variantsOf } from '../flink/stages.js';
import type { Json } from '../json.js';
import type { Difference } from '../outcome.js';

/** Replays a case of Flink's operators. */
export function flink(vector: FlinkCase): Difference {
  if (vector.operator.kind === 'sql') return sqlDifference(vector);
  const specs = vector.operator.kind === 'pipeline' ? (vector.operator['stages'] as ReadonlyArray<Operator>) : [vector.operator];
  // built once before anything runs: a kind that isn't there is no difference
  const variants = Math.max(...specs.map(variantsOf));
  for (let variant = 0; variant < variants; variant++) {
    const difference = compareSteps(...comparable(expectedOf(vector), replay(vector, specs, variant), specs));
    if (difference !== undefined) return variants === 1 ? difference : `  operator ${variant + 1} of ${variants}\n${difference}`;
  }
  return undefined;
}

/**
 * A source of ours mends a watermark that doesn't rise at once; Flink leaves that to the next operator (rule W1). Applied to
 * the output of every source.
 */
function expectedOf(vector: FlinkCase): FlinkCase {
  if (vector.operator.kind !== 'source') return vector;
  let last = -Infinity;
  const output = vector.output.filter((item) => {
    if (!('watermark' in item)) return true;
    const rises = toTime(item['watermark']) > last;
    if (rises) last = toTime(item['watermark']);
    return rises;
  });
  return { ...vector, output };
}

/**
 * In Flink MAX of one input overtakes another one that is merely idle; here it waits for that one's end (rule W6,
 * FLINK-38477). From the step on at which an input gives MAX while the others are idle, the rest of a case is compared as one
 * step, and without statuses. Applied to every operator with several inputs.
 */
function comparable(
  vector: FlinkCase,
  actual: Map<number, StepOutput>,
  specs: ReadonlyArray<Operator>,
): readonly [FlinkCase, ReadonlyMap<number, StepOutput>] {
  const from = overtaken(vector, specs);
  if (from === undefined) return [vector, actual];
  const last = vector.input.length - 1;
  const isStatus = (item: Json): boolean => 'idle' in item || 'active' in item;
  const output = vector.output
    .filter((item) => (item['after'] as number) < from || !isStatus(item))
    .map((item) => ((item['after'] as number) < from ? item : { ...item, after: last }));
  const rest: StepOutput = { main: [], side: [] };
  const steps = new Map<number, StepOutput>([[last, rest]]);
  for (const [step, { main, side }] of [...actual].sort(([a], [b]) => a - b)) {
    if (step < from) steps.set(step, { main, side });
    else {
      rest.main.push(...main.filter((item) => !isStatus(item)));
      rest.side.push(...side);
    }
  }
  return [{ ...vector, output }, steps];
}

/** The step at which an input gives MAX while the others that have not are idle, if there is one. */
function overtaken({ input: steps }: FlinkCase, specs: ReadonlyArray<Operator>): number | undefined {
  const count = (specs[0]?.['inputs'] as number | undefined) ?? Math.max(...steps.map(({ input = 0 }) => input)) + 1;
  const idle = new Set<number>();
  const finished = new Set<number>();
  for (const [index, { input = 0, ...step }] of steps.entries()) {
    if (step.idle) idle.add(input);
    if (step.active) idle.delete(input);
    if (step.watermark !== 'MAX') continue;
    finished.add(input);
    idle.delete(input);
    if (idle.size > 0 && idle.size + finished.size === count) return index;
  }
  return undefined;
}

function replay(vector: FlinkCase, specs: ReadonlyArray<Operator>, variant: number): Map<number, StepOutput> {
  const actual = new Map<number, StepOutput>();
  let step = -1;
  const output = (): StepOutput => {
    const known = actual.get(step);
    if (known !== undefined) return known;
    const fresh = { main: [], side: [] };
    actual.set(step, fresh);
    return fresh;
  };
  const side: Side = (item) => output().side.push(item);
  const start = toTime(specs[0]?.['startProcessingTime'] ?? vector.operator['startProcessingTime'] ?? 0);

  let stages: Stage[];
  try {
    stages = specs.map((spec, i) => stageOf(spec, side, variant, i === 0 ? start : 0));
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof TypeError)) throw cause;
    // A refusal when the operator is built counts as the error that the engine raises at its first element, if that error
    // is all that came out.
    const only = vector.output[0];
    step = vector.output.length === 1 && only !== undefined && 'error' in only ? (only['after'] as number) : -1;
    output().main.push({ error: String(cause) });
    return actual;
  }

  const speller = new Speller();
  let failed = false;
  /** What stage `from` has put out goes down, to the end or to an error. */
  const flow = (from: number): void => {
    const stage = stages[from] as Stage;
    const next = stages[from + 1];
    for (const element of stage.take()) {
      if (next === undefined) output().main.push(...speller.spell<{ shown: Json }, unknown>(element, ({ shown }) => shown));
      else {
        next.accept(
          element._tag === 'Watermark' ? element : { ...element, value: element.value.item, key: element.value.item.key },
        );
      }
    }
    if (next !== undefined) flow(from + 1);
    if (stage.failure !== undefined && !failed) {
      failed = true;
      output().main.push({ error: String(stage.failure.cause) });
    }
  };

  flow(0);
  for (const [index, { input = 0, ...what }] of vector.input.entries()) {
    step = index;
    if (failed) break;
    if (what.processingTime !== undefined) {
      // the first stage runs fully first, then its output goes down, then the next stage's clock
      for (const [i, stage] of stages.entries()) {
        stage.scheduler.advanceTo(what.processingTime);
        flow(i);
      }
    } else if (what.end) {
      for (const [i, stage] of stages.entries()) {
        stage.end();
        flow(i);
      }
    } else {
      stages[0]?.feed(what, input);
      flow(0);
    }
  }
  return actual;
}
