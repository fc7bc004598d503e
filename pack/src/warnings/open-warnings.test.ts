import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, packOf, root } from '../../test/support/filter-trees.ts';
import { lineOf, plainNodes } from '../../test/support/levels-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { noFilter } from '../filter/filter.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { pathOf } from '../plan/node-paths.ts';
import { defaultThresholds, type WarningKind, warningKinds } from '../vocabulary/warnings.ts';
import { findWarnings } from './find-warnings.ts';
import { type Dismissed, eachPlace, openWarnings, warningMarks } from './open-warnings.ts';

const thresholds = { ...defaultThresholds, mixedKeywords: 2, oversized: 2, unknownShare: 60 };
const judged: readonly WarningKind[] = ['mixed', 'oversized', 'single', 'repeated', 'unknown', 'unplaced'];

test('dismissing any warnings leaves the others, in their order, for random trees', async () => {
  let all = 0;
  await fc.assert(
    fc.asyncProperty(root, entries, fc.array(fc.nat(), { maxLength: 6 }), async (hierarchy, keywords, picks) => {
      const { pack, original } = await packOf(hierarchy, keywords);
      const found = await findWarnings(await filterPack(pack, noFilter), thresholds, original);
      for (const kind of judged) {
        const list = found.lists[kind];
        if ('missing' in list || list.count === 0) continue;
        const gone = [...new Set(picks.map((pick) => pick % list.count))];
        const dismissed: Dismissed[] = [];
        for (const at of gone) {
          // Any place of a repeated keyword recognises it.
          const { places } = list;
          const row = places ? places.rows[places.starts[at + 1]! - 1]! : list.rows[at]!;
          dismissed.push({ kind, paths: [await pathOf(pack, row)], subject: '' });
        }
        const open = await openWarnings(pack, found, dismissed);
        const left = Array.from(list.rows.keys()).filter((at) => !gone.includes(at));
        expect(open[kind]).toMatchObject({ open: Uint32Array.from(left), dismissed: gone.length });
        for (const other of warningKinds) if (other !== kind) expect(open[other]).not.toMatchObject({ dismissed: 1 });
        all += gone.length;
      }
    }),
    { numRuns: 60, seed: 31 },
  );
  expect(all).toBeGreaterThan(100);
});

test('a URL stays dismissed wherever it ranks', async () => {
  const cluster = (name: string, ...keywords: string[]) => ({
    name,
    type: 'cluster',
    children: keywords.map((keyword) => ({ name: keyword })),
  });
  const entriesOf = (keywords: readonly string[]) =>
    keywords.map((keyword) => ({ keyword, position: 1, URL: 'https://www.a.test/x/' })) as never;
  const dismissed: Dismissed[] = [{ kind: 'url-clusters', paths: [[]], subject: 'a.test/x' }];
  for (const names of [
    ['one', 'two'],
    ['three', 'four'],
  ]) {
    const children = [cluster(names[0]!, 'a', 'b'), cluster(names[1]!, 'c', 'd')];
    const { pack, original } = await packOf({ name: 'root', children }, entriesOf(['a', 'b', 'c', 'd']));
    const found = await findWarnings(await filterPack(pack, noFilter), defaultThresholds, original);
    expect(found.lists['url-clusters']).toMatchObject({ count: 1, keywords: Uint32Array.of(4) });
    const open = await openWarnings(pack, found, dismissed);
    expect(open['url-clusters']).toMatchObject({ open: new Uint32Array(0), dismissed: 1 });
  }
});

test('marks count the warnings of nodes and of branches, for random trees', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, fc.subarray([...judged]), async (hierarchy, keywords, wanted) => {
      const { pack, original } = await packOf(hierarchy, keywords);
      const filtered = await filterPack(pack, noFilter);
      const open = await openWarnings(pack, await findWarnings(filtered, thresholds, original), []);
      const kinds = wanted.filter((kind) => kind !== 'unplaced');
      const places: { row: number; kind: WarningKind }[] = [];
      for (const kind of kinds) eachPlace(open, kind, (row) => places.push({ row, kind }));
      const nodes = await plainNodes(filtered);
      const expected = nodes.slice(1).flatMap(({ row }) => {
        const within = places.filter((place) => lineOf(nodes[place.row]!).some((above) => above.row === row));
        const own = places.filter((place) => place.row === row);
        const bits = warningKinds.map((kind, bit) => (own.some((place) => place.kind === kind) ? 1 << bit : 0));
        return within.length > 0 ? [[row, bits.reduce((sum, bit) => sum + bit, 0), own.length, within.length]] : [];
      });
      const marks = await warningMarks(pack, open, kinds, 1_000);
      expect(marks.rows.map((row, at) => [row, marks.kinds[at], marks.own[at], marks.within[at]])).toEqual(expected);
      const cut = await warningMarks(pack, open, kinds, 2);
      expect(cut.rows).toEqual(marks.rows.slice(0, 2));
      expect(cut.isCut).toBe(marks.rows.length > 2);
    }),
    { numRuns: sampled(60), seed: 32 },
  );
});
