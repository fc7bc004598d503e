import { createIngest } from '@kc/pack/ingest';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { checkPack } from '@kc/pack/write/pack-check';
import { writePack } from '@kc/pack/write/pack-writer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMap } from '../map/read-map.ts';
import { listSettingsOf } from '../pipeline/cluster.ts';
import { DraftAddresses } from './addresses.ts';
import { draftJson } from './draft-json.ts';
import type { DraftState } from './draft-state.ts';
import { applyOperation, type DraftOperation } from './operations.ts';

/** Lighter topics before heavier ones, figures of nodes that are not those of entries, and figures written oddly. */
const text = JSON.stringify(
  {
    keywords: [
      { keyword: 'red hose', search_volume: 10, trend: [1, 0.5] },
      { search_volume: 900, keyword: 'blue hose', cpc: 1.5 },
      'spade',
      { keyword: 'rake', search_volume: 70 },
      { keyword: 'cat food', search_volume: 5, similarity: 0.5 },
      { keyword: 'dog food', search_volume: 60 },
      { keyword: 'bowl', search_volume: 1 },
    ],
    hierarchy: {
      type: 'root',
      name: 'shop',
      children: [
        {
          name: 'Pets',
          children: [
            { name: 'Food', confidence: 61, children: [{ name: 'cat food', search_volume: 7 }, { name: 'dog food' }] },
            'bowl',
          ],
        },
        {
          children: [
            { name: 'Tools', children: [{ name: 'spade', search_volume: 40, keyword_difficulty: 12 }, 'rake'] },
            { children: ['red hose', { name: 'blue hose', type: 'keyword', cpc: 3 }], name: 'Hoses', type: 'cluster' },
          ],
          name: 'Garden',
        },
      ],
    },
  },
  undefined,
  1,
).replace('0.5\n', '0.50\n');

const map = readMap(text);
const context = {
  list: { texts: map.texts, volume: map.volume },
  settings: listSettingsOf({}),
  prepared: undefined,
};
const written = (state: DraftState): string => Buffer.concat([...draftJson({ ...map, state })]).toString();
const topicAt = (state: DraftState, name: string) => state.topics.findIndex((topic) => topic.name === name);
const addressOf = (state: DraftState, name: string): string => {
  const addresses = new DraftAddresses(state, map.texts, map.name);
  const topic = topicAt(state, name);
  return topic < 0 ? addresses.ofKeyword(map.texts.indexOf(name)) : addresses.ofTopic(topic);
};
function after(...operations: ((address: (name: string) => string) => DraftOperation)[]): DraftState {
  let { state } = map;
  for (const operation of operations) {
    const from = state;
    const result = applyOperation(
      context,
      from,
      operation((name) => addressOf(from, name)),
      map.name,
    );
    if ('refusal' in result) throw new Error(result.refusal);
    state = result.state;
  }
  return state;
}
/** The text of a node of the original. */
const originalOf = (name: string): string => {
  const { start, end } = map.original.topics[topicAt(map.state, name)]!;
  return text.slice(start, end);
};
const entryOf = (keyword: number): string =>
  text.slice(map.original.entries[2 * keyword], map.original.entries[2 * keyword + 1]);

// Shows P23.11.
test('what nobody changed is as it was, byte for byte and in its order', () => {
  const json = written(map.state);
  expect(json).toContain(
    `"hierarchy":{"name":"shop","type":"root","children":[${originalOf('Pets')},${originalOf('Garden')}]}`,
  );
  expect(json).toContain(`"keywords":[${map.texts.map((_, keyword) => entryOf(keyword)).join(',')}]`);
});

test('of a branch with a change, only what is changed is written anew', () => {
  const json = written(after((address) => ({ kind: 'rename', node: address('Tools'), name: 'Hand tools' })));
  expect(json).toContain(
    `${originalOf('Pets')},{"name":"Garden","type":"pillar_topic","children":[{"name":"Hand tools"`,
  );
  expect(json).toContain(originalOf('Hoses'));
  expect(JSON.parse(json).hierarchy.children[1].children[0].children).toEqual([
    { name: 'spade', search_volume: 40, keyword_difficulty: 12 },
    'rake',
  ]);
});

test('a keyword that moves keeps the figures of its node, and stands where its volume puts it', () => {
  const json = written(after((address) => ({ kind: 'move', nodes: [address('spade')], to: address('Hoses') })));
  expect(JSON.parse(json).hierarchy.children[1].children).toMatchObject([
    { name: 'Tools', children: ['rake'] },
    {
      name: 'Hoses',
      children: [
        { name: 'spade', search_volume: 40, keyword_difficulty: 12 },
        'red hose',
        { name: 'blue hose', type: 'keyword', cpc: 3 },
      ],
    },
  ]);
});

test('topics keep their order, and new ones stand before the first that is lighter', () => {
  const newPillar = (name: string, keyword: string) => (address: (name: string) => string) =>
    ({ kind: 'move', nodes: [address(keyword)], to: { newPillar: name } }) as const;
  const state = after(newPillar('Heavy', 'blue hose'), newPillar('Light', 'bowl'));
  expect(state.topics.filter(({ parent }) => parent < 0).map(({ name }) => name)).toEqual([
    'Heavy',
    'Pets',
    'Garden',
    'Light',
  ]);
});

