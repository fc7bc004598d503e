import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edits, editTree } from '../../test/support/edited-trees.ts';
import type { PlainEntry, PlainNode } from '../../test/support/filter-oracle.ts';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { noPause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { keyOf } from '../names/text-key.ts';
import type { View } from '../sums/filtered-pack.ts';
import { type ChangeName, changeLevels, changeNames, defaultThresholds } from '../vocabulary/changes.ts';
import { type ComparedFigure, figureOf, findChanges } from './changes.ts';
import { describeChanges } from './describe-changes.ts';
import { filterComparison } from './filter-comparison.ts';
import type { Compared } from './match-packs.ts';
import { matchKinds, matchPacks } from './match-packs.ts';

// A short version of `npm run prove -- changes`.
const { PROVE_RUNS } = process.env;
const runs = Number(PROVE_RUNS ?? 25);
/** A figure of all rows of one side. */
const valuesIn = (pack: View, of: ComparedFigure) =>
  figureOf(
    pack,
    of,
    Uint32Array.from({ length: pack.metadata.nodes }, (_, row) => row),
    noPause,
  );

const key = [1, 2] as const;

/** A pack as objects, for recomputing figures naively. */
async function plain(pack: PackReader) {
  const { nodes, types } = pack.metadata;
  const rows = Array.from({ length: nodes }, (_, row) => row);
  const names = await namesAt(pack, Uint32Array.from(rows));
  const [parent, start, type] = [
    await pack.column('parent'),
    await pack.column('node_start'),
    await pack.column('type'),
  ];
  const isKeyword = await pack.column('is_keyword');
  const own = {
    volume: await pack.column('own_volume'),
    difficulty: await pack.column('own_difficulty'),
    position: await pack.column('own_position'),
  };
  const above = (row: number): number[] => (row === 0 ? [] : [parent[row]!, ...above(parent[row]!)]);
  const isBranch = (row: number) => rows.some((child) => child > 0 && parent[child] === row);
  const within = (branch: number) => rows.filter((row) => row === branch || above(row).includes(branch));
  const typeOf = (row: number) => (types[type[row]!] ?? '').toLowerCase();
  /** Below strays there is none. */
  const clusterOf = (row: number): number | undefined => {
    const nearest = above(row).find((one) => typeOf(one) === 'cluster' || (one > 0 && typeOf(one) === 'stray'));
    if (nearest === undefined) return parent[row]!;
    return typeOf(nearest) === 'cluster' ? nearest : undefined;
  };
  return {
    rows,
    parent: (row: number) => parent[row]!,
    above,
    isBranch,
    isKeyword: (row: number) => isKeyword[row] === 1,
    clusters: (keeps: (row: number) => boolean) => new Set(rows.filter((row) => row > 0 && keeps(row)).map(clusterOf)),
    /** Over the distinct kept keywords of a row; their first occurrence in the file counts. */
    figures(row: number, counts: (row: number) => boolean) {
      const found = new Map<string, number>();
      for (const one of within(row).sort((a, b) => start[a]! - start[b]!)) {
        const text = keyOf(names[one]!);
        if (counts(one) && !found.has(text)) found.set(text, one);
      }
      const known = (of: keyof typeof own) =>
        [...found.values()].map((at) => own[of]?.[at] ?? Number.NaN).filter((value) => !Number.isNaN(value));
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      const [volumes, difficulties, positions] = [known('volume'), known('difficulty'), known('position')];
      const isEmpty = !within(row).some((one) => isKeyword[one] === 1);
      return {
        keywords: found.size,
        volume: volumes.length > 0 || isEmpty ? sum(volumes) : Number.NaN,
        difficulty: sum(difficulties) / difficulties.length,
        position: sum(positions) / positions.length,
      };
    },
  };
}

/** Without impressions, the position of a branch is a plain mean. */
const unweighted = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (name, inner) => (name === 'Impressions' ? undefined : inner)));

const isOfBranch = (name: ChangeName) => name === 'moved' || name === 'renamed';

/** Means have 32 bits. */
const rounded = (value: number) => value.toFixed(3);

type Figures = { volume: number; difficulty: number; position: number };

