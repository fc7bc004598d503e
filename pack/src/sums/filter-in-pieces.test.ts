import { beforeAll, expect, test } from 'vitest';
import { arraySink, arraySource, treeOf } from '../../test/support/trees.ts';
import { readFilter } from '../filter/filter-text.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { writePack } from '../write/pack-writer.ts';
import { takeHistogram } from './histogram.ts';

/** Each of the two branches takes more than one piece, and the second repeats the keywords of the first. */
const each = 300_000;
let bytes: Uint8Array;

beforeAll(async () => {
  const run = Array.from({ length: each }, (_, index) => `k${index} ${1 + (index % 3)}`).join(' ');
  const sink = arraySink();
  await writePack(treeOf(`r (a (${run}) b (${run}))`), '00'.repeat(32), sink);
  bytes = sink.bytes();
});

/** A pack without cached results of earlier filters. */
const open = (): Promise<PackReader> => openPack(arraySource(bytes));

function counting() {
  let pauses = 0;
  return {
    pause: async () => {
      pauses++;
    },
    since: () => {
      const counted = pauses;
      pauses = 0;
      return counted;
    },
  };
}

test('runs longer than a piece add up, and duplicates in them count once', async () => {
  const pack = await filterPack(await open(), readFilter('volume-2_')!, counting());
  const third = each / 3;
  expect([...pack.kept.keywords]).toEqual([2 * third, 2 * third, 2 * third]);
  expect([...(await pack.column('volume'))]).toEqual([5 * third, 5 * third, 5 * third]);
  expect([...(await pack.column('repeats'))]).toEqual([2 * third, 0, 0]);
  expect([...(await pack.column('nodes'))]).toEqual([4 * third + 3, 2 * third + 1, 2 * third + 1]);
  const top = (await pack.column('top_keyword'))[0]!;
  expect((await pack.gather('own_volume', Uint32Array.of(top)))![0]).toBe(3);
});

test('a histogram yields between pieces, counts each keyword once, and stops when aborted', async () => {
  const { pause, since } = counting();
  const kept = await filterPack(await open(), readFilter('volume-2_')!);
  for (const [of, known] of [
    ['volume', (2 * each) / 3],
    ['depth', (2 * each) / 3],
    ['type', undefined],
  ] as const) {
    const found = await takeHistogram(kept, of, pause);
    if (known !== undefined) expect(found!.known).toBe(known);
    expect(since(), of).toBeGreaterThan(1);
  }
  // The file has no intents to count; only its keywords are listed.
  expect((await takeHistogram(kept, 'intent', pause))!.known).toBe(0);
  expect(since()).toBeGreaterThan(0);
  const given = new Error('nobody asks any more');
  await expect(takeHistogram(kept, 'volume', () => Promise.reject(given))).rejects.toBe(given);
});

test('duplicates are found in pieces by the first filter, and again after it was aborted', async () => {
  const pack = await open();
  const given = new Error('nobody asks any more');
  let left = 6;
  const pause = async () => {
    if (left-- === 0) throw given;
  };
  await expect(filterPack(pack, readFilter('volume-2_')!, { pause })).rejects.toBe(given);
  const { pause: counted, since } = counting();
  await filterPack(pack, readFilter('volume-2_')!, { pause: counted });
  const ofFirst = since();
  const again = await filterPack(pack, readFilter('volume-2_')!, { pause: counted });
  // Only the first filter finds the duplicates: two passes over the rows and one over the repeats.
  expect(ofFirst - since()).toBeGreaterThan(3);
  expect(again.kept.keywords[0]).toBe((2 * each) / 3);
});
