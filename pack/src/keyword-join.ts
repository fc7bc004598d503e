import { DistinctNames, type HashKey } from './distinct.ts';
import type { UploadTables } from './upload-tables.ts';

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
 * Cost: at most one hash a leaf and an entry. Source: decisions §4.4.
 */
export function joinKeywords(tables: UploadTables, isLeaf: (node: number) => boolean, key: HashKey): KeywordJoin {
  const { nodes, keywords, types } = tables;
  const texts = new DistinctNames(keywords, nodes, key);
  const kinds = types.map(kindOf);
  const entryKeyword = texts.addFirst();
  const ofEntries = texts.size;
  const keyword = new Int32Array(nodes.rows).fill(-1);
  const isPlaced = new Uint8Array(ofEntries);
  for (let node = 0; node < nodes.rows; node++) {
    const kind = kinds[nodes.type[node]!];
    if (kind !== 'keyword' && !isLeaf(node)) continue;
    const isGroup = kind === 'group';
    const id = isGroup ? texts.find(node) : texts.add(node);
    if (isGroup && id >= ofEntries) continue;
    keyword[node] = id;
    if (id >= 0 && id < ofEntries) isPlaced[id] = 1;
  }
  const entry = new Int32Array(texts.size).fill(-1);
  texts.release();
  for (let row = keywords.rows - 1; row >= 0; row--) entry[entryKeyword[row]!] = row;
  return { keyword, entry, unplaced: rowsWhere(keywords.rows, (row) => isPlaced[entryKeyword[row]!] === 0) };
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