test('an entry of which the similarity changed is written anew, with all it had', () => {
  const state = after((address) => ({ kind: 'strays', nodes: [address('cat food')] }));
  const { keywords } = JSON.parse(written(state)) as { keywords: unknown[] };
  expect(keywords[4]).toEqual({ keyword: 'cat food', search_volume: 5 });
  expect(written(state)).toContain(entryOf(0));
});

test('a topic in which a keyword of the name of a topic stands before it is written anew, so that addresses stay', () => {
  const crossed = readMap(
    JSON.stringify({
      hierarchy: { name: 'x', children: [{ name: 'p', children: ['a', { name: 'a', children: ['b', 'c'] }] }] },
    }),
  );
  const json = Buffer.concat([...draftJson(crossed)]).toString();
  expect(JSON.parse(json).hierarchy.children[0].children.map((child: { name?: string }) => child.name)).toEqual([
    'a',
    undefined,
  ]);
});

type Figures = Readonly<Record<string, unknown>>;

/** All figures of every branch and keyword, by its address. */
async function figuresOf(json: string): Promise<Map<string, Figures>> {
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(new TextEncoder().encode(json));
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await checkPack(arraySource(sink.bytes()));
  const slice = await takeSlice(pack, { node: 0, budget: pack.metadata.nodes, skip: 0 });
  const hex = (half: number) => half.toString(16).padStart(8, '0');
  return new Map(
    Array.from({ length: slice.rows }, (_, row) => [
      hex(slice.address[2 * row]!) + hex(slice.address[2 * row + 1]!),
      {
        leaves: slice.leaves[row],
        keywords: slice.keywords[row],
        volume: slice.volume[row],
        volumeKnown: slice.volumeKnown[row],
        difficulty: slice.difficulty[row],
        difficultyKnown: slice.difficultyKnown[row],
        cpc: slice.cpc[row],
        cpcKnown: slice.cpcKnown[row],
        intents: slice.intent.subarray(4 * row, 4 * row + 4).join(' '),
      },
    ]),
  );
}

const operation = fc.oneof(
  fc.record({ kind: fc.constant('rename'), at: fc.nat(), name: fc.constantFrom('a', 'Food', 'Pets') }),
  fc.record({ kind: fc.constantFrom('merge', 'move', 'strays', 'exclude', 'lock'), at: fc.nat(), to: fc.nat() }),
);

// Shows P23.11.
test('whatever is done elsewhere, the figures of a branch stay as they were in the map', async () => {
  const before = await figuresOf(text);
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 5 }), async (wanted) => {
      let { state } = map;
      for (const one of wanted) {
        const addresses = new DraftAddresses(state, map.texts, map.name);
        const all = [
          ...state.topics.map((_, topic) => addresses.ofTopic(topic)),
          ...[...state.topicOf.keys()]
            .filter((keyword) => state.topicOf[keyword]! >= 0)
            .map((keyword) => addresses.ofKeyword(keyword)),
        ];
        const node = all[one.at % all.length]!;
        const to = 'to' in one ? all[one.to % all.length]! : node;
        const made = { ...one, node, nodes: one.kind === 'merge' ? [node, to] : [node], to };
        const result = applyOperation(context, state, made as unknown as DraftOperation, map.name);
        if (!('refusal' in result)) state = result.state;
      }
      const now = await figuresOf(written(state));
      const [then, here] = [map.state, state].map((one) => new DraftAddresses(one, map.texts, map.name));
      for (const [topic, { id }] of map.state.topics.entries()) {
        const at = state.topics.findIndex((one) => one.id === id);
        const inside = (one: DraftState, number: number) =>
          [...one.topicOf.keys()].filter((keyword) => {
            let place = one.topicOf[keyword]!;
            while (place >= 0 && place !== number) place = one.topics[place]!.parent;
            return place === number;
          });
        if (at < 0 || String(inside(state, at)) !== String(inside(map.state, topic))) continue;
        expect(now.get(here!.ofTopic(at))).toEqual(before.get(then!.ofTopic(topic)));
      }
    }),
    { numRuns: 40 },
  );
});

test('strays of the map keep their entries when something else is changed', () => {
  const entry = { keyword: 'lost', similarity: 0.25 };
  const strays = { name: 'Rest', type: 'stray', children: ['lost'] };
  const other = { name: 'Tools', type: 'pillar_topic', children: ['spade'] };
  const read = readMap(
    JSON.stringify({ keywords: [entry, 'spade'], hierarchy: { name: 'shop', children: [other, strays] } }),
  );
  const node = new DraftAddresses(read.state, read.texts, read.name).ofTopic(topicAt(read.state, 'Tools'));
  const list = { texts: read.texts, volume: read.volume };
  const result = applyOperation({ ...context, list }, read.state, { kind: 'rename', node, name: 'Garden' }, read.name);
  if ('refusal' in result) throw new Error(result.refusal);
  const json = Buffer.concat([...draftJson({ ...read, state: result.state })]).toString();
  expect((JSON.parse(json) as { keywords: unknown[] }).keywords[0]).toEqual(entry);
});
