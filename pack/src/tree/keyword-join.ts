import type { HashKey } from '../names/half-sip-hash.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import { grown, release } from '../upload/release.ts';
import type { GrowingTables } from '../upload/upload-tables.ts';
import { beginWithEntries, type KeywordNumbers, numberKeywords } from './keyword-numbers.ts';
import { NameTable } from './name-table.ts';

/**
 * Joins nodes and keywords by text while they arrive: NFC, case folded, white space collapsed.
 *
 * A node is a keyword if its type says so. A leaf is also a keyword if it has no type, an unknown type, or the text of
 * an entry in the `keywords` array. A leaf with a group type that matches no entry is an empty group.
 *
 * The table that comes first in the file is put into a text table when the other one starts; names of the other table
 * are then looked up as they arrive. If nodes have the names of entries in the same order, as is common, they are not
 * hashed at all. Names with equal hashes are compared, so a collision costs time but never causes a wrong join.
 * Cost: at most one hash per leaf and per entry; 4 bytes per row, and the text table until all rows have arrived.
 */
export class KeywordJoin {
  readonly #key: HashKey;
  readonly #namesOf: NamesOf;
  #texts: TextTable | undefined;
  #known: NameTable | undefined;
  /** Whether the entries came first in the file. */
  #isEntriesFirst = false;
  /**
   * By row: the number of the first name with the same text; -1 for none. Names are numbered through both tables, beginning with the one
   * that came first in the file.
   */
  #ofEntry = new Int32Array(0);
  #ofNode = new Int32Array(0);
  #entries = 0;
  #nodes = 0;
  /** The entry after the last match. */
  #next = 0;
  /** The number of nodes since then whose name is not that of one of the next entries. */
  #misses = 0;
  /** Nodes that were still open when they were reached. */
  readonly #later: number[] = [];
  #kinds: Kind[] = [];
  readonly #pending = new Uint32Array(namesAtATime);
  readonly #mayBegin = new Uint8Array(namesAtATime);
  readonly #firsts = new Int32Array(namesAtATime);
  #count = 0;

  /** @param namesOf replaceable for tests */
  constructor(key: HashKey, loop?: NameLoop, namesOf: NamesOf = (first, second) => new NameTable(first, second, loop)) {
    this.#key = key;
    this.#namesOf = namesOf;
  }

  /** Processes the rows that have arrived, once the first table is complete. */
  advance(tables: GrowingTables): void {
    const { nodes, keywords } = tables;
    const isWhole = keywords.rows > 0 ? nodes.rows > 0 : nodes.rows > 0 && nodes.byteEnd[0]! > 0;
    if (isWhole) this.#take(tables);
  }

  /** Call when all rows have arrived. The join cannot be used afterwards. */
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
    // One instance for all rows, because it caches the folds of letters.
    if (this.#known) this.#known.follow(first, second);
    else this.#known = this.#namesOf(first, second);
    return this.#known;
  }

  #take(tables: GrowingTables): void {
    const { nodes, keywords } = tables;
    this.#ofEntry = grown(this.#ofEntry, Int32Array, keywords.byteStart.length, this.#entries);
    this.#ofNode = grown(this.#ofNode, Int32Array, nodes.byteStart.length, this.#nodes);
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
    for (; this.#entries < end; this.#entries++) this.#enqueue(names, offset + this.#entries, true);
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
    // The first child of a node directly follows it.
    const isLeaf = node + 1 >= nodes.rows || nodes.parent[node + 1] !== node;
    this.#ofNode[node] = none;
    if (kind !== 'keyword' && !isLeaf) return;
    if (!this.#isEntriesFirst) {
      this.#enqueue(names, node, true);
      return;
    }
    const same = this.#misses < maxMisses ? findAhead(names, this.#next, names.first + node) : none;
    if (same >= 0) {
      this.#ofNode[node] = this.#ofEntry[same]!;
      this.#continueAfter(same);
    } else {
      this.#misses++;
      this.#enqueue(names, names.first + node, kind !== 'group');
    }
  }

  #continueAfter(entry: number): void {
    this.#next = entry + 1;
    this.#misses = 0;
  }

  #enqueue(names: NameTable, name: number, mayBegin: boolean): void {
    this.#pending[this.#count] = name;
    this.#mayBegin[this.#count++] = Number(mayBegin);
    if (this.#count === namesAtATime) this.#find(names);
  }

  #find(names: NameTable): void {
    const pending = this.#pending.subarray(0, this.#count);
    this.#texts!.find(names, pending, this.#mayBegin, this.#firsts);
    const [ofFirst, ofSecond] = this.#isEntriesFirst ? [this.#ofEntry, this.#ofNode] : [this.#ofNode, this.#ofEntry];
    for (let index = 0; index < pending.length; index++) {
      const name = pending[index]!;
      const first = this.#firsts[index]!;
      if (name < names.first) ofFirst[name] = first;
      // A group matches the text of an entry or nothing.
      else ofSecond[name - names.first] = this.#mayBegin[index] === 0 && first >= names.first ? none : first;
    }
    // The next nodes may follow the entries from there, for example in another cluster.
    const last = pending.length > 0 ? this.#firsts[pending.length - 1]! : none;
    if (this.#isEntriesFirst && pending.at(-1)! >= names.first && last >= 0 && last < names.first)
      this.#continueAfter(last);
    this.#count = 0;
  }
}

