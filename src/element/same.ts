/** `A`, but not inferred from here; unlike `NoInfer` it does not survive into results and hovers. */
// biome-ignore lint/suspicious/noExplicitAny: `any` makes the condition always true, which is the point
export type Same<A> = [A][A extends any ? 0 : never];
