import type { HashKey } from '../names/hash-key.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import { release } from '../upload/release.ts';
import type { GrowingTables, UploadTables } from '../upload/upload-tables.ts';
import { beginWithEntries, type KeywordNumbers, numberKeywords } from './keyword-numbers.ts';
import { NameTable } from './name-table.ts';
import { namesAtATime, TextTable } from './text-table.ts';

/**
 * Joins nodes and keywords by text while they arrive: NFC, case folded, blanks collapsed.
 *
 * A node is a keyword when its type says so, or when it is a leaf that has no type, one we do not know, or the text
 * of an entry of the `keywords` array. A leaf that is typed as a group and matches nothing is an empty group.
 *
 * Whichever table stands first in the file is put into a table of texts when the other one begins; the other's names are
 * then looked for as they come. Where nodes have the names of entries in their order, as files often do, they are not
 * hashed at all. Names that have one hash are compared, so a collision costs time and never gives a wrong join.
 * Cost: at most one hash a leaf and an entry; 4 bytes a row, and the table of texts until all rows are there.
 * Source: decisions §4.4.
 */
export class KeywordJoin {
  readonly #key: HashKey;
  readonly #namesOf: NamesOf;
  #texts: TextTable | undefined;
  #known: NameTable | undefined;
  /** Whether the entries stood first. */
  #isEntriesFirst = false;
  /** By row, the first name with its text: names of the table that stood first, then those of the other one. */
  #ofEntry = new Int32Array(0);
  #ofNode = new Int32Array(0);
  #entries = 0;
  #nodes = 0;
  /** The entry after the one that was found last. */
  #next = 0;
  /** Nodes that were open when their turn came. */
  readonly #later: number[] = [];
  #kinds: Kind[] = [];
  readonly #asked = new Uint32Array(namesAtATime);
  readonly #mayBegin = new Uint8Array(namesAtATime);
  readonly #firsts = new Int32Array(namesAtATime);
  #count = 0;

  /** @param namesOf another one for tests */
  constructor(key: HashKey, loop?: NameLoop, namesOf: NamesOf = (first, second) => new NameTable(first, second, loop)) {
    this.#key = key;
    this.#namesOf = namesOf;
  }

  /** Takes the rows that are there by now, once the first table is whole. */
  advance(tables: GrowingTables): void {
    const { nodes, keywords } = tables;
    const isWhole = keywords.rows > 0 ? nodes.rows > 0 : nodes.rows > 0 && nodes.byteEnd[0]! > 0;
    if (isWhole) this.#take(tables);
  }

