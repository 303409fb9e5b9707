/**
 * `at + by`, for loops from window to window. Beyond the safe integers doubles are 2 apart, and a step of 1 may go nowhere: there
 * it is as long as it must be to go on.
 */
export function onward(at: number, by: number): number {
  const next = at + by;
  return next === at ? at + 2 * by : next;
}
