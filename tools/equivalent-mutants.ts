/** A mutant that no request can tell from the source, and why. `change` is part of what becomes what: `from → to`. */
type Excuse = { readonly file: string; readonly line: string; readonly change: string; readonly why: string };

export const equivalentMutants: readonly Excuse[] = [];
