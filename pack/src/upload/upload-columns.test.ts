import { expect, test } from 'vitest';
import { GrowingTable } from './upload-columns.ts';

/** More than one block of 65,536 rows, and not a multiple of it. */
const rows = 150_000;

test('rows of many blocks are read back where they were written, with metrics where known', () => {
  const table = new GrowingTable(true);
  const name = new TextEncoder().encode('name 0 to 9');
  for (let row = 0; row < rows; row++) {
    table.open(10 * row);
    table.parent[row] = row >> 1;
    table.setName(row, name, row % 7, 8 + (row % 3));
    if (row % 1000 === 7 || row > 140_000) table.setMetric(row, 'volume', row);
    if (row === 70_000) table.addIntents(row, 4);
    table.close(row, 10 * row + 9);
  }
  const flat = table.finish();
  expect(flat.rows).toBe(rows);
  for (const row of [0, 1, 1023, 1024, 65_535, 65_536, 131_071, 131_072, rows - 1]) {
    const start = flat.nameStart[row]!;
    const text = new TextDecoder().decode(flat.names.subarray(start, start + flat.nameLength[row]!));
    expect([row, text, flat.byteStart[row], flat.byteEnd[row], flat.parent[row]]).toEqual([
      ...[row, 'name 0 to 9'.slice(row % 7, 8 + (row % 3)), 10 * row],
      ...[10 * row + 9, row >> 1],
    ]);
  }
  const known = [...flat.metrics.volume!.entries()].filter(([, volume]) => !Number.isNaN(volume));
  expect(known.every(([row, volume]) => row === volume && (row % 1000 === 7 || row > 140_000))).toBe(true);
  expect(known).toHaveLength(141 - 1 + (rows - 140_001) - 0);
  expect([...flat.metrics.intent!.entries()].filter(([, bits]) => bits > 0)).toEqual([[70_000, 4]]);
  expect(Object.keys(flat.metrics)).toEqual(['volume', 'intent']);
});
