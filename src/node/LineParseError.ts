import { show, TidemarkError } from '../element/errors.js';

/** A line that does not parse. */
export interface LineError {
  /** Its number, from 1. */
  readonly line: number;
  /** The line without its newline. */
  readonly text: string;
  /** What `parse` threw. */
  readonly cause: unknown;
}

/**
 * A line that does not parse, while nothing says where such lines go: its number, its text, and what `parse` threw.
 *
 * @category interop
 * @since 0.1.0
 */
export class LineParseError extends TidemarkError implements LineError {
  readonly _tag = 'LineParse';
  constructor(
    /** The number of the line, from 1. */
    readonly line: number,
    /** The line without its newline. */
    readonly text: string,
    /** What `parse` threw. */
    override readonly cause: unknown,
  ) {
    super(`fromLines: line ${line} does not parse: ${show(text)} (${cause instanceof Error ? String(cause) : show(cause)})`);
  }
}
