import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { from } from 'rxjs';
import { assignWatermarks, boundedOutOfOrderness, type EventStream, minutes } from 'tidemark';
import type { Event } from '../../../examples/nexmark/events.js';
import { type GeneratorConfig, generate } from '../../../examples/nexmark/generator.js';
import * as queries from '../../../examples/nexmark/queries.js';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, NotYetSupported } from '../outcome.js';
import { resultsOf } from '../run.js';

/** Nexmark's generator, and its queries over the small set of events or over what has been generated. */
export function nexmark(vector: Json, folder: string): Difference {
  if (vector['operator'] === undefined) return generated(vector as unknown as GeneratorCase);
  const name = String(vector['name']).replace('gen_', '');
  const query = (queries as Readonly<Record<string, queries.Query | undefined>>)[name];
  if (query === undefined) throw new NotYetSupported(`the query ${name}`);
  const rows = resultsOf(query(eventsOf(vector['input'], folder)) as EventStream<Json>);
  return compareRows(name, vector['expect'] as ReadonlyArray<Json>, rows, orderOf(vector['ordered']));
}

interface GeneratorCase {
  readonly config: GeneratorConfig;
  readonly digest: { readonly sha256: Readonly<Record<string, string>> };
  readonly head: ReadonlyArray<Json>;
}

function generated({ config, digest, head }: GeneratorCase): Difference {
  const lengths = Object.keys(digest.sha256).map(Number);
  const lines = take(Math.max(...lengths), config).map((event) => JSON.stringify(event));
  const at = head.findIndex((event, i) => JSON.stringify(event) !== lines[i]);
  if (at >= 0) return `  event ${at}\n    expected ${JSON.stringify(head[at])}\n    actual   ${lines[at]}`;
  const wrong = lengths.filter((n) => {
    const bytes = lines.slice(0, n).join('\n');
    return createHash('sha256').update(bytes).digest('hex') !== digest.sha256[n];
  });
  return wrong.length === 0 ? undefined : `  the digests of the first ${wrong.join(', ')} events differ`;
}

function take(n: number, config: GeneratorConfig): Event[] {
  const events: Event[] = [];
  for (const event of generate(config)) if (events.push(event) >= n) break;
  return events;
}

function eventsOf(input: unknown, folder: string): EventStream<Event> {
  return from(typeof input === 'string' ? read(folder, input) : madeBy(folder, input as Json)).pipe(
    assignWatermarks(boundedOutOfOrderness(minutes(1)), { timestamp: ({ ts }) => ts, interval: 'record' }),
  );
}

function read(folder: string, file: string): ReadonlyArray<Event> {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')).events;
}

function madeBy(folder: string, input: Json): ReadonlyArray<Event> {
  const { config } = JSON.parse(readFileSync(join(folder, `${input['generator']}.json`), 'utf8')) as GeneratorCase;
  return take(input['count'] as number, config);
}