function namesOf(now: Figures, then: Figures): ChangeName[] {
  const found = new Set<ChangeName>();
  const volume = now.volume - then.volume;
  if (Math.abs(volume) >= 10 && Math.abs(volume) * 5 >= then.volume)
    found.add(volume > 0 ? 'volume-up' : 'volume-down');
  if (now.difficulty - then.difficulty > 5 - 1e-6) found.add('harder');
  if (then.difficulty - now.difficulty > 5 - 1e-6) found.add('easier');
  if (now.position - then.position > 3 - 1e-6) found.add('rank-down');
  if (then.position - now.position > 3 - 1e-6) found.add('rank-up');
  for (const of of ['volume', 'difficulty', 'position'] as const) {
    if (Number.isNaN(now[of]) && !Number.isNaN(then[of])) found.add('no-longer-known');
    if (!Number.isNaN(now[of]) && Number.isNaN(then[of])) found.add('now-known');
  }
  return [...found];
}

// Shows P24.13.
test('changes, counts and lists equal a naive recomputation, for random trees, edits and filters', async () => {
  const seen = new Set<string>();
  const anyFilter = fc.option(filter, { nil: noFilter, freq: 2 });
  await fc.assert(
    fc.asyncProperty(root, entries, entries, edits, anyFilter, fc.boolean(), async (...drawn) => {
      const [given, keywords, later, edited, parts, isEasier] = drawn;
      const tree = unweighted(given);
      const raised = (list: readonly PlainEntry[], isRaised: boolean) =>
        unweighted(
          list.map((one) => ({ ...one, ...(isRaised && one.difficulty && { difficulty: 9 * one.difficulty }) })),
        );
      const [{ pack }, { pack: packBefore }] = [
        await packOf(editTree(tree, edited), raised(later, !isEasier)),
        await packOf(tree, raised(keywords, isEasier)),
      ];
      const match = await matchPacks(pack, packBefore, key);
      const text = writeFilter(parts);
      const filtered = text === '' ? undefined : await filterPack(pack, readFilter(text)!);
      const passed = text === '' ? undefined : await filterPack(packBefore, readFilter(text)!);
      const compared: Compared = filtered
        ? await filterComparison(match, filtered, packBefore)
        : { match, after: pack, before: packBefore };
      const changes = await findChanges(compared);

      const [now, then] = [await plain(pack), await plain(packBefore)];
      const counts = filtered?.counts ?? now.isKeyword;
      const keeps = filtered?.keeps ?? (() => true);
      const passedBefore = passed?.counts ?? then.isKeyword;
      /** Whether a keyword of `before` is among those that the filter compares. */
      const countsBefore = (row: number) => {
        if (!then.isKeyword(row)) return false;
        const rowNow = match.after[row]!;
        if (rowNow === noRow || !filtered) return passedBefore(row);
        return keeps(rowNow) && (counts(rowNow) || !now.isBranch(rowNow));
      };
      const keepsBefore = (row: number): boolean => ('kept' in compared.before ? compared.before.keeps(row) : true);
      const expected = new Map<string, { names: ChangeName[]; size: number; levels: string[] }>();
      const clusters = now.clusters(now.isKeyword);
      const clustersBefore = then.clusters(then.isKeyword);
      const [keywordsNow, volumesNow] = [
        await valuesIn(compared.after, 'keywords'),
        await valuesIn(compared.after, 'volume'),
      ];
      const [keywordsThen, volumesThen, difficultiesThen] = [
        await valuesIn(compared.before, 'keywords'),
        await valuesIn(compared.before, 'volume'),
        await valuesIn(compared.before, 'difficulty'),
      ];
      for (const row of now.rows.filter(keeps)) {
        const figures = now.figures(row, counts);
        expect(keywordsNow[row]).toBe(figures.keywords);
        expect(rounded(volumesNow[row]!)).toBe(rounded(figures.volume));
        const kind = match.kind[row]!;
        const rowBefore = match.before[row]!;
        let names: ChangeName[] = kind === matchKinds.new ? ['new'] : [];
        let size = figures.volume;
        if (kind !== matchKinds.new) {
          const before = then.figures(rowBefore, countsBefore);
          expect(rounded(volumesThen[rowBefore]!)).toBe(rounded(before.volume));
          if (keepsBefore(rowBefore)) {
            expect(keywordsThen[rowBefore]).toBe(before.keywords);
            expect(rounded(difficultiesThen[rowBefore]!)).toBe(rounded(before.difficulty));
          }
          names = namesOf(figures, before);
          if (kind === matchKinds.moved) names.push('moved');
          if (kind === matchKinds.renamed) names.push('renamed');
          size = Math.abs(figures.volume - before.volume);
        }
        const isBranchMoved = kind >= matchKinds.moved && !counts(row);
        const levels = [
          ...(counts(row) ? ['keywords'] : []),
          ...((now.isBranch(row) && clusters.has(row)) || isBranchMoved ? ['clusters'] : []),
        ];
        expected.set(`${row} false`, { names, size, levels });
        expect([...changes.namesAt(row)].sort()).toEqual([...names].sort());
      }
      for (const row of then.rows) {
        if (match.after[row] !== noRow || !keepsBefore(row)) continue;
        const levels = [
          ...(countsBefore(row) ? ['keywords'] : []),
          ...(then.isBranch(row) && clustersBefore.has(row) ? ['clusters'] : []),
        ];
        expected.set(`${row} true`, { names: ['gone'], size: then.figures(row, countsBefore).volume, levels });
      }
      const gone = await changes.gone();
      const isGone = (row: number) => match.after[row] === noRow && keepsBefore(row);
      const lost = then.rows.filter((row) => row > 0 && isGone(row) && match.after[then.parent(row)] !== noRow);
      const nearestKept = (row: number): number => (row === 0 || keeps(row) ? row : nearestKept(now.parent(row)));
      const sumOf = (rows: readonly number[], of: (figures: ReturnType<typeof then.figures>) => number) =>
        rows.reduce((sum, row) => sum + (of(then.figures(row, countsBefore)) || 0), 0);
      for (const row of now.rows.filter(keeps)) {
        const branchOf = (rowBefore: number) => match.after[then.parent(rowBefore)]!;
        const here = lost.filter((one) => nearestKept(branchOf(one)) === row);
        const below = lost.filter((one) => branchOf(one) === row || now.above(branchOf(one)).includes(row));
        expect([row, gone.get(row)?.nodes ?? 0, gone.get(row)?.keywords ?? 0]).toEqual([
          row,
          here.length,
          sumOf(here, ({ keywords }) => keywords),
        ]);
        expect(gone.get(row)?.volume ?? 0).toBeCloseTo(
          sumOf(here, ({ volume }) => volume),
          3,
        );
        expect(gone.get(row)?.keywordsBelow ?? 0).toBe(sumOf(below, ({ keywords }) => keywords));
        expect(gone.get(row)?.volumeBelow ?? 0).toBeCloseTo(
          sumOf(below, ({ volume }) => volume),
          3,
        );
        if (here.length > 0) seen.add('lost');
      }
      const wantedMarks = changeNames.filter((_, at) => (given.name.length + at) % 3 === 0);
      const marked = await changes.mark(wantedMarks);
      const whole = (row: number): boolean =>
        wantedMarks.some((name) => changes.namesAt(row).includes(name)) ||
        now
          .above(row)
          .some((one) => changes.namesAt(one).some((name) => isOfBranch(name) && wantedMarks.includes(name)));
      for (const row of now.rows) expect([row, marked[row]]).toEqual([row, Number(whole(row))]);
      const level = 'keywords';
      const listed = await changes.list(level, undefined, 0, 1000);
      const wanted = [...expected].filter(([, { levels, names }]) => levels.includes(level) && names.length > 0);
      const shown = listed.map(({ row, isGone }) => `${row} ${isGone}`);
      expect([...shown].sort()).toEqual(wanted.map(([name]) => name).sort());
      const sizes = shown.map((name) => expected.get(name)!.size).map((size) => (Number.isNaN(size) ? -1 : size));
      for (const [at, size] of sizes.entries()) if (at > 0) expect(size).toBeLessThanOrEqual(sizes[at - 1]! + 1e-9);
      // The same lists for each branch: its rows, and what is gone from where its rows were.
      for (const branch of now.rows.filter((row) => keeps(row) && now.isBranch(row)).slice(0, 4)) {
        const isIn = (row: number) => row === branch || now.above(row).includes(branch);
        const wasIn = (rowBefore: number): boolean => {
          const parentNow = match.after[then.parent(rowBefore)]!;
          return parentNow === noRow ? wasIn(then.parent(rowBefore)) : isIn(parentNow);
        };
        const lists = await changes.within(branch);
        for (const of of changeLevels) {
          const all = (await changes.list(of, undefined, 0, 1000)).filter(({ row, isGone }) =>
            isGone ? wasIn(row) : isIn(row),
          );
          expect(await lists.list(of, undefined, 0, 1000)).toEqual(all);
          expect(lists.total(of)).toBe(all.length);
          for (const name of changeNames) {
            const those = (await changes.list(of, name, 0, 1000)).filter((one) =>
              all.some((same) => isDeepStrictEqual(same, one)),
            );
            expect([name, lists.counts(of)[name]]).toEqual([name, those.length]);
            expect(await lists.list(of, name, 1, 1000)).toEqual(those.slice(1));
          }
          if (all.some(({ isGone }) => isGone) && branch > 0) seen.add('gone from a branch');
        }
      }
      for (const name of changeNames) {
        for (const of of changeLevels) {
          const all = await changes.list(of, name, 0, 1000);
          expect(all.length).toBe(changes.counts(of)[name]);
          expect(changes.total(of, name)).toBe(all.length);
          const among = [...expected].filter(([, one]) => one.levels.includes(of) && one.names.includes(name));
          expect(all.map(({ row, isGone }) => `${row} ${isGone}`).sort()).toEqual(among.map(([one]) => one).sort());
          if (all.length > 0) seen.add(name);
        }
      }
    }),
    { numRuns: runs, endOnFailure: true, ...(PROVE_RUNS ? {} : { seed: 1 }) },
  );
  // Random trees do not have every kind of change in each run.
  expect(seen.size).toBeGreaterThan(changeNames.length / 2);
  expect(seen).toContain('lost');
  expect(seen).toContain('gone from a branch');
});

