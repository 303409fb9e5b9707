import type { Observable } from 'rxjs';
import type { StreamElement } from 'tidemark';

/** The values of a stream that ends while it is subscribed to; its error is thrown. */
export function resultsOf<A>(stream: Observable<StreamElement<A, unknown>>): A[] {
  const values: A[] = [];
  let failure: { readonly cause: unknown } | undefined;
  let completed = false;
  stream.subscribe({
    next: (element) => {
      if (element._tag === 'Record') values.push(element.value);
    },
    error: (cause: unknown) => {
      failure = { cause };
    },
    complete: () => {
      completed = true;
    },
  });
  if (failure !== undefined) throw failure.cause;
  if (!completed) throw new Error('the stream did not complete');
  return values;
}
