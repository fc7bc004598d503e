import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import type { GrowingTables, UploadTables } from '../upload/upload-tables.ts';
import { Addresses } from './addresses.ts';
import { FoldLengths, isUnfolded } from './fold-lengths.ts';
import { KeywordJoin } from './keyword-join.ts';

/**
 * The tables when the given numbers of nodes and entries have started. Nodes whose descendants are still missing are
 * open, and the last node may be open; the names of open nodes arrive early or late.
 */
function growing(tables: UploadTables, rows: number, entries: number, late: readonly boolean[]): GrowingTables {
  const { nodes, keywords, types } = tables;
  const byteEnd = nodes.byteEnd.slice();
  const nameLength = nodes.nameLength.slice();
  const open = rows < nodes.rows ? pathTo(nodes.parent, rows) : [];
  if (late[rows % late.length] && rows < nodes.rows) open.push(rows - 1);
  for (const node of open) {
    byteEnd[node] = 0;
    if (late[node % late.length]) nameLength[node] = 0;
  }
  return { nodes: { ...nodes, rows, byteEnd, nameLength }, keywords: { ...keywords, rows: entries }, types };
}

/** The ancestors of a node. */
function pathTo(parent: Uint32Array, node: number): number[] {
  const path: number[] = [];
  for (let above = node; above > 0; ) {
    above = parent[above]!;
    path.push(above);
  }
  return path;
}

/** All states while a file arrives in which one table precedes the other. */
function states(tables: UploadTables, isEntriesFirst: boolean, late: readonly boolean[]): GrowingTables[] {
  const nodes = Array.from({ length: tables.nodes.rows }, (_, row) => row + 1);
  const entries = Array.from({ length: tables.keywords.rows }, (_, row) => row + 1);
  if (isEntriesFirst) {
    return [
      ...entries.map((row) => growing(tables, 0, row, late)),
      ...nodes.map((row) => growing(tables, row, tables.keywords.rows, late)),
    ];
  }
  return [
    ...nodes.map((row) => growing(tables, row, 0, late)),
    ...entries.map((row) => growing(tables, tables.nodes.rows, row, late)),
  ];
}

const uploads = fc.record({
  tables: tablesArbitrary,
  isEntriesFirst: fc.boolean(),
  late: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
  every: fc.integer({ min: 1, max: 9 }),
});

test('joining row by row gives the same as joining the whole file, whichever table comes first', () => {
  fc.assert(
    fc.property(uploads, ({ tables: made, isEntriesFirst, late, every }) => {
      const { keywords } = made;
      const byteStart = keywords.byteStart.map((byte) => (isEntriesFirst ? 0 : byte));
      const tables = { ...made, keywords: { ...keywords, byteStart } };
      const join = new KeywordJoin([1, 2]);
      for (const [index, state] of states(tables, isEntriesFirst, late).entries())
        if (index % every === 0) join.advance(state);
      // The order of the tables in the file makes no difference.
      expect(join.finish(tables)).toEqual(new KeywordJoin([3, 4]).finish(made));
    }),
    { numRuns: sampled(1000) },
  );
});

test('node IDs computed while nodes arrive are those of the whole tree, including repeated names', () => {
  fc.assert(
    fc.property(uploads, fc.boolean(), ({ tables, late, every }, isRenamed) => {
      const addresses = new Addresses();
      for (const [index, { nodes }] of states(tables, false, late).entries()) {
        if (index % every > 0) continue;
        const nameStart = nodes.nameStart.map((start, node) => (isRenamed && nodes.byteEnd[node] === 0 ? 0 : start));
        addresses.advance({ ...nodes, nameStart });
      }
      expect(addresses.finish(tables.nodes)).toEqual(new Addresses().finish(tables.nodes));
    }),
    { numRuns: sampled(1000) },
  );
});

test('fold lengths computed while nodes arrive are those of the whole tree, including names that arrive late', () => {
  fc.assert(
    fc.property(uploads, ({ tables, late, every }) => {
      const folds = new FoldLengths();
      for (const [index, { nodes }] of states(tables, false, late).entries())
        if (index % every === 0) folds.advance(nodes);
      const found = folds.finish(tables.nodes);
      expect(found).toEqual(new FoldLengths().finish(tables.nodes));
      const { names, nameStart, nameLength } = tables.nodes;
      for (const [node, length] of found.length.entries()) {
        const name = new TextDecoder().decode(names.subarray(nameStart[node]!, nameStart[node]! + nameLength[node]!));
        // These names differ from their fold: "a" is one byte, "é" is two.
        expect(length).toBe(['A', 'é', 'É'].includes(name) ? 1 : isUnfolded);
      }
    }),
    { numRuns: sampled(1000) },
  );
});
