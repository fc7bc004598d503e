import { describeNode, type Measure } from '@kc/pack/detail/node-detail';
import { openPack } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { decodeSlice, encodeSlice } from '@kc/pack/slice/slice-wire';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../pack/test/support/sampled.ts';
import { loadTree } from '../../test/support/tree.ts';

/** Compares the figures of a file, from its bytes to the screen, with a recomputation from the objects in the file. */

const intents = ['informational', 'navigational', 'commercial', 'transactional'] as const;
type Metrics = { volume?: number | null; difficulty?: number | null; cpc?: number | null; intent?: string };
type Entry = Metrics & { keyword: string };
type Node = Metrics & { name: string; children?: Node[] };
type File = { keywords: Entry[]; hierarchy: Node };

/** Only a few texts, so that they repeat: in the list in other spellings, and in several branches. */
const texts = ['shoe', 'red shoe', 'über', '靴', 'boots', 'sock'];
const spelled = (text: string) => fc.constantFrom(text, text.toUpperCase(), ` ${text.replaceAll(' ', '  ')} `);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });
const metrics = fc
  .record({
    volume: maybe(fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.constant(null))),
    difficulty: maybe(fc.integer({ min: 0, max: 100 })),
    cpc: maybe(fc.integer({ min: 0, max: 999 }).map((cents) => cents / 100)),
    intent: maybe(fc.subarray([...intents], { minLength: 1 }).map((some) => some.join(', '))),
  })
  .map((given): Metrics => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
const none = fc.constant<Metrics>({});
const leaf: fc.Arbitrary<Node> = fc
  .tuple(fc.constantFrom(...texts), fc.oneof(none, none, metrics))
  .map(([name, own]) => ({ name, ...own }));
const { branch } = fc.letrec<{ branch: Node; child: Node }>((tie) => ({
  child: fc.oneof({ depthSize: 'xsmall' }, leaf, leaf, tie('branch')),
  branch: fc
    .array(tie('child'), { minLength: 1, maxLength: 4 })
    .map((children) => ({ name: '', children }) satisfies Node),
}));
const entry = fc
  .tuple(fc.constantFrom(...texts).chain(spelled), metrics)
  .map(([keyword, given]): Entry => ({ keyword, ...given }));
const file = fc
  .record({ keywords: fc.array(entry, { maxLength: 8 }), hierarchy: branch })
  .map((drawn): File => ({ ...drawn, hierarchy: named(drawn.hierarchy) }));

/** Gives branches distinct names. */
function named(root: Node): Node {
  let branches = 0;
  const name = (node: Node): Node =>
    node.children ? { ...node, name: `branch ${branches++}`, children: node.children.map(name) } : node;
  return name(root);
}

const keyOf = (text: string) => text.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Merges several entries of one keyword: the last known value of each metric, and the intents of all of them. */
function merged(entries: readonly Entry[]): Metrics {
  const last = (metric: 'volume' | 'difficulty' | 'cpc') =>
    entries.findLast((one) => typeof one[metric] === 'number')?.[metric] ?? null;
  const intent = intents.filter((kind) => entries.some((one) => one.intent?.includes(kind))).join(', ');
  return { volume: last('volume'), difficulty: last('difficulty'), cpc: last('cpc'), ...(intent ? { intent } : {}) };
}

/** The figures of a node by definition: its distinct keywords, each as it first occurs in the branch. */
function figuresOf(node: Node, { keywords }: File) {
  const leaves = (at: Node): Node[] => (at.children ? at.children.flatMap(leaves) : [at]);
  const all = leaves(node).map((at): Metrics & { key: string } => {
    const listed = merged(keywords.filter(({ keyword }) => keyOf(keyword) === keyOf(at.name)));
    const own = (metric: 'volume' | 'difficulty' | 'cpc') => at[metric] ?? listed[metric] ?? null;
    return {
      key: keyOf(at.name),
      volume: own('volume'),
      difficulty: own('difficulty'),
      cpc: own('cpc'),
      ...((at.intent ?? listed.intent) ? { intent: at.intent ?? listed.intent! } : {}),
    };
  });
  const distinct = all.filter(({ key }, at) => all.findIndex((other) => other.key === key) === at);
  const known = (metric: 'volume' | 'difficulty' | 'cpc') =>
    distinct.map((one) => one[metric]).filter((value) => typeof value === 'number');
  const average = (metric: 'difficulty' | 'cpc') => {
    const values = known(metric);
    const both = distinct.filter((one) => typeof one[metric] === 'number' && typeof one.volume === 'number');
    const weight = sum(both.map((one) => one.volume!));
    return {
      known: values.length,
      value: values.length > 0 ? sum(values) / values.length : undefined,
      weighted: weight > 0 ? sum(both.map((one) => one[metric]! * one.volume!)) / weight : undefined,
    };
  };
  return {
    keywords: distinct.length,
    repeats: all.length - distinct.length,
    volume: { known: known('volume').length, value: known('volume').length > 0 ? sum(known('volume')) : undefined },
    difficulty: average('difficulty'),
    cpc: average('cpc'),
    intent: intents.map((kind) => distinct.filter((one) => one.intent?.includes(kind)).length),
    intentKnown: distinct.filter((one) => one.intent !== undefined).length,
    // From all occurrences: the figures of a repeated keyword are no reason to hide it.
    top: Math.max(...all.map((one) => one.volume ?? Number.NEGATIVE_INFINITY)),
  };
}

async function packOf(bytes: Uint8Array<ArrayBuffer>) {
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(bytes.slice());
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

/** Means are stored as 32-bit floats. */
function same(shown: number | undefined, wanted: number | undefined): void {
  if (wanted === undefined) expect(shown ?? Number.NaN).toBeNaN();
  else expect(Math.abs(shown! - wanted)).toBeLessThanOrEqual(1e-5 * Math.max(1, wanted));
}

function sameMeasure(
  shown: Measure,
  wanted: { known: number; value: number | undefined; weighted?: number | undefined },
) {
  expect(shown.known).toBe(wanted.known);
  same(shown.value, wanted.value);
  if ('weighted' in wanted) same(shown.weighted, wanted.weighted);
}

// Shows P14.11.
test('every figure in the details, the outline, the charts and the table matches the file, for random trees', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(file, async (given) => {
      const bytes = new TextEncoder().encode(JSON.stringify(given));
      const pack = await packOf(bytes);
      const tree = loadTree(decodeSlice(encodeSlice(await takeSlice(pack, { node: 0, skip: 0, budget: 20_000 }))));
      expect(tree.size).toBe(pack.metadata.nodes);
      const byPath = new Map<string, Node[]>();
      const file = (node: Node, above: string) => {
        const path = `${above}/${node.name}`;
        byPath.set(path, [...(byPath.get(path) ?? []), node]);
        for (const child of node.children ?? []) file(child, path);
      };
      file(given.hierarchy, '');
      for (let row = 0; row < tree.size; row++) {
        const detail = await describeNode(pack, tree.node[row]!, arraySource(bytes));
        const nodes = byPath.get(`/${detail.path.map((place) => place.name).join('/')}`)!;
        // Of siblings with the same name, either is accepted.
        if (nodes.length > 1) continue;
        const wanted = figuresOf(nodes[0]!, given);
        compared++;
        expect([detail.keywords, detail.repeats]).toEqual([wanted.keywords, wanted.repeats]);
        sameMeasure(detail.volume, wanted.volume);
        sameMeasure(detail.difficulty, wanted.difficulty);
        sameMeasure(detail.cpc, wanted.cpc);
        expect(intents.map((kind) => detail.intent[kind])).toEqual(wanted.intent);
        expect(detail.intent.known).toBe(wanted.intentKnown);
        expect(detail.topKeyword?.volume ?? Number.NEGATIVE_INFINITY).toBe(wanted.top);
        expect([tree.keywords[row], tree.volumeKnown[row]]).toEqual([wanted.keywords, wanted.volume.known]);
        same(tree.volume[row], wanted.volume.value);
        expect([tree.difficultyKnown[row], tree.cpcKnown[row]]).toEqual([wanted.difficulty.known, wanted.cpc.known]);
        same(tree.difficulty[row], wanted.difficulty.value);
        same(tree.cpc[row], wanted.cpc.value);
        expect([...tree.intent.subarray(4 * row, 4 * row + 4)]).toEqual(wanted.intent);
      }
    }),
    { numRuns: sampled(1_000), seed: 20261122 },
  );
  expect(compared, 'nodes').toBeGreaterThan(700);
});
