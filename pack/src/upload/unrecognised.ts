import { isDate } from './entry-dates.ts';
import { fieldOf, nestedFields } from './fields.ts';
import { fold, namesIn } from './spelling.ts';
import { trendField } from './trend-columns.ts';

/** The maximum number of names that are reported. */
const maxNames = 64;
/** Names of members that number the lines of an export. */
const numbering: ReadonlySet<string> = new Set(
  namesIn(`
    #, no, no., id, index, nr, nr., lfd. nr., lp., l.p., n°, nº, núm., №, № п/п, п/п, s.no, s. no., sl. no., sr no,
    sr. no., row #, sıra no, α/α, 番号, 序号, 序號, 번호, stt, unnamed: 0
  `)
    .map(fold)
    .concat(''),
);
/** Names of members that place a node in the hierarchy. */
const places: ReadonlySet<string> = new Set(['name', 'type', 'children', 'keywords']);

/** Members that a clustered list has when it is published. */
const ofClustering: ReadonlySet<string> = new Set(['similarity', 'confidence', 'list_status']);

export const isPlace = (name: string): boolean => places.has(name);

/** Whether a member only numbers lines. */
export const isNumbering = (name: string): boolean => numbering.has(fold(name));

/**
 * Whether the meaning of a member of a keyword or a node is known. Others are kept as fields of the file, but one of
 * them may be a metric with a misspelled name.
 */
export function isRecognised(name: string): boolean {
  if (fieldOf(name) || places.has(name) || nestedFields.has(name) || ofClustering.has(name)) return true;
  return isNumbering(name) || isDate(name) || trendField(name) >= 0;
}

/** Collects the first unrecognised names, one spelling of each. */
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
