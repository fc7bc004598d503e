import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Expected, expectedUnder, type PlainFigures } from '../../test/support/filter-oracle.ts';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { anyFormula, type PlainFormula, type PlainNodeFigures } from '../../test/support/formula-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { parseFormula } from '../formula/parse-formula.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { takeSlice } from '../slice/take-slice.ts';
import { takeHistogram } from '../sums/histogram.ts';
import { type ScoreRollUp, scoreRollUps, writeScore } from './score.ts';
import { scoreFieldName } from './score-name.ts';

const names = [
  'volume',
  'difficulty',
  'cpc',
  'competition',
  'position',
  'clicks',
  'impressions',
  'keywords',
  'informational',
  'navigational',
  'commercial',
  'transactional',
  'level',
] as const;
const intents = ['informational', 'navigational', 'commercial', 'transactional'];
const fields = ['Visits', 'CTR'];

/** The own value of a keyword. */
function ownFigure(name: string, own: PlainFigures, level: number): number | undefined {
  if (name === 'keywords') return 1;
  if (name === 'level') return level;
  if (intents.includes(name)) return own.intent === undefined ? undefined : Number(own.intent.includes(name));
  const members: Readonly<Record<string, keyof PlainFigures>> = { clicks: 'Clicks', impressions: 'Impressions' };
  return own[members[name] ?? (name.replace('field:', '') as keyof PlainFigures)] as number | undefined;
}

function weightOf({ intent }: PlainFigures, weights: readonly number[]): number | undefined {
  const own = weights.filter((_, kind) => intent?.includes(intents[kind]!));
  return own.length > 0 ? own.reduce((sum, weight) => sum + weight, 0) / own.length : undefined;
}

const keywordFigures = (own: PlainFigures, level: number): PlainNodeFigures => ({
  figure: (name) => ownFigure(name, own, level),
  knownShare: (name) => Number(ownFigure(name, own, level) !== undefined),
  intentWeight: (weights) => weightOf(own, weights),
});

/** The figures of a branch as the table shows them. @param isSum whether the field of that name is added up */
function branchFigures(node: Expected, isSum: (field: string) => boolean): PlainNodeFigures {
  const { own, depth, keywords } = node;
  const rounded = (mean: number | undefined) => (mean === undefined ? undefined : Math.fround(mean));
  const known = (name: string) => own.filter((one) => ownFigure(name, one, depth) !== undefined);
  const volumeOf = (some: readonly PlainFigures[]) => some.reduce((sum, { volume = 0 }) => sum + volume, 0);
  return {
    figure(name) {
      const kind = intents.indexOf(name);
      if (kind >= 0) return node.intentKnown > 0 ? node.intents[kind]! / node.intentKnown : undefined;
      switch (name) {
        case 'keywords':
          return keywords;
        case 'level':
          return depth;
        case 'volume':
        case 'clicks':
        case 'impressions':
          return node[name].sum;
        case 'field:Visits':
          return isSum('Visits') ? node.visits.sum : node.visits.mean;
        case 'field:CTR':
          return node.ctr.mean;
        case 'field:none':
          return undefined;
        default:
          return rounded(node[name as 'difficulty' | 'cpc' | 'competition' | 'position'].mean);
      }
    },
    knownShare(name) {
      const isByVolume = 2 * known('volume').length >= keywords && volumeOf(own) > 0;
      return isByVolume ? volumeOf(known(name)) / volumeOf(own) : known(name).length / keywords;
    },
    intentWeight(weights) {
      const all = own.map((one) => weightOf(one, weights)).filter((weight) => weight !== undefined);
      return all.length > 0 ? all.reduce((sum, weight) => sum + weight, 0) / all.length : undefined;
    },
  };
}

/**
 * The level of a distinct keyword is that of its first occurrence, which the oracle does not know. So formulas with a
 * level are compared by branch figures only.
 */
function expectedScore(
  formula: PlainFormula,
  rollUp: ScoreRollUp,
  node: Expected,
  isSum: (field: string) => boolean,
): { value: number | undefined; known?: number } {
  if (node.keywords === 0) return { value: undefined, known: 0 };
  if (node.isLeaf) return { value: formula.value(keywordFigures(node.own[0]!, node.depth)) };
  if (rollUp === 'branch') return { value: formula.value(branchFigures(node, isSum)) };
  const scores = node.own
    .map((own) => formula.value(keywordFigures(own, 0)))
    .filter((score): score is number => score !== undefined);
  const sum = scores.reduce((total, score) => total + score, 0);
  const value = { sum, mean: sum / scores.length, max: Math.max(...scores) }[rollUp];
  return { value: scores.length > 0 ? value : undefined, known: scores.length };
}

const isNear = (one: number, other: number): boolean =>
  Object.is(one, other) || Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one), Math.abs(other));

