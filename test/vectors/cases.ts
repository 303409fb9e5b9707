import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { arroyo } from './adapters/arroyo.js';
import { beam } from './adapters/beam.js';
import { bytewax } from './adapters/bytewax.js';
import { flink } from './adapters/flink.js';
import { flinkSql } from './adapters/flinkSql.js';
import { kafkaStreams } from './adapters/kafkaStreams.js';
import { nexmark } from './adapters/nexmark.js';
import { risingwave } from './adapters/risingwave.js';
import { spark } from './adapters/spark.js';
import type { FlinkCase } from './flink/format.js';
import type { Json } from './json.js';
import { type Difference, NotYetSupported, type Outcome, outcomeOf } from './outcome.js';

/** A case of an engine that has its cases in files of their own. */
export type PeerCase = Json & { readonly name: string; readonly peer: string };

/** Replays a case; `folder` is where it was found, for inputs in files beside it. */
export type Adapter = (vector: PeerCase, folder: string) => Difference;

/** The engines, by the name in the case. Flink's own cases are arrays, and have a format of their own. */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  arroyo,
  beam,
  bytewax,
  'flink-sql': flinkSql,
  'kafka-streams': kafkaStreams,
  nexmark,
  risingwave,
  spark,
};

/** A case, ready to run. */
export interface VectorCase {
  readonly family: string;
  readonly name: string;
  run(): Outcome;
}

/** All cases below a folder, or in a file. What they are is read from them, not from where they lie. */
export function casesBelow(path: string): VectorCase[] {
  return filesBelow(path).flatMap((file) => casesIn(file, relative(path, file)));
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).sort();
  return names.flatMap((name) => {
    const inner = join(path, name);
    if (statSync(inner).isDirectory()) return filesBelow(inner);
    return name.endsWith('.json') ? [inner] : [];
  });
}

function casesIn(file: string, shown: string): VectorCase[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    return [broken(shown, `is no JSON: ${String(cause)}`)];
  }
  if (Array.isArray(content)) return content.map((vector: FlinkCase, at) => flinkCase(vector, at, shown || file));
  const { schema } = Object(content) as Json;
  if (schema === 'peer-vector/1') return [peerCase(content as PeerCase, dirname(file))];
  // other schemas are data that cases refer to
  if (typeof schema === 'string' && !schema.startsWith('peer-vector/')) return [];
  return [broken(shown, 'is neither an array of cases nor a peer-vector/1')];
}

function flinkCase(vector: FlinkCase, at: number, shown: string): VectorCase {
  const file = shown.replace(/^.*[\\/]/, '').replace(/\.json$/, '');
  return { family: `flink ${file}`, name: vector?.name ?? `case ${at}`, run: () => outcomeOf(() => flink(vector)) };
}

function peerCase(vector: PeerCase, folder: string): VectorCase {
  return {
    family: vector.peer,
    name: vector.name,
    run: () =>
      outcomeOf(() => {
        const adapter = ADAPTERS[vector.peer];
        if (adapter === undefined) throw new NotYetSupported(`no adapter for ${vector.peer}`);
        return adapter(vector, folder);
      }),
  };
}

function broken(shown: string, why: string): VectorCase {
  return { family: 'files', name: shown, run: () => ({ status: 'failed', difference: `  ${shown} ${why}` }) };
}
