import fc from 'fast-check';
import type { UploadTables } from '../../src/upload/upload-tables.ts';
import { entryColumns } from './columns.ts';

const types = ['', 'keyword', 'cluster', 'odd'];

/**
 * Random uploads for property tests: irregular trees with few names, so that keywords repeat and siblings share names,
 * with unknown values everywhere. All entries of the `keywords` array have different texts.
 */
export const tablesArbitrary: fc.Arbitrary<UploadTables> = fc
  .record({
    nodes: fc.array(fc.record({ up: fc.nat(3), entry: entryArbitrary() }), { minLength: 1, maxLength: 40 }),
    keywords: fc.uniqueArray(entryArbitrary(), { maxLength: 12, selector: (entry) => entry.name.toLowerCase() }),
  })
  .map(({ nodes, keywords }) => {
    // Document order: the parent of each node is the previous node or one of its ancestors.
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
        ...entryColumns(
          nodes.map(({ entry }) => entry),
          nodeBytes,
        ),
        parent,
        type,
      },
      keywords: entryColumns(keywords, keywordBytes),
    };
  });

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
