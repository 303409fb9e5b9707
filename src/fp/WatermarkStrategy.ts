/**
 * The fp-ts instance for `WatermarkStrategy`, which takes values in and gives none out.
 *
 * @since 0.1.0
 */
import type { Contravariant1 } from 'fp-ts/lib/Contravariant.js';
import { contramapStrategy } from '../watermarks/contramapStrategy.js';
import type { WatermarkStrategy } from '../watermarks/strategy.js';

// --- model ---

/**
 * The name of `WatermarkStrategy` among fp-ts's type constructors.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export const URI = 'tidemark/WatermarkStrategy';

/**
 * The type of {@link URI}.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export type URI = typeof URI;

declare module 'fp-ts/HKT.js' {
  interface URItoKind<A> {
    readonly [URI]: WatermarkStrategy<A>;
  }
}

// --- mapping ---

/**
 * A strategy for `B`s from one for `A`s; the same as `contramapStrategy`.
 *
 * ```ts
 * const ofLines = pipe(
 *   punctuated<number>((n) => n),
 *   watermarkStrategy.contramap((line: string) => Number(line)),
 * );
 * from(['5', '7']).pipe(assignWatermarks(ofLines, { timestamp: Number }), toWatermarks()); // 5, 7, Infinity
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const contramap: <A, B>(f: (b: B) => A) => (strategy: WatermarkStrategy<A>) => WatermarkStrategy<B> = contramapStrategy;

// --- instances ---

/**
 * `contramap` over the values that a strategy watches.
 *
 * @category instances
 * @since 0.1.0
 */
export const Contravariant: Contravariant1<URI> = { URI, contramap: (strategy, f) => contramapStrategy(f)(strategy) };
