import { isDate } from './entry-dates.ts';
import { fieldOf, fold, nestedFields } from './fields.ts';
import { trendField } from './trend-columns.ts';

/** Names that are told, of as many as a file may have. */
const maxNames = 64;
/** What counts lines of an export. */
const numbering: ReadonlySet<string> = new Set(['', '#', 'no', 'no.', 'id', 'index']);
/** What places a node in the hierarchy. */
const places: ReadonlySet<string> = new Set(['name', 'type', 'children', 'keywords']);

/** Whether a member only counts lines. */
export const isNumbering = (name: string): boolean => numbering.has(fold(name));

/**
 * Whether it is known what a member of a keyword or a node means. Others are kept as fields of the file; one of them may
 * be a metric whose name is misspelled.
 */
export function isRecognised(name: string): boolean {
  if (fieldOf(name) || places.has(name) || nestedFields.has(name)) return true;
  return isNumbering(name) || isDate(name) || trendField(name) >= 0;
}

/** Collects the first names that are not recognised, one of several spellings of the same. */
export class UnrecognisedNames {
  readonly #names = new Map<string, string>();

  get names(): readonly string[] {
    return [...this.#names.values()];
  }

  add(name: string): void {
    if (this.#names.size === maxNames || isRecognised(name)) return;
    const key = fold(name);
    if (!this.#names.has(key)) this.#names.set(key, name);
  }
}
