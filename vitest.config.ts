import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (entry: string): string => fileURLToPath(new URL(`./src/${entry}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^tidemark$/, replacement: source('index.ts') },
      { find: /^tidemark\/(aggregates|assigners|evictors|triggers)$/, replacement: source('windows/$1/index.ts') },
      { find: /^tidemark\/(calendar|fp|node|sketches|testing)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text-summary', 'json-summary'],
      reportOnFailure: true,
      thresholds: { branches: 95 },
    },
  },
});
