import { assertFunction } from '../time/assert.js';
import type { WatermarkStrategy } from './strategy.js';

/**
 * A strategy for `B`s from one for `A`s, by way of `f`.
 *
 * ```ts
 * const byPage = contramapStrategy((click: { page: string }) => click.page.length)(punctuated<number>((n) => n));
 * ```
 *
 * **Cost**: one call of `f` a record.
 *
 * @category watermarks
 * @since 0.1.0
 */
export function contramapStrategy<A, B>(f: (b: B) => A): (strategy: WatermarkStrategy<A>) => WatermarkStrategy<B> {
  assertFunction('contramapStrategy', 'f', f);
  return (strategy) => ({
    ...strategy,
    create: () => {
      const generator = strategy.create();
      return {
        onRecord: (value, timestamp, output) => generator.onRecord(f(value), timestamp, output),
        onTick: (now, output) => generator.onTick(now, output),
      };
    },
  });
}
