import { configure } from 'rxjs-marbles';
import { expect } from 'vitest';

// `frameworkMatcher` makes rxjs-marbles use `assertDeepEqual`; its types don't know of that
const { marbles } = configure({
  run: true,
  frameworkMatcher: true,
  assertDeepEqual: (actual: unknown, expected: unknown) => expect(actual).toStrictEqual(expected),
} as never);

/** Wraps a marble test in RxJS's virtual time, compared with vitest's strict equality. */
export { marbles };
