import { noPause } from '@kc/pack/format/in-pieces';
import { cacheUsageOf, releasePack } from '@kc/pack/format/once-per-pack';
import { openPack, type PackReader } from '@kc/pack/format/pack-reader';
import { arraySink, treeOf } from '@kc/pack/test/support/trees';
import { defaultThresholds } from '@kc/pack/vocabulary/changes';
import { writePack } from '@kc/pack/write/pack-writer';
import { expect, test } from 'vitest';
import { createMemoryStorage } from '../../../test/support/memory-storage.ts';
import { newKey } from '../../storage/storage.ts';
import { createComparisons } from './comparisons.ts';
import { createOpenPacks } from './open-packs.ts';

/** The keys of packs with so many keywords each. */
async function storedPacks(counts: readonly number[]) {
  const storage = createMemoryStorage();
  const keys: string[] = [];
  for (const count of counts) {
    const keywords = Array.from({ length: count }, (_, nth) => `keyword${nth} ${nth + 1}`);
    const sink = arraySink();
    await writePack(treeOf(`root (${keywords.join(' ')})`), '00'.repeat(32), sink);
    const key = newKey('pack');
    await (await storage.append(key, 0)).write(sink.bytes());
    keys.push(key);
  }
  return { storage, keys };
}

test('when one of two packs is closed, nothing is left of their comparison', async () => {
  const { storage, keys } = await storedPacks([3, 2, 1]);
  const [after, before, other] = keys as [string, string, string];
  const packs = createOpenPacks(
    storage,
    (source) => openPack(source),
    () => 1,
    2,
    undefined,
    undefined,
    releasePack,
  );
  const comparisons = createComparisons(undefined);
  const compared = () =>
    packs.use(after, (later) =>
      packs.use(before, async (earlier) => ({
        later,
        earlier,
        changes: await comparisons.find(later, earlier, defaultThresholds, noPause),
      })),
    );
  const first = await compared();
  expect(first.changes.counts('keywords').new).toBe(1);
  // Asked again while both are open, it is the same one.
  expect((await compared()).changes).toBe(first.changes);
  expect(cacheUsageOf(first.earlier).bytes).toBeGreaterThan(0);
  const ofLater = cacheUsageOf(first.later).results;
  await packs.use(after, () => undefined);
  // There is room for two packs, and the earlier one was used longest ago.
  await packs.use(other, () => undefined);
  expect(cacheUsageOf(first.earlier)).toEqual({ results: 0, bytes: 0 });
  expect(cacheUsageOf(first.later).results).toBeLessThan(ofLater);
  const again = await compared();
  expect(again.later).toBe(first.later);
  expect(again.changes.compared.before).toBe(again.earlier as PackReader);
  await packs.close();
  for (const pack of [again.later, again.earlier]) expect(cacheUsageOf(pack)).toEqual({ results: 0, bytes: 0 });
});
