import { existsSync } from 'node:fs';
import { defineConfig } from 'tsdown';

/** Namespaces that an entry exports: each is a file of its own in `dist`, as the plugin below says. */
const namespaces: Readonly<Record<string, string>> = {
  aggregates: './windows/aggregates/index.js',
  assigners: './windows/assigners/index.js',
  triggers: './windows/triggers/index.js',
  evictors: './windows/evictors/index.js',
  eventStream: './fp/EventStream.js',
  mergeableAggregate: './fp/MergeableAggregate.js',
  streamElement: './fp/StreamElement.js',
  watermarkStrategy: './fp/WatermarkStrategy.js',
};
const entries: Readonly<Record<string, string>> = {
  index: './index.js',
  calendar: './calendar/index.js',
  fp: './fp/index.js',
  node: './node/index.js',
  sketches: './sketches/index.js',
  testing: './testing/index.js',
  ...namespaces,
};

const sourceOf = (path: string): string => path.replace('./', 'src/').replace(/\.js$/, '.ts');
const sources = Object.entries(entries).map(([name, path]): [string, string] => [name, sourceOf(path)]);

export default defineConfig({
  entry: Object.fromEntries(sources.filter(([, source]) => existsSync(source))),
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  tsconfig: 'tsconfig.build.json',
  dts: true,
  clean: true,
  deps: { neverBundle: [/^rxjs/, /^fp-ts/, /^node:/, /^@datadog/, /^imurmurhash/, /^temporal-polyfill/] },
  // A field that the constructor sets is not made before it (what is undefined at first says so: one shape all along). With a
  // tsconfig rolldown would not hear of it; of ours it needs nothing.
  inputOptions: { tsconfig: false, transform: { typescript: { removeClassFieldsWithoutInitializer: true } } },
  // rolldown leaves the reference of src/node/index.ts out; without it Node's types are not found where `types` is empty
  outputOptions: { banner: (chunk) => (chunk.fileName === 'node.d.ts' ? '/// <reference types="node" />' : '') },
  plugins: [
    {
      // Bundling `export * as aggregates` makes an object of all of them, which no application's bundler can take apart
      // again, and which costs work when it is loaded. Left as an import of a file, it lets the bundler keep what is used.
      name: 'namespaces-stay-files',
      resolveId(path, importer) {
        const folder = importer?.match(/\/src\/((?:fp\/)?)index\.ts$/)?.[1];
        if (folder === undefined) return null;
        const namespace = Object.keys(namespaces).find((name) => namespaces[name] === path.replace('./', `./${folder}`));
        return namespace === undefined ? null : { id: `./${namespace}.js`, external: true };
      },
    },
  ],
});
