interface Span {
  readonly start: number;
  readonly end: number;
}

interface Spanning {
  readonly span: { readonly window: unknown };
}

/** Which of these, in the order of time and with room between them, a further span touches: from one place to before another. */
export function touched(items: ReadonlyArray<Spanning>, span: unknown): { readonly from: number; readonly to: number } {
  const { start, end } = span as Span;
  let from = 0;
  for (let high = items.length; from < high; ) {
    const middle = (from + high) >> 1;
    if (spanAt(items, middle).end < start) from = middle + 1;
    else high = middle;
  }
  let to = from;
  while (to < items.length && spanAt(items, to).start <= end) to++;
  return { from, to };
}

function spanAt(items: ReadonlyArray<Spanning>, at: number): Span {
  return items[at]?.span.window as Span;
}
