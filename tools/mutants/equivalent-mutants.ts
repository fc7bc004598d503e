/** A mutant that no request can distinguish from the source, and why. `change` is part of `from → to`. */
type Excuse = { readonly file: string; readonly line: string; readonly change: string; readonly why: string };

export const equivalentMutants: readonly Excuse[] = [];
