import type { Observable } from 'rxjs';
import type { StreamElement } from 'tidemark';

type Equal<X, Y> = (<Q>() => Q extends X ? 1 : 2) extends <Q>() => Q extends Y ? 1 : 2 ? true : false;

/** What an observable emits. */
export type Emits<S> = S extends Observable<infer A> ? A : never;

/** `[value, key]` of a stream of elements. */
export type Elements<S> = S extends Observable<StreamElement<infer A, infer K>> ? [A, K] : never;

/** Compiles only if the two types are the same, `any` and `readonly` included. */
export function same<X, Y>(_equal: Equal<X, Y>): void {}