type NamesOf = (
  ...tables: ConstructorParameters<typeof NameTable> extends [infer One, infer Other, ...unknown[]]
    ? [One, Other]
    : never
) => NameTable;

const none = -1;
/** The number of next entries among which the name of a node is sought before it is hashed. */
const lookAhead = 4;
/** If this many nodes in a row are in another order than the entries, the next ones of the batch probably are, too. */
const maxMisses = 32;

/** The entry among the next few whose name has the same bytes as the node's; -1 if there is none. */
function findAhead(names: NameTable, next: number, node: number): number {
  const end = Math.min(next + lookAhead, names.first);
  for (let entry = next; entry < end; entry++) if (names.isSameName(entry, node)) return entry;
  return none;
}

type Kind = 'keyword' | 'group' | 'unknown';

/** What a node type says about the node; unknown types say nothing. */
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

/** The number of names that are hashed and looked up at a time. */
const namesAtATime = 4096;
/** The number of names whose memory is loaded ahead of the comparison: what they touch fits into a small cache. */
const prefetched = 256;
/** The maximum load factor. */
const fullest = 0.8;

/**
 * Finds the first name with each text, by the keyed 64-bit hash of the text key. The low bits select the slot; the high
 * bits are compared before the names.
 *
 * Names are looked up by the thousand, so that many memory accesses overlap.
 * Cost: one hash per name; 8 bytes per slot, 1.25 to 3 slots per text.
 */
export class TextTable {
  readonly #key: HashKey;
  /** Two words per slot: the high half of the hash, and the name plus one, or 0 if the slot is empty. */
  #places: Uint32Array;
  #mask: number;
  #count = 0;

  /** @param texts the expected number of texts; the table grows beyond it */
  constructor(key: HashKey, texts: number) {
    const places = placesFor(texts);
    this.#key = key;
    this.#places = new Uint32Array(2 * places);
    this.#mask = places - 1;
  }

  /**
   * Writes for each name the first name with its text, which may be the name itself; -1 if there is none.
   *
   * @param wanted ascending name numbers
   * @param mayBegin 1 for a name that may be added as the first of its text, 0 for one that is only looked up
   */
  find(names: NameTable, wanted: Uint32Array, mayBegin: Uint8Array, firsts: Int32Array): void {
    const hashes = this.#hash(names, wanted);
    if (this.#count + wanted.length > fullest * (this.#mask + 1)) this.#grow(names, wanted.length);
    for (let from = 0; from < wanted.length; from += prefetched) {
      this.#findBatch(names, wanted, mayBegin, firsts, hashes, from, Math.min(from + prefetched, wanted.length));
    }
  }

  #findBatch(
    names: NameTable,
    wanted: Uint32Array,
    mayBegin: Uint8Array,
    firsts: Int32Array,
    hashes: Uint32Array,
    from: number,
    end: number,
  ): void {
    const places = this.#places;
    const mask = this.#mask;
    // The iterations of these loops are independent, so slots and names are in the processor cache for the last one.
    for (let index = from; index < end; index++) firsts[index] = places[2 * (hashes[2 * index]! & mask) + 1]! - 1;
    names.prefetch(firsts, from, end);
    for (let index = from; index < end; index++) {
      const high = hashes[2 * index + 1]!;
      const name = wanted[index]!;
      let place = hashes[2 * index]! & mask;
      let first = -1;
      for (let other = places[2 * place + 1]!; other > 0; other = places[2 * place + 1]!) {
        if (places[2 * place] === high && names.isSameText(other - 1, name)) {
          first = other - 1;
          break;
        }
        place = (place + 1) & mask;
      }
      if (first < 0 && mayBegin[index] === 1) {
        places[2 * place] = high;
        places[2 * place + 1] = name + 1;
        this.#count++;
        first = name;
      }
      firsts[index] = first;
    }
  }

  /** Frees the memory. The table cannot be used afterwards. */
  release(): void {
    release(this.#places);
  }

  #hash(names: NameTable, wanted: Uint32Array): Uint32Array {
    return names.hashAll({ count: wanted.length, at: (index) => wanted[index]! }, this.#key);
  }

  /** Slots contain only half of each hash, so all names are hashed again. */
  #grow(names: NameTable, more: number): void {
    const before = this.#places;
    const all = new Uint32Array(this.#count);
    let count = 0;
    for (let at = 1; at < before.length; at += 2) if (before[at]! > 0) all[count++] = before[at]! - 1;
    all.sort();
    const size = placesFor(2 * (count + more));
    const places = new Uint32Array(2 * size);
    for (let from = 0; from < count; from += namesAtATime) {
      const some = all.subarray(from, from + namesAtATime);
      const hashes = this.#hash(names, some);
      for (let index = 0; index < some.length; index++) {
        let place = hashes[2 * index]! & (size - 1);
        while (places[2 * place + 1]! > 0) place = (place + 1) & (size - 1);
        places[2 * place] = hashes[2 * index + 1]!;
        places[2 * place + 1] = some[index]! + 1;
      }
    }
    this.#places = places;
    this.#mask = size - 1;
  }
}

/** A power of two, at least one and a half times the number of texts. */
const placesFor = (texts: number): number => 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * texts + 1)));
