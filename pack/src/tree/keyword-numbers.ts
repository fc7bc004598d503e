import { release } from '../upload/release.ts';

/** Which nodes are keywords, and which entry of the `keywords` array each of them is. */
export type KeywordNumbers = {
  /** Per node: the number of its keyword, the same for the same text; -1 where the node is no keyword. */
  readonly keyword: Int32Array;
  /** Per distinct keyword: the first entry of the `keywords` array with its text; -1 for one that only nodes name. */
  readonly entry: Int32Array;
  /** The first entries of the keywords that no node names, in the order of the file. */
  readonly unplaced: Uint32Array;
  /** Undefined where no entry repeats one before it. */
  readonly repeats: RepeatedEntries | undefined;
};

/**
 * Entries that have the text of one before them, in the order of the file: those of the first entry `e` are
 * `later[start[e]]` up to `later[start[e + 1]]`. Memory: 4 bytes an entry and 4 a repeated one.
 */
export type RepeatedEntries = { readonly start: Uint32Array; readonly later: Uint32Array };

/**
 * Gives each text a number, in the order of the entries and then of the nodes.
 *
 * @param ofEntry by entry, the first one with its text; becomes its number
 * @param keyword by node, an entry with its text; a node with it, counted from behind the entries, where no entry has it;
 *   -1 for none. Becomes its number
 */
export function numberKeywords(ofEntry: Int32Array, keyword: Int32Array): KeywordNumbers {
  const entries = ofEntry.length;
  let size = 0;
  for (let row = 0; row < entries; row++) ofEntry[row] = ofEntry[row] === row ? size++ : ofEntry[ofEntry[row]!]!;
  const isPlaced = new Uint8Array(size);
  // Numbers of nodes further on, given to one before them: rare.
  const given = new Map<number, number>();
  for (let node = 0; node < keyword.length; node++) {
    const first = keyword[node]!;
    if (first < 0) continue;
    const other = first - entries;
    if (first < entries) {
      isPlaced[ofEntry[first]!] = 1;
      keyword[node] = ofEntry[first]!;
    } else if (other < node) keyword[node] = keyword[other]!;
    else {
      const number = given.get(other) ?? size++;
      if (other > node) given.set(other, number);
      keyword[node] = number;
    }
  }
  const entry = new Int32Array(size).fill(-1);
  for (let row = entries - 1; row >= 0; row--) entry[ofEntry[row]!] = row;
  const isUnplaced = (row: number) => isPlaced[ofEntry[row]!] === 0 && entry[ofEntry[row]!] === row;
  return {
    keyword,
    entry,
    unplaced: rowsWhere(entries, isUnplaced),
    // Each text that entries have was counted in `isPlaced`.
    repeats: isPlaced.length < entries ? repeatsOf(ofEntry, entry) : undefined,
  };
}

/**
 * Makes of texts that were begun by nodes ones that are begun by entries, as {@link numberKeywords} wants them.
 *
 * @param ofEntry by entry, the first name with its text: a node, or an entry, counted from behind the nodes
 * @param ofNode by node, the first node with its text; -1 for none
 * @param isGroup whether a node is no keyword where only nodes have its text
 */
export function beginWithEntries(ofEntry: Int32Array, ofNode: Int32Array, isGroup: (node: number) => boolean): void {
  const nodes = ofNode.length;
  const entries = ofEntry.length;
  // By the node that began a text: its first entry, or below -1 its first node that is no group.
  const begins = new Int32Array(nodes).fill(-1);
  for (let row = 0; row < entries; row++) {
    const first = ofEntry[row]!;
    if (first < nodes && begins[first]! < 0) begins[first] = row;
    ofEntry[row] = first < nodes ? begins[first]! : first - nodes;
  }
  for (let node = 0; node < nodes; node++) {
    const first = ofNode[node]!;
    if (first < 0) continue;
    if (begins[first] === -1 && !isGroup(node)) begins[first] = -2 - node;
    const begun = begins[first]!;
    if (begun >= 0) ofNode[node] = begun;
    else ofNode[node] = isGroup(node) ? -1 : entries - 2 - begun;
  }
}

/** @param ofEntry by entry, its number; @param entry by number, its first entry */
function repeatsOf(ofEntry: Int32Array, entry: Int32Array): RepeatedEntries {
  const start = new Uint32Array(ofEntry.length + 1);
  for (let row = 0; row < ofEntry.length; row++) {
    const first = entry[ofEntry[row]!]!;
    if (first !== row) start[first + 1]! += 1;
  }
  for (let row = 0; row < ofEntry.length; row++) start[row + 1]! += start[row]!;
  const later = new Uint32Array(start[ofEntry.length]!);
  const next = start.slice(0, ofEntry.length);
  for (let row = 0; row < ofEntry.length; row++) {
    const first = entry[ofEntry[row]!]!;
    if (first !== row) later[next[first]!++] = row;
  }
  release(next);
  return { start, later };
}

function rowsWhere(rows: number, isWanted: (row: number) => boolean): Uint32Array {
  let count = 0;
  for (let row = 0; row < rows; row++) if (isWanted(row)) count++;
  const found = new Uint32Array(count);
  let next = 0;
  for (let row = 0; next < count; row++) if (isWanted(row)) found[next++] = row;
  return found;
}
