import { release } from '../upload/release.ts';

/** Which nodes are keywords, and their entries in the `keywords` array. */
export type KeywordNumbers = {
  /** By node: the number of its keyword, equal for equal texts; -1 if the node is not a keyword. */
  readonly keyword: Int32Array;
  /** By distinct keyword: the first entry of the `keywords` array with its text; -1 if only nodes name it. */
  readonly entry: Int32Array;
  /** The first entries of the keywords that no node names, in file order. */
  readonly unplaced: Uint32Array;
  /** Undefined if no entry repeats an earlier one. */
  readonly repeats: RepeatedEntries | undefined;
};

/**
 * Entries with the text of an earlier entry, in file order. Those of the first entry `e` are `later[start[e]]` up to
 * `later[start[e + 1]]`.
 * Memory: 4 bytes per entry and 4 per repeated entry.
 */
export type RepeatedEntries = { readonly start: Uint32Array; readonly later: Uint32Array };

/**
 * Assigns a number to each text, in the order of the entries and then of the nodes.
 *
 * @param ofEntry by entry, the first entry with the same text. Overwritten with the keyword number.
 * @param keyword by node, an entry with its text; if there is none, a node with its text, numbered after the entries;
 *   -1 for no keyword. Overwritten with the keyword number.
 */
export function numberKeywords(ofEntry: Int32Array, keyword: Int32Array): KeywordNumbers {
  const entries = ofEntry.length;
  let size = 0;
  for (let row = 0; row < entries; row++) ofEntry[row] = ofEntry[row] === row ? size++ : ofEntry[ofEntry[row]!]!;
  const isPlaced = new Uint8Array(size);
  // Rare: a number assigned to an earlier node than the one that its text refers to.
  const assigned = new Map<number, number>();
  for (let node = 0; node < keyword.length; node++) {
    const first = keyword[node]!;
    if (first < 0) continue;
    const other = first - entries;
    if (first < entries) {
      isPlaced[ofEntry[first]!] = 1;
      keyword[node] = ofEntry[first]!;
    } else if (other < node) keyword[node] = keyword[other]!;
    else {
      const number = assigned.get(other) ?? size++;
      if (other > node) assigned.set(other, number);
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
    // `isPlaced` has one element per distinct text of the entries.
    repeats: isPlaced.length < entries ? repeatsOf(ofEntry, entry) : undefined,
  };
}

/**
 * Converts texts that start with a node into texts that start with an entry, as {@link numberKeywords} expects.
 *
 * @param ofEntry by entry, the first name with its text: a node, or an entry, numbered after the nodes
 * @param ofNode by node, the first node with its text; -1 for none
 * @param isGroup whether a node is not a keyword if only nodes have its text
 */
export function beginWithEntries(ofEntry: Int32Array, ofNode: Int32Array, isGroup: (node: number) => boolean): void {
  const nodes = ofNode.length;
  const entries = ofEntry.length;
  // By the first node with a text: the first entry with it, or, as a number below -1, the first node that is not a
  // group.
  const beginnings = new Int32Array(nodes).fill(-1);
  for (let row = 0; row < entries; row++) {
    const first = ofEntry[row]!;
    if (first < nodes && beginnings[first]! < 0) beginnings[first] = row;
    ofEntry[row] = first < nodes ? beginnings[first]! : first - nodes;
  }
  for (let node = 0; node < nodes; node++) {
    const first = ofNode[node]!;
    if (first < 0) continue;
    if (beginnings[first] === -1 && !isGroup(node)) beginnings[first] = -2 - node;
    const beginning = beginnings[first]!;
    if (beginning >= 0) ofNode[node] = beginning;
    else ofNode[node] = isGroup(node) ? -1 : entries - 2 - beginning;
  }
}

/** @param ofEntry the keyword number of each entry; @param entry the first entry of each number */
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