const keyword = (name: string, figures: object = {}): PlainNode => ({ name, ...figures });

async function changesOf(after: readonly PlainNode[], before: readonly PlainNode[], thresholds = defaultThresholds) {
  const [{ pack }, { pack: packBefore }] = await Promise.all([
    packOf({ name: 'root', children: after }, []),
    packOf({ name: 'root', children: before }, []),
  ]);
  const match = await matchPacks(pack, packBefore, key);
  return findChanges({ match, after: pack, before: packBefore }, thresholds);
}

test.each([
  [100, 120, ['volume-up']],
  [100, 119, []],
  [100, 80, ['volume-down']],
  [20, 29, []],
  [0, 10, ['volume-up']],
  [35, 45, ['volume-up']],
  [undefined, 500, ['now-known']],
  [500, undefined, ['no-longer-known']],
  [undefined, undefined, []],
])('a volume of %s that becomes %s is %j', async (before, after, names) => {
  const changes = await changesOf([keyword('a', { volume: after })], [keyword('a', { volume: before })]);
  expect(changes.namesAt(1)).toEqual(names);
});

test('a branch that has lost all of its keywords has lost their volume, and the other way round', async () => {
  const full = [{ name: 'chat', type: 'cluster', children: [keyword('a', { volume: 100 })] }];
  const empty = [{ name: 'chat', type: 'cluster', children: [] }];
  const lost = await changesOf(empty, full);
  expect([(await valuesIn(lost.compared.after, 'volume'))[1], lost.namesAt(1)]).toEqual([0, ['volume-down']]);
  const won = await changesOf(full, empty);
  expect([(await valuesIn(won.compared.before, 'volume'))[1], won.namesAt(1)]).toEqual([0, ['volume-up']]);
});