// Shows P15.21.
test('every score of every node equals a naive computation, in all roll-ups, for random trees, filters and formulas', {
  timeout: 240_000,
}, async () => {
  const seen = { known: 0, unknown: 0, filtered: 0 };
  await fc.assert(
    fc.asyncProperty(
      root,
      entries,
      fc.oneof(fc.constant(noFilter), filter),
      anyFormula(names, fields),
      fc.constantFrom(...scoreRollUps),
      async (hierarchy, keywords, asked, formula, rollUp) => {
        const { pack } = await packOf(hierarchy, keywords);
        const parsed = parseFormula(formula.text);
        if (!parsed.ok || (rollUp !== 'branch' && /level/i.test(formula.text))) return;
        const isThere = (name: string) => pack.metadata.fields.some((field) => field.name === name);
        const isSum = (name: string) =>
          pack.metadata.fields.some(
            (field) => field.name === name && field.kind === 'number' && field.rollUp === 'sum',
          );
        // Numbers of a file in which most values are texts, and the like, have no column.
        if (['Clicks', 'Impressions', ...fields].some((name) => !isThere(name) && says(hierarchy, keywords, name)))
          return;
        const text = writeFilter(asked);
        const under = text === '' ? pack : await filterPack(pack, readFilter(text)!);
        const field = scoreFieldName(writeScore({ rollUp, expression: parsed.expression }));
        const slice = await takeSlice(under, { node: 0, budget: 100_000, skip: 0, filter: text, fields: [field] });
        const found = slice.fields[0]!;
        if (found.kind !== 'number') expect.fail();
        const start = await pack.column('node_start');
        const inFile = Array.from({ length: pack.metadata.nodes }, (_, row) => row).sort(
          (a, b) => start[a]! - start[b]!,
        );
        const rows = Array.from(slice.node);
        for (const node of expectedUnder(hierarchy, keywords, asked, () => '')) {
          if (!node.isKept) continue;
          const at = rows.indexOf(inFile[node.place]!);
          const { value, known } = expectedScore(formula, rollUp, node, isSum);
          const says = `${rollUp} of ${formula.text} is ${found.value[at]} instead of ${value}`;
          expect(isNear(found.value[at]!, value ?? Number.NaN), says).toBe(true);
          if (known !== undefined) expect(found.known[at]).toBe(known);
          expect(found.known[at]! > 0).toBe(value !== undefined);
          expect(found.known[at]!).toBeLessThanOrEqual(Math.max(1, node.keywords));
          seen[value === undefined ? 'unknown' : 'known']++;
          if (text !== '') seen.filtered++;
        }
      },
    ),
    { numRuns: sampled(250), seed: 9, endOnFailure: true },
  );
  // The test proves something only if none of these is rare.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(sampled(1000));
});

const says = (node: object, keywords: readonly object[], name: string): boolean =>
  JSON.stringify([node, keywords]).includes(`"${name}"`);

test('a range of a score keeps the keywords that a naive filter keeps, and its histogram counts them all', async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(
      root,
      entries,
      anyFormula(['volume', 'difficulty', 'cpc'], []),
      fc.integer({ min: 0, max: 8 }),
      async (hierarchy, keywords, formula, from) => {
        const { pack } = await packOf(hierarchy, keywords);
        const parsed = parseFormula(formula.text);
        if (!parsed.ok) return;
        const of = `field:${scoreFieldName(writeScore({ rollUp: 'branch', expression: parsed.expression }))}` as const;
        const asked = { ...noFilter, ranges: [{ of, from, to: undefined }] };
        const under = await filterPack(pack, readFilter(writeFilter(asked))!);
        const all = expectedUnder(hierarchy, keywords, noFilter, () => '')[0]!.own;
        const scores = all.map((own) => formula.value(keywordFigures(own, 0)));
        const known = scores.filter((score) => score !== undefined);
        const most = known.length > 0 ? Math.max(...known) : undefined;
        const wanted = known.filter((score) => score >= from).length;
        const { keywords: count } = await takeSlice(under, { node: 0, budget: 1, skip: 0, filter: under.filter });
        // A repeat may have figures of its own, so that another occurrence of a keyword is kept.
        expect(count[0]!).toBeGreaterThanOrEqual(wanted);
        if (new Set(all).size === pack.metadata.nodes - 1) expect(count[0]).toBe(wanted);
        kept += wanted;
        const histogram = await takeHistogram(await filterPack(pack, noFilter), of);
        if (histogram?.kind !== 'number') expect.fail();
        expect([histogram.known, histogram.unknown]).toEqual([known.length, scores.length - known.length]);
        if (most !== undefined) expect(isNear(histogram.most!, most)).toBe(true);
      },
    ),
    { numRuns: sampled(150), seed: 10, endOnFailure: true },
  );
  expect(kept).toBeGreaterThan(sampled(100));
});
