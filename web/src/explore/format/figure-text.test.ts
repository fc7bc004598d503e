import { createIngest } from '@kc/pack/ingest';
import { requestableFields } from '@kc/pack/slice/slice-fields';
import { decodeSlice, encodeSlice } from '@kc/pack/slice/slice-wire';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource, sliceOf } from '@kc/pack/test/support/trees';
import { checkPack } from '@kc/pack/write/pack-check';
import { writePack } from '@kc/pack/write/pack-writer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadTree, withFields } from '../../../test/support/tree.ts';
import { legendFor } from '../charts/paint/legend.ts';
import { weighChildren } from '../model/weights.ts';
import { LoadedTree } from '../tree-data/loaded-tree.ts';
import { figureIn, figureText, shortFigure, typedFigure, writeFigure } from './figure-text.ts';

type Entry = {
  readonly keyword: string;
  readonly volume?: number;
  readonly position?: number;
  readonly Traffic?: number;
  readonly Score?: number;
  readonly Stage?: string;
};
type Branch = { readonly name: string; readonly children?: readonly Branch[] };

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const keywords = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg'];
const entries: fc.Arbitrary<Entry[]> = fc
  .record({
    volume: fc.array(some(fc.nat(1000)), { minLength: 7, maxLength: 7 }),
    position: fc.array(some(fc.integer({ min: 1, max: 90 })), { minLength: 7, maxLength: 7 }),
    traffic: fc.array(some(fc.nat(5000)), { minLength: 7, maxLength: 7 }),
    score: fc.array(some(fc.integer({ min: -40, max: 40 }).map((n) => n / 4)), { minLength: 7, maxLength: 7 }),
    stage: fc.array(some(fc.constantFrom('early', 'late', 'never')), { minLength: 7, maxLength: 7 }),
  })
  .map(({ volume, position, traffic, score, stage }) =>
    keywords.map((keyword, i) => {
      const entry = { volume: volume[i], position: position[i], Traffic: traffic[i], Score: score[i], Stage: stage[i] };
      const fields = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
      return { keyword, ...fields };
    }),
  );