test('what was renamed says its name before, and what is gone says where it was', async () => {
  const cluster = (name: string, ...names: string[]) => ({
    name,
    type: 'cluster',
    children: names.map((one) => keyword(one, { volume: 10 })),
  });
  const changes = await changesOf(
    [cluster('Digging', 'spade', 'shovel')],
    [cluster('Spades', 'spade', 'shovel'), cluster('Rakes', 'rake')],
  );
  const described = await describeChanges(changes, await changes.list('clusters', undefined, 0, 10));
  expect(described.map(({ changes: kinds, name, from }) => [kinds, name, from])).toEqual([
    [['gone'], 'Rakes', undefined],
    [['renamed'], 'Digging', ['Spades']],
  ]);
});

test('difficulty changes from five points on, and a smaller position is a better rank', async () => {
  const before = [keyword('a', { difficulty: 30, position: 9 }), keyword('b', { difficulty: 30, position: 9 })];
  const after = [keyword('a', { difficulty: 35, position: 6 }), keyword('b', { difficulty: 25.5, position: 11 })];
  const changes = await changesOf(after, before);
  expect([changes.namesAt(1), changes.namesAt(2)]).toEqual([['harder', 'rank-up'], []]);
});

test('equal uploads are the same, and a difference below the thresholds is no change but a difference', async () => {
  const tree = [keyword('a', { volume: 100 })];
  const equal = await changesOf(tree, tree);
  expect([equal.isSame, equal.total('keywords')]).toEqual([true, 0]);
  const nearly = await changesOf([keyword('a', { volume: 101 })], tree);
  expect([nearly.isSame, nearly.total('keywords')]).toEqual([false, 0]);
  const exact = { ...defaultThresholds, volume: 1, volumePercent: 0 };
  expect((await changesOf([keyword('a', { volume: 101 })], tree, exact)).counts('keywords')['volume-up']).toBe(1);
});
