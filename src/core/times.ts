// Short lists of times, the earliest first: plain data, in which a time is found by halving. They are asked for in their
// order as a rule, and come in it.

/** Adds a time; false if it is there. */
export function insert(times: number[], time: number): boolean {
  const at = placeOf(times, time);
  if (times[at] === time) return false;
  if (at === times.length) times.push(time);
  else times.splice(at, 0, time);
  return true;
}

/** Takes a time out; false if it is not there. */
export function drop(times: number[], time: number): boolean {
  const at = placeOf(times, time);
  if (times[at] !== time) return false;
  if (at === 0) times.shift();
  else times.splice(at, 1);
  return true;
}

function placeOf(times: ReadonlyArray<number>, time: number): number {
  let high = times.length;
  if (high === 0 || (times[high - 1] as number) < time) return high;
  let low = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