/** Groups with names of their own around keywords that may occur in several of them. */
const hierarchy: fc.Arbitrary<Branch> = fc
  .array(fc.record({ up: fc.nat(3), leaves: fc.array(fc.constantFrom(...keywords), { minLength: 1, maxLength: 5 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((groups) => {
    const branches = groups.map(({ leaves }, i) => ({
      name: `group ${i}`,
      type: 'cluster',
      children: leaves.map((name): Branch => ({ name })),
    }));
    for (let i = 1; i < branches.length; i++) branches[Math.max(0, i - 1 - groups[i]!.up)]!.children.push(branches[i]!);
    return { name: 'all', type: 'root', children: [branches[0]!] };
  });

/** The tree as the browser has it once everything is loaded: file → pack → slices over the wire. */
async function treeOf(file: { keywords: readonly Entry[]; hierarchy: Branch }): Promise<LoadedTree> {
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(new TextEncoder().encode(JSON.stringify(file)));
  const read = ingest.finish();
  if (!read.ok) throw new Error(read.problem.what);
  const sink = arraySink();
  await writePack(read.tree, '00'.repeat(32), sink);
  const pack = await checkPack(arraySource(sink.bytes()));
  const fields = requestableFields(pack.metadata).map((field) => field.name);
  const tree = new LoadedTree();
  for (const budget of [3, pack.metadata.nodes]) {
    const slice = await takeSlice(pack, { node: 0, budget, skip: 0, fields });
    tree.merge(decodeSlice(encodeSlice(slice)));
  }
  return tree;
}

/** Every distinct keyword below a node. */
const under = ({ name, children }: Branch): Set<string> =>
  children ? new Set(children.flatMap((child) => [...under(child)])) : new Set([name]);

const group = (n: number, digits: number) => n.toLocaleString('en', { maximumFractionDigits: digits });

/** The expected texts, computed directly from the file. */
function byHand(branch: Branch, entries: readonly Entry[]) {
  const mine = entries.filter(({ keyword }) => under(branch).has(keyword));
  const [all, isOne] = [mine.length, mine.length === 1];
  const expected = (
    label: string,
    key: 'Traffic' | 'Score' | 'position' | 'volume',
    how: 'sum' | 'mean',
    digits: number,
  ) => {
    const known = mine.flatMap((entry) => entry[key] ?? []);
    if (known.length === 0) return key === 'volume' ? 'volume unknown' : `${label} unknown`;
    const sum = known.reduce((a, b) => a + b, 0);
    const value = how === 'sum' ? sum : sum / known.length;
    const notes = [
      ...(isOne ? [] : [how]),
      ...(known.length < all ? [`known for ${known.length} of ${all}`] : []),
    ].join(', ');
    const size = Math.abs(value);
    const figure =
      size < 1 ? value.toLocaleString('en', { maximumSignificantDigits: 3 }) : group(value, size >= 1000 ? 0 : digits);
    const text = key === 'volume' ? `${group(value, 0)} searches a month` : `${label} ${figure}`;
    return notes === '' ? text : `${text} (${notes})`;
  };
  const stages = mine.flatMap((entry) => entry.Stage ?? []);
  return {
    keywords: `${all} ${isOne ? 'keyword' : 'keywords'}`,
    volume: expected('Volume', 'volume', 'sum', 0),
    traffic: expected('Traffic', 'Traffic', 'sum', 2),
    score: expected('Score', 'Score', 'mean', 2),
    position: expected('Position', 'position', 'mean', 2),
    stages: ['early', 'late', 'never'].map((name) => [name, stages.filter((stage) => stage === name).length] as const),
    all,
    stagesKnown: stages.length,
  };
}

const namesIn = (branch: Branch): Branch[] => [branch, ...(branch.children ?? []).flatMap(namesIn)];

describe('the figures of a node', () => {
  test('match an independent computation for any file', async () => {
    await fc.assert(
      fc.asyncProperty(entries, hierarchy, async (list, root) => {
        const tree = await treeOf({ keywords: list, hierarchy: root });
        const has = (key: keyof Entry) => list.some((entry) => entry[key] !== undefined);
        for (let row = 0; row < tree.size; row++) {
          const branch = namesIn(root).find(({ name }) => name === tree.name(row))!;
          const hand = byHand(branch, list);
          expect(figureText(tree, row, 'keywords')).toBe(hand.keywords);
          expect(figureText(tree, row, 'volume')).toBe(hand.volume);
          if (has('Traffic')) expect(figureText(tree, row, 'field:Traffic')).toBe(hand.traffic);
          if (has('Score')) expect(figureText(tree, row, 'field:Score')).toBe(hand.score);
          if (has('position')) expect(figureText(tree, row, 'field:position')).toBe(hand.position);
          if (has('Stage')) expectStage(figureText(tree, row, 'field:Stage')!, hand);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('are omitted while a field is loading', () => {
    const tree = loadTree(sliceOf('shop (shoes hats)'));
    expect(figureText(tree, 0, 'field:Traffic')).toBeUndefined();
  });
});

/** Among equally common values any is accepted: the order of the file decides. */
function expectStage(text: string, { stages, stagesKnown, all }: ReturnType<typeof byHand>): void {
  if (stagesKnown === 0) {
    expect(text).toBe('Stage: unknown');
    return;
  }
  const max = Math.max(...stages.map(([, count]) => count));
  const texts = stages
    .filter(([, count]) => count === max)
    .map(([name]) => (all === 1 ? `Stage: ${name}` : `Stage: ${name} (${max} of ${stagesKnown} known)`));
  expect(texts).toContain(text);
}

const traffic = withFields(sliceOf('shop (shoes (trail road) hats caps)'), {
  Traffic: [60, 50, 10, Number.NaN, 30, 20],
  Stage: { values: ['', 'early', 'late', 'gone'], rows: [2, 2, 1, 0, 2, 2] },
});

test('only nodes where a field is known are sized by it', () => {
  const tree = loadTree(traffic);
  const { rows, weights, weightless } = weighChildren(tree, 0, 'field:Traffic');
  expect(Array.from(rows, (row) => tree.name(row))).toEqual(['shoes', 'hats']);
  expect([...weights]).toEqual([50, 10]);
  expect(Array.from(weightless, (row) => tree.name(row))).toEqual(['caps']);
});

test('a click rate is written and typed in percent, whatever the file calls it', () => {
  for (const key of ['field:ctr', 'field:CTR', 'field:Klickrate', 'field:Site CTR'] as const) {
    // 3 clicks of 8,764 impressions
    expect(writeFigure(key, 3 / 8764)).toBe('0.0342 %');
    expect([shortFigure(key, 0.0342), typedFigure(key, 0.0342)]).toEqual(['3.42 %', '3.42']);
    expect([figureIn(key, '3.42'), figureIn(key, ' 3.42 %')]).toEqual([0.0342, 0.0342]);
  }
  expect(writeFigure('field:ctr', Number.NaN)).toBe('unknown');
  expect([writeFigure('field:Rate', 0.0342), figureIn('field:Rate', '3.42')]).toEqual(['0.0342', 3.42]);
  const tree = loadTree(withFields(sliceOf('shop (hats caps)'), { ctr: [0.0342, 0.02, 0.05] }));
  expect(figureText(tree, 1, 'field:ctr')).toBe('CTR 2 %');
});

test('a category has a line for each value that occurs, with the number of keywords', () => {
  const entries = legendFor(loadTree(traffic), { colourBy: 'field:Stage', theme: 'light' }, { counts: [0, 1, 2, 0] });
  expect(entries.map(({ label, count }) => [label, count])).toEqual([
    ['early', 1],
    ['late', 2],
    ['Unknown', undefined],
  ]);
});

describe('the confidence of clusters', () => {
  const entry = (keyword: string) => ({ name: keyword, type: 'keyword' });
  const file = {
    keywords: ['aa', 'bb', 'cc', 'dd'].map((keyword) => ({ keyword, similarity: 0.5 })),
    hierarchy: {
      name: 'root',
      children: [
        { name: 'one', type: 'cluster', confidence: 81, children: [entry('aa'), entry('bb')] },
        { name: 'two', type: 'cluster', confidence: 49, children: [entry('cc')] },
        { name: 'strays', type: 'stray', children: [entry('dd')] },
      ],
    },
  };

  // Shows P22.10.
  test('is said with its word, and is unknown for strays', async () => {
    const ingest = createIngest({ hashKey: [1, 2] });
    ingest.push(new TextEncoder().encode(JSON.stringify(file)));
    const result = ingest.finish();
    if (!result.ok) throw new Error(result.problem.what);
    const sink = arraySink();
    await writePack(result.tree, '00'.repeat(32), sink);
    const pack = await checkPack(arraySource(sink.bytes()));
    const slice = await takeSlice(pack, { node: 0, budget: 99, skip: 0, fields: ['confidence', 'similarity'] });
    const tree = loadTree(decodeSlice(encodeSlice(slice)));
    const texts = new Map(
      Array.from({ length: tree.size }, (_, row) => [tree.name(row), figureText(tree, row, 'field:confidence')]),
    );
    expect(texts.get('one')).toBe('Confidence 81 %, strong');
    expect(texts.get('cc')).toBe('Confidence 49 %, weak');
    expect(texts.get('strays')).toBe('Confidence unknown');
    expect(texts.get('root')).toBe('Confidence 70 %, fair (known for 3 of 4)');
    expect(figureText(tree, 0, 'field:similarity')).toBe('Similarity 0.5 (mean)');
  });
});
