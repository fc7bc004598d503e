/**
 * How a text is matched with a name, after both are folded (see `foldForSearch`).
 *
 * - `all`: the name contains each word of the text, in any order; `any`: it contains at least one of them. Words are
 *   separated by white space, and each may be a part of a longer word.
 * - `phrase`: the name contains the text as it stands.
 * - `regex`: the text is an RE2 regular expression that matches a part of the name. Case is ignored.
 */
export const matchModes = ['all', 'any', 'phrase', 'regex'] as const;
export type MatchMode = (typeof matchModes)[number];
