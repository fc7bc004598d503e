import type { EntryColumns, UploadTables } from '../pack/src/upload/upload-tables.ts';

/** The number of the type of keywords. */
const keyword = 4;

/**
 * Builds the tables of an upload with so many nodes directly, without JSON: pillars of clusters of keywords, with sizes
 * and volumes distributed as in real research, and a few clusters with many keywords. The same number gives the same
 * tables.
 */
export function makeTables(nodes: number): UploadTables {
  const random = randomFrom(nodes);
  const parent = new Uint32Array(nodes);
  const type = new Uint16Array(nodes);
  let pillar = 0;
  let cluster = 0;
  let left = 0;
  for (let node = 1; node < nodes; node++) {
    if (left === 0) {
      if (pillar === 0 || random() < 0.1) {
        pillar = node++;
        type[pillar] = 2;
      }
      if (node === nodes) break;
      cluster = node;
      parent[cluster] = pillar;
      type[cluster] = 3;
      left = 1 + Math.floor(2000 * random() ** 6);
      continue;
    }
    parent[node] = cluster;
    type[node] = keyword;
    left--;
  }
  return {
    types: ['', 'root', 'pillar_topic', 'cluster', 'keyword'],
    bytes: 100 * nodes,
    nodes: { ...entries(nodes, random), parent, type },
    keywords: entries(0, random),
  };
}

/** The same a month later: every fiftieth keyword has another name, and every twentieth at least twice the volume. */
export function makeLaterTables(nodes: number): UploadTables {
  const tables = makeTables(nodes);
  const { type, names, nameStart, metrics } = tables.nodes;
  for (let row = 0; row < nodes; row++) {
    if (type[row] !== keyword) continue;
    if (row % 50 === 0) names[nameStart[row]!] = 'v'.charCodeAt(0);
    if (row % 20 === 1) metrics.volume![row] = 2 * metrics.volume![row]! + 100;
  }
  return tables;
}

function entries(rows: number, random: () => number): EntryColumns {
  const words = Array.from({ length: rows }, (_, row) => `word${Math.floor(1e4 * random())} number ${row}`);
  const nameLength = Uint32Array.from(words, (word) => word.length);
  const nameStart = new Uint32Array(rows);
  for (let row = 1; row < rows; row++) nameStart[row] = nameStart[row - 1]! + nameLength[row - 1]!;
  return {
    rows,
    names: new TextEncoder().encode(words.join('')),
    nameStart,
    nameLength,
    byteStart: Uint32Array.from({ length: rows }, (_, row) => 100 * row),
    byteEnd: Uint32Array.from({ length: rows }, (_, row) => 100 * row + 100),
    metrics: {
      volume: Float64Array.from({ length: rows }, () =>
        random() < 0.1 ? Number.NaN : 10 * Math.floor(5000 * random() ** 8),
      ),
      difficulty: Float32Array.from({ length: rows }, () => 100 * random()),
      cpc: Float32Array.from({ length: rows }, () => 5 * random()),
      competition: Float32Array.from({ length: rows }, random),
      position: new Float32Array(rows).fill(Number.NaN),
      intent: Uint8Array.from({ length: rows }, () => 1 << Math.floor(4 * random())),
    },
  };
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
