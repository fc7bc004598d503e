import fc from 'fast-check';
import type { EntryColumns, UploadTables } from './upload-tables.ts';

const types = ['', 'keyword', 'cluster', 'odd'];

/**
 * Random uploads for property tests: ragged trees of few names, so that keywords repeat and siblings share names, with
 * unknown values everywhere. No two entries of the `keywords` array have the same text.
 */
export const tablesArbitrary: fc.Arbitrary<UploadTables> = fc
  .record({
    nodes: fc.array(fc.record({ up: fc.nat(3), entry: entryArbitrary() }), { minLength: 1, maxLength: 40 }),
    keywords: fc.uniqueArray(entryArbitrary(), { maxLength: 12, selector: (entry) => entry.name.toLowerCase() }),
  })
  .map(({ nodes, keywords }) => {
    // Document order: each node hangs under the one before it or under an ancestor of that one.
    const parent = new Uint32Array(nodes.length);
    for (let node = 1; node < nodes.length; node++) {
      let above = node - 1;
      for (let step = nodes[node]!.up; step > 0; step--) above = parent[above]!;
      parent[node] = above;
    }
    const type = Uint16Array.from(nodes, ({ entry }) => types.indexOf(entry.type));
    const nodeBytes = 1;
    const keywordBytes = nodeBytes + 10 * nodes.length;
    return {
      types,
      bytes: keywordBytes + 10 * keywords.length,
      nodes: {
        ...columnsOf(
          nodes.map(({ entry }) => entry),
          nodeBytes,
        ),
        parent,
        type,
      },
      keywords: columnsOf(keywords, keywordBytes),
    };
  });

type Entry = ReturnType<typeof entryArbitrary> extends fc.Arbitrary<infer T> ? T : never;

function entryArbitrary() {
  const value = (max: number) => fc.oneof(fc.constant(Number.NaN), fc.integer({ min: 0, max }));
  return fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'A', 'é', 'É', 'd', 'e', 'f', 'g'),
    type: fc.constantFrom(...types),
    volume: value(1000),
    difficulty: value(100),
    cpc: value(50),
    competition: value(1),
    position: value(100),
    intent: fc.nat(15),
  });
}

function columnsOf(entries: readonly Entry[], firstByte: number): EntryColumns {
  const encoded = entries.map((entry) => new TextEncoder().encode(entry.name));
  const nameStart = new Float64Array(entries.length + 1);
  for (const [row, name] of encoded.entries()) nameStart[row + 1] = nameStart[row]! + name.length;
  const names = new Uint8Array(nameStart[entries.length]!);
  for (const [row, name] of encoded.entries()) names.set(name, nameStart[row]!);
  return {
    rows: entries.length,
    names,
    nameStart: nameStart.slice(0, entries.length),
    nameLength: Uint32Array.from(encoded, (name) => name.length),
    byteStart: Float64Array.from(entries, (_, row) => firstByte + 10 * row),
    byteEnd: Float64Array.from(entries, (_, row) => firstByte + 10 * row + 10),
    metrics: {
      volume: Float64Array.from(entries, (entry) => entry.volume),
      difficulty: Float32Array.from(entries, (entry) => entry.difficulty),
      cpc: Float32Array.from(entries, (entry) => entry.cpc),
      competition: Float32Array.from(entries, (entry) => entry.competition),
      position: Float32Array.from(entries, (entry) => entry.position),
      intent: Uint8Array.from(entries, (entry) => entry.intent),
    },
  };
}
