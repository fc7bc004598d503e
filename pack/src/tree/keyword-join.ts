import type { HashKey } from '../names/hash-key.ts';
import { release } from '../upload/release.ts';
import type { UploadTables } from '../upload/upload-tables.ts';
import { NameTable } from './name-table.ts';
import { findSameNames } from './same-names.ts';

/** Which nodes are keywords, and which entry of the `keywords` array each of them is. */
export type KeywordJoin = {
  /** Per node: the number of its keyword, the same for the same text; -1 where the node is no keyword. */
  readonly keyword: Int32Array;
  /** Per distinct keyword: the first entry of the `keywords` array with its text; -1 for one that only nodes name. */
  readonly entry: Int32Array;
  /** Entries of the `keywords` array that no node names, in the order of the file. */
  readonly unplaced: Uint32Array;
};

/**
 * Joins nodes and keywords by text: NFC, case folded, blanks collapsed.
 *
 * A node is a keyword when its type says so, or when it is a leaf that has no type, one we do not know, or the text
 * of an entry of the `keywords` array. A leaf that is typed as a group and matches nothing is an empty group.
 * Where nodes have the names of entries in their order, as files often do, the nodes are not hashed at all. Names that
 * are joined by their hashes are compared, so a collision costs time and never gives a wrong join.
 * Cost: at most one hash a leaf and an entry. Source: decisions §4.4.
 *
 * @param names of the entries and the nodes; another one for tests
 */
export function joinKeywords(
  tables: UploadTables,
  isLeaf: (node: number) => boolean,
  key: HashKey,
  names = new NameTable(tables.keywords, tables.nodes),
): KeywordJoin {
  const { nodes, keywords, types } = tables;
  const kinds = types.map(kindOf);
  const entries = keywords.rows;
  // By name: the first name of its text, itself for that one; -1 for none.
  const ofEntry = new Int32Array(entries);
  const keyword = new Int32Array(nodes.rows).fill(none);
  const asked = new Uint32Array(nodes.rows);
  let askedNodes = 0;
  let next = 0;
  for (let node = 0; node < nodes.rows; node++) {
    if (kinds[nodes.type[node]!] !== 'keyword' && !isLeaf(node)) continue;
    const same = findAhead(names, next, entries + node);
    if (same >= 0) {
      keyword[node] = same;
      next = same + 1;
    } else asked[askedNodes++] = node;
  }
  const placed = {
    count: entries + askedNodes,
    at: (index: number) => (index < entries ? index : entries + asked[index - entries]!),
  };
  const find = (isSure: boolean) =>
    findSameNames(
      names,
      placed,
      key,
      (name) => name < entries || !isGroup(name - entries),
      isSure,
      (name, first) => {
        if (name < entries) ofEntry[name] = first;
        // A leaf that is typed as a group is none where only nodes have its text.
        else keyword[name - entries] = isGroup(name - entries) && first >= entries ? none : first;
      },
    );
  find(false);
  if (!isRight(names, ofEntry, keyword, asked.subarray(0, askedNodes))) find(true);
  release(asked);
  return number(ofEntry, keyword);

  function isGroup(node: number): boolean {
    return kinds[nodes.type[node]!] === 'group';
  }
}

const none = -1;
/** Entries that are passed over at most, for those that no node names. */
const lookAhead = 4;

/** The entry among the next few that has the node's name letter by letter, -1 for none. */
function findAhead(names: NameTable, next: number, node: number): number {
  const end = Math.min(next + lookAhead, names.first);
  for (let entry = next; entry < end; entry++) if (names.isSameName(entry, node)) return entry;
  return none;
}

/** Whether names that were found to be the same by their hashes are, one by one. */
function isRight(names: NameTable, ofEntry: Int32Array, keyword: Int32Array, asked: Uint32Array): boolean {
  const entries = ofEntry.length;
  for (let row = 0; row < entries; row++) {
    if (ofEntry[row] !== row && !names.isSameText(ofEntry[row]!, row)) return false;
  }
  for (const node of asked) {
    const first = keyword[node]!;
    if (first >= 0 && first !== entries + node && !names.isSameText(first, entries + node)) return false;
  }
  return true;
}

/** Gives each text a number, in the order of the entries and then of the nodes. @param ofEntry becomes the entries' */
function number(ofEntry: Int32Array, keyword: Int32Array): KeywordJoin {
  const entries = ofEntry.length;
  let size = 0;
  for (let row = 0; row < entries; row++) ofEntry[row] = ofEntry[row] === row ? size++ : ofEntry[ofEntry[row]!]!;
  const isPlaced = new Uint8Array(size);
  for (let node = 0; node < keyword.length; node++) {
    const first = keyword[node]!;
    if (first < 0) continue;
    if (first < entries) isPlaced[ofEntry[first]!] = 1;
    keyword[node] = first < entries ? ofEntry[first]! : first === entries + node ? size++ : keyword[first - entries]!;
  }
  const entry = new Int32Array(size).fill(-1);
  for (let row = entries - 1; row >= 0; row--) entry[ofEntry[row]!] = row;
  return { keyword, entry, unplaced: rowsWhere(entries, (row) => isPlaced[ofEntry[row]!] === 0) };
}

/** What a node type says about the node; types we do not know say nothing. */
function kindOf(type: string): 'keyword' | 'group' | 'unknown' {
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

function rowsWhere(rows: number, isWanted: (row: number) => boolean): Uint32Array {
  let count = 0;
  for (let row = 0; row < rows; row++) if (isWanted(row)) count++;
  const found = new Uint32Array(count);
  let next = 0;
  for (let row = 0; row < rows; row++) if (isWanted(row)) found[next++] = row;
  return found;
}
