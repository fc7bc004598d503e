// Does not import the parser of formulas, so that the first screen does not load it.

const prefix = 'score=';

/**
 * The name under which a score is requested like a field of the file: `score=` and its text. The formula is part of the
 * name, so everything that is cached by the names of its fields is cached by the formula. A member of a file with such
 * a name cannot be requested.
 *
 * @param text the canonical text of a score
 */
export const scoreFieldName = (text: string): string => prefix + text;

/** The texts of all scores among the names of fields, each once. */
export const scoreTextsIn = (names: readonly string[]): string[] =>
  [...new Set(names)].flatMap((name) => scoreTextIn(name) ?? []);

/** The text of the score in the name of a field; undefined for other names. */
export const scoreTextIn = (name: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
