import { normalForm } from '../../../pack/src/names/normal-form.ts';
import { fieldOf } from '../../../pack/src/upload/fields.ts';
import type { FieldValue, UploadField } from '../write/upload-json.ts';

/** Why a map cannot be edited: it is not a map, or has something that editing would lose. */
export type MapProblem =
  | 'not-json'
  | 'no-keywords'
  | 'keyword-twice'
  | 'keyword-missing'
  | 'topic-figures'
  | 'topic-twice';

export class MapError extends Error {
  readonly what: MapProblem;

  constructor(what: MapProblem) {
    super(`This map cannot be edited: ${what}`);
    this.what = what;
  }
}

/** The keywords of a map with all of their members. If it has no entries at all, they are those that its nodes name. */
export class MapEntries {
  readonly texts: string[] = [];
  readonly #members: Map<string, unknown>[] = [];
  /** By text in NFC, from which addresses are computed. */
  readonly #rows = new Map<string, number>();

  readonly #isComplete: boolean;

  /**
   * @param keywords the member `keywords` of an upload
   * @throws MapError if an entry has no keyword, or repeats one
   */
  constructor(keywords: unknown) {
    const entries: readonly unknown[] = Array.isArray(keywords) ? keywords : [];
    for (const entry of entries) {
      const name =
        typeof entry === 'string' ? { text: entry, member: '' } : isRecord(entry) ? nameOf(entry) : undefined;
      if (name === undefined) throw new MapError('keyword-missing');
      if (this.#rowOf(name.text) !== undefined) throw new MapError('keyword-twice');
      this.#add(name.text, isRecord(entry) ? withoutMember(entry, name.member) : []);
    }
    this.#isComplete = entries.length > 0;
  }

  /**
   * The row of a keyword that a node names.
   *
   * @param members of the node, which its entry gets where it has none
   * @throws MapError if other keywords have entries and this one has none
   */
  place(text: string, members: Iterable<readonly [string, unknown]>): number {
    const found = this.#rowOf(text);
    if (found === undefined && this.#isComplete) throw new MapError('keyword-missing');
    const row = found ?? this.#add(text, []);
    const known = this.#members[row]!;
    for (const [member, value] of members) if (!known.has(member)) known.set(member, value);
    return row;
  }

  /** All members but the keyword and its similarity, as columns in order of first appearance. */
  fields(): UploadField[] {
    const columns = new Map<string, FieldValue[]>();
    this.#members.forEach((members, row) => {
      for (const [member, value] of members) {
        if (member === 'similarity' || member === ofUpdates) continue;
        const column = columns.get(member) ?? new Array<FieldValue>(this.texts.length).fill(undefined);
        columns.set(member, column);
        column[row] = fieldValue(value);
      }
    });
    return Array.from(columns, ([name, values]) => ({ name, values }));
  }

  similarity(): Float32Array {
    return Float32Array.from(this.#members, (members) => {
      const value = members.get('similarity');
      return typeof value === 'number' ? value : Number.NaN;
    });
  }

  readonly #rowOf = (text: string): number | undefined => this.#rows.get(normalForm(text, 'NFC'));

  #add(text: string, members: Iterable<readonly [string, unknown]>): number {
    const row = this.texts.push(text) - 1;
    this.#members.push(new Map(members));
    this.#rows.set(normalForm(text, 'NFC'), row);
    return row;
  }
}

type Name = { readonly text: string; readonly member: string };

/** The keyword of an entry: of several spellings, the preferred one. */
function nameOf(entry: JsonRecord): Name | undefined {
  let best: (Name & { readonly rank: number }) | undefined;
  for (const [member, value] of Object.entries(entry)) {
    const field = fieldOf(member);
    const text = textOf(value);
    if (field?.name !== 'keyword' || text === undefined) continue;
    if (!best || field.rank < best.rank) best = { text, member, rank: field.rank };
  }
  return best;
}

const withoutMember = (entry: JsonRecord, name: string): [string, unknown][] =>
  Object.entries(entry).filter(([member]) => member !== name);

/** The member that records what an update did with a keyword. It is not kept, because each update writes its own. */
const ofUpdates = 'list_status';

const isPlainList = (value: unknown): value is (number | string)[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'number' || typeof item === 'string');

function fieldValue(value: unknown): FieldValue {
  if (isPlainList(value)) return value;
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return value;
  // As JSON, because an empty text or null would be left out.
  return { json: JSON.stringify(value) };
}

/** An object of JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