  /** When all rows are there. The join is done with afterwards. */
  finish(tables: GrowingTables): KeywordNumbers {
    this.#take(tables);
    const names = this.#names(tables);
    for (const node of this.#later) this.#takeNode(tables, names, node);
    this.#find(names);
    this.#texts?.release();
    const ofEntry = this.#ofEntry.subarray(0, tables.keywords.rows);
    const ofNode = this.#ofNode.subarray(0, tables.nodes.rows);
    if (!this.#isEntriesFirst) {
      beginWithEntries(ofEntry, ofNode, (node) => this.#kinds[tables.nodes.type[node]!] === 'group');
    }
    const numbers = numberKeywords(ofEntry, ofNode);
    release(ofEntry);
    return numbers;
  }

  #names({ nodes, keywords }: GrowingTables): NameTable {
    const [first, second] = this.#isEntriesFirst ? [keywords, nodes] : [nodes, keywords];
    // One for all rows: it remembers how letters fold.
    if (this.#known) this.#known.follow(first, second);
    else this.#known = this.#namesOf(first, second);
    return this.#known;
  }

  #take(tables: GrowingTables): void {
    const { nodes, keywords } = tables;
    this.#ofEntry = longer(this.#ofEntry, keywords.byteStart.length, this.#entries);
    this.#ofNode = longer(this.#ofNode, nodes.byteStart.length, this.#nodes);
    if (this.#kinds.length < tables.types.length) this.#kinds = tables.types.map(kindOf);
    if (!this.#texts) {
      this.#isEntriesFirst = keywords.rows > 0 && keywords.byteStart[0]! < nodes.byteStart[0]!;
      this.#texts = new TextTable(this.#key, this.#isEntriesFirst ? keywords.rows : nodes.rows);
    }
    const names = this.#names(tables);
    if (this.#isEntriesFirst) this.#takeEntries(tables, names);
    this.#takeNodes(tables, names);
    if (!this.#isEntriesFirst) this.#takeEntries(tables, names);
  }

  #takeEntries({ keywords }: GrowingTables, names: NameTable): void {
    const isOpen = keywords.rows > 0 && keywords.byteEnd[keywords.rows - 1] === 0;
    const end = keywords.rows - Number(isOpen);
    const offset = this.#isEntriesFirst ? 0 : names.first;
    for (; this.#entries < end; this.#entries++) this.#ask(names, offset + this.#entries, true);
    this.#find(names);
  }

  #takeNodes(tables: GrowingTables, names: NameTable): void {
    const { nodes } = tables;
    for (; this.#nodes < nodes.rows; this.#nodes++) {
      if (nodes.byteEnd[this.#nodes] === 0) this.#later.push(this.#nodes);
      else this.#takeNode(tables, names, this.#nodes);
    }
    this.#find(names);
  }

  #takeNode({ nodes }: GrowingTables, names: NameTable, node: number): void {
    const kind = this.#kinds[nodes.type[node]!]!;
    // The first child of a node stands behind it.
    const isLeaf = node + 1 >= nodes.rows || nodes.parent[node + 1] !== node;
    this.#ofNode[node] = none;
    if (kind !== 'keyword' && !isLeaf) return;
    if (!this.#isEntriesFirst) {
      this.#ask(names, node, true);
      return;
    }
    const same = findAhead(names, this.#next, names.first + node);
    if (same >= 0) {
      this.#ofNode[node] = this.#ofEntry[same]!;
      this.#next = same + 1;
    } else this.#ask(names, names.first + node, kind !== 'group');
  }

  #ask(names: NameTable, name: number, mayBegin: boolean): void {
    this.#asked[this.#count] = name;
    this.#mayBegin[this.#count++] = Number(mayBegin);
    if (this.#count === namesAtATime) this.#find(names);
  }

  #find(names: NameTable): void {
    const asked = this.#asked.subarray(0, this.#count);
    this.#texts!.find(names, asked, this.#mayBegin, this.#firsts);
    const [ofFirst, ofSecond] = this.#isEntriesFirst ? [this.#ofEntry, this.#ofNode] : [this.#ofNode, this.#ofEntry];
    for (let index = 0; index < asked.length; index++) {
      const name = asked[index]!;
      const first = this.#firsts[index]!;
      if (name < names.first) ofFirst[name] = first;
      // A group has the text of an entry, or none.
      else ofSecond[name - names.first] = this.#mayBegin[index] === 0 && first >= names.first ? none : first;
    }
    this.#count = 0;
  }
}

/** {@link KeywordJoin} of tables that are there. */
export function joinKeywords(tables: UploadTables, key: HashKey, namesOf?: NamesOf): KeywordNumbers {
  return new KeywordJoin(key, undefined, namesOf).finish(tables);
}

type NamesOf = (
  ...tables: ConstructorParameters<typeof NameTable> extends [infer One, infer Other, ...unknown[]]
    ? [One, Other]
    : never
) => NameTable;

const none = -1;
/** Entries that are passed over at most, for those that no node names. */
const lookAhead = 4;

/** The entry among the next few that has the node's name letter by letter, -1 for none. */
function findAhead(names: NameTable, next: number, node: number): number {
  const end = Math.min(next + lookAhead, names.first);
  for (let entry = next; entry < end; entry++) if (names.isSameName(entry, node)) return entry;
  return none;
}

/** With the rows before, where there is no room for so many. */
function longer(column: Int32Array<ArrayBuffer>, rows: number, before: number): Int32Array<ArrayBuffer> {
  if (column.length >= rows) return column;
  const made = new Int32Array(rows);
  made.set(column.subarray(0, before));
  release(column);
  return made;
}

type Kind = 'keyword' | 'group' | 'unknown';

/** What a node type says about the node; types we do not know say nothing. */
function kindOf(type: string): Kind {
  const name = type.trim().toLowerCase();
  if (name === 'keyword' || name === 'keywords') return 'keyword';
  return groupTypes.has(name) ? 'group' : 'unknown';
}

const groupTypes = new Set([
  'root',
  'pillar_topic',
  'pillar',
  'parent',
  'parent_topic',
  'subtopic',
  'topic',
  'cluster',
]);
