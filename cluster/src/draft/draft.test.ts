import { createIngest } from '@kc/pack/ingest';
import { formatAddress } from '@kc/pack/names/path-hash';
import { beforeAll, describe, expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import { divide, listSettingsOf, prepareList } from '../pipeline/cluster.ts';
import { DraftAddresses } from './addresses.ts';
import { type DraftContext, keywordsOf } from './context.ts';
import { draftJson } from './draft-json.ts';
import { beginDraft, type DraftState, excluded } from './draft-state.ts';
import { applyOperation, type DraftOperation, type OperationEffect } from './operations.ts';

const rootName = 'made';
const made = madeKeywords();
const settings = listSettingsOf({ shape: 'pages', smallestCluster: 2 });
let context: DraftContext;
let first: DraftState;

beforeAll(async () => {
  const prepared = await prepareList(made, settings, { encoder: madeEncoder, neighbours: exactNeighbours });
  context = { list: made, settings, prepared };
  first = beginDraft(divide(made, prepared, settings), settings.stop);
});

const addressesOf = (state: DraftState) => new DraftAddresses(state, made.texts, rootName);
const addressOf = (state: DraftState, text: string) => addressesOf(state).ofKeyword(made.texts.indexOf(text));
const topicNamed = (state: DraftState, name: string) => state.topics.findIndex((topic) => topic.name === name);
const clusterOf = (state: DraftState, text: string) => state.topics[state.topicOf[made.texts.indexOf(text)]!]!;
const clusterAddress = (state: DraftState, text: string) =>
  addressesOf(state).ofTopic(state.topicOf[made.texts.indexOf(text)]!);

function apply(state: DraftState, operation: DraftOperation): { state: DraftState; effect: OperationEffect } {
  const result = applyOperation(context, state, operation, rootName);
  if ('refusal' in result) throw new Error(result.refusal);
  return result;
}
const refusalOf = (state: DraftState, operation: DraftOperation) => {
  const result = applyOperation(context, state, operation, rootName);
  return 'refusal' in result ? result.refusal : undefined;
};
const jsonOf = (state: DraftState) =>
  Buffer.concat([
    ...draftJson({ name: rootName, texts: made.texts, fields: [], volume: made.volume, state, clustering: {} }),
  ]);

/** What must hold of every state. */
function check(state: DraftState): void {
  const siblings = new Map<number, Set<string>>();
  const counts = new Int32Array(state.topics.length);
  state.topicOf.forEach((lowest, keyword) => {
    expect(lowest === excluded).toBe(state.excludedFrom.has(keyword));
    for (let topic = lowest; topic >= 0; topic = state.topics[topic]!.parent) counts[topic]!++;
  });
  state.topics.forEach(({ name, parent, id }, topic) => {
    expect(parent).toBeLessThan(topic);
    expect(counts[topic], `${id} is not empty`).toBeGreaterThan(0);
    const names = siblings.get(parent) ?? new Set();
    expect(names.has(name), `${name} is there once`).toBe(false);
    siblings.set(parent, names.add(name));
  });
  expect(new Set(state.topics.map(({ id }) => id)).size).toBe(state.topics.length);
}

describe('topics that are named anew', () => {
  const cluster = (state: DraftState) => state.topicOf[made.texts.indexOf('red shoe')]!;
  const named = (by: 'phrase' | 'keyword', state = first) =>
    apply(state, { kind: 'name', nodes: [clusterAddress(state, 'red shoe')], by });

  test('are called after a keyword or a phrase, are kept like renamed ones, and the others keep their names', () => {
    const { state, effect } = named('keyword');
    const own = Array.from(keywordsOf(state, cluster(state)), (row) => made.texts[row]!);
    expect(own).toContain(clusterOf(state, 'red shoe').name);
    expect(clusterOf(state, 'red shoe')).toMatchObject({ isLocked: true, isRenamed: true });
    expect(effect).toMatchObject({
      code: 'draft/named',
      params: { count: 1, name: clusterOf(state, 'red shoe').name },
    });
    const { id } = clusterOf(first, 'red shoe');
    const others = (some: DraftState) => new Map(some.topics.map((topic) => [topic.id, topic.name]));
    expect(new Map([...others(state), [id, '']])).toEqual(new Map([...others(first), [id, '']]));
    expect(clusterOf(named('phrase', state).state, 'red shoe').name).toBe(clusterOf(first, 'red shoe').name);
    check(state);
  });
  test('are all in a selection of topics, but not strays or keywords', () => {
    const nodes = first.topics.map((_, topic) => addressesOf(first).ofTopic(topic));
    const { state } = apply(first, { kind: 'name', nodes, by: 'keyword' });
    for (const { name } of state.topics) expect(made.texts).toContain(name);
    check(state);
    expect(refusalOf(first, { kind: 'name', nodes: [addressOf(first, 'red shoe')], by: 'phrase' })).toBe(
      'draft/not-here',
    );
    const strays = apply(first, { kind: 'strays', nodes: [addressOf(first, 'cheap lamp')] }).state;
    const stray = addressesOf(strays).ofTopic(topicNamed(strays, 'Stray keywords'));
    expect(refusalOf(strays, { kind: 'name', nodes: [stray], by: 'phrase' })).toBe('draft/not-here');
  });
});

test('addresses are those of the nodes in the pack, of keywords called like a topic, too', () => {
  const renamed = apply(first, { kind: 'rename', node: clusterAddress(first, 'red shoe'), name: 'red boot review' });
  const state = apply(renamed.state, { kind: 'strays', nodes: [addressOf(renamed.state, 'cheap lamp')] }).state;
  const ingest = createIngest({ hashKey: [1, 2] });
  expect(ingest.push(jsonOf(state))).toBeUndefined();
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const { address } = result.tree;
  const nodes = new Set(
    Array.from({ length: result.tree.counts.nodes }, (_, node) =>
      formatAddress(address[2 * node + 1]!, address[2 * node]!),
    ),
  );
  const own = addressesOf(state);
  for (const topic of state.topics.keys()) expect(nodes).toContain(own.ofTopic(topic));
  for (const keyword of made.texts.keys()) expect(nodes).toContain(own.ofKeyword(keyword));
  expect(nodes.size).toBe(1 + state.topics.length + made.texts.length);
});

describe('an operation', () => {
  test('renames a cluster, which is then locked, and refuses a name that a sibling has', () => {
    const { state, effect } = apply(first, {
      kind: 'rename',
      node: clusterAddress(first, 'red shoe'),
      name: ' Good  shoes ',
    });
    expect(clusterOf(state, 'red shoe')).toMatchObject({ name: 'Good shoes', isLocked: true, isRenamed: true });
    expect(effect).toEqual({
      code: 'draft/renamed',
      params: { name: 'Good shoes' },
      node: clusterAddress(state, 'red shoe'),
    });
    const pillars = state.topics.filter(({ parent }) => parent < 0);
    const pillar = addressesOf(state).ofTopic(topicWithId(state, pillars[0]!.id));
    expect(refusalOf(state, { kind: 'rename', node: pillar, name: pillars[1]!.name })).toBe('draft/pillar-taken');
    const node = clusterAddress(state, 'red shoe');
    const { parent } = clusterOf(state, 'red shoe');
    const sibling = state.topics.find((topic) => topic.parent === parent && topic.name !== 'Good shoes')!;
    expect(refusalOf(state, { kind: 'rename', node, name: sibling.name })).toBe('draft/name-taken');
    expect(refusalOf(state, { kind: 'rename', node, name: '  ' })).toBe('draft/name-empty');
    expect(refusalOf(first, { kind: 'rename', node: '0'.repeat(16), name: 'x' })).toBe('draft/unknown-node');
    expect(refusalOf(first, { kind: 'rename', node: addressOf(first, 'red shoe'), name: 'x' })).toBe('draft/not-here');
  });

  test('merges clusters into the heaviest one', () => {
    const texts = ['red shoe', 'red lamp', 'red tent'];
    const before = texts.map((text) => clusterOf(first, text));
    const volumeOf = (id: string) =>
      keywordsOf(
        first,
        first.topics.findIndex((topic) => topic.id === id),
      ).reduce((sum, keyword) => sum + (made.volume[keyword]! || 0), 0);
    const { state, effect } = apply(first, { kind: 'merge', nodes: texts.map((text) => clusterAddress(first, text)) });
    const kept = before.toSorted((a, b) => volumeOf(b.id) - volumeOf(a.id))[0]!;
    for (const text of texts) expect(clusterOf(state, text)).toMatchObject({ id: kept.id, isLocked: true });
    const keywords = new Set(before.flatMap(({ id }) => [...keywordsOf(first, topicWithId(first, id))])).size;
    expect(effect).toMatchObject({
      code: 'draft/merged',
      params: { count: 3, name: kept.name, keywords: `${keywords}` },
    });
    const pillar = addressesOf(first).ofTopic(before[0]!.parent);
    expect(refusalOf(first, { kind: 'merge', nodes: [pillar, clusterAddress(first, 'red lamp')] })).toBe(
      'draft/one-level',
    );
  });

  test('splits a cluster into siblings with all of its keywords, until nothing can be told apart', () => {
    const shoes = ['red shoe', 'red lamp'].map((text) => clusterAddress(first, text));
    const { state } = apply(first, { kind: 'merge', nodes: shoes });
    const before = keywordsOf(state, topicWithId(state, clusterOf(state, 'red shoe').id));
    const { state: split, effect } = apply(state, { kind: 'split', node: clusterAddress(state, 'red shoe') });
    const parts = new Set(Array.from(before, (keyword) => split.topicOf[keyword]!));
    expect(parts.size).toBe(effect.params!.parts);
    expect(parts.size).toBeGreaterThan(1);
    expect(clusterOf(split, 'red shoe').id).not.toBe(clusterOf(split, 'red lamp').id);
    expect(
      refusalOf({ ...first }, { kind: 'split', node: addressesOf(first).ofTopic(clusterOf(first, 'red shoe').parent) }),
    ).toBe('draft/not-here');
    const without = applyOperation(
      { ...context, prepared: undefined },
      first,
      { kind: 'split', node: shoes[0]! },
      rootName,
    );
    expect(without).toEqual({ refusal: 'draft/not-splittable' });
  });

  test('moves keywords to a cluster and clusters to another or a new pillar topic', () => {
    const to = clusterAddress(first, 'red lamp');
    const { state } = apply(first, { kind: 'move', nodes: [addressOf(first, 'red shoe')], to });
    expect(clusterOf(state, 'red shoe').id).toBe(clusterOf(state, 'red lamp').id);
    expect(clusterOf(state, 'red lamp').isLocked).toBe(true);
    const { state: own, effect } = apply(state, {
      kind: 'move',
      nodes: [clusterAddress(state, 'red lamp')],
      to: { newPillar: 'Lights' },
    });
    const pillar = own.topics[clusterOf(own, 'red lamp').parent]!;
    expect(pillar).toMatchObject({ name: 'Lights', kind: 'pillar_topic', isLocked: true });
    expect(effect.node).toBe(addressesOf(own).ofTopic(topicNamed(own, 'Lights')));
    expect(refusalOf(own, { kind: 'move', nodes: [effect.node!], to: clusterAddress(own, 'red tent') })).toBe(
      'draft/not-here',
    );
    expect(
      refusalOf(own, { kind: 'move', nodes: [clusterAddress(own, 'red tent')], to: { newPillar: 'Lights' } }),
    ).toBe('draft/pillar-taken');
  });

  test('sends keywords to the strays, with the cluster if too few are left', () => {
    const cluster = clusterAddress(first, 'red shoe');
    const { state } = apply(first, { kind: 'strays', nodes: [cluster] });
    expect(clusterOf(state, 'red shoe').kind).toBe('stray');
    const all = keywordsOf(first, topicWithId(first, clusterOf(first, 'red shoe').id));
    const allButOne = Array.from(all.slice(1), (keyword) => addressesOf(first).ofKeyword(keyword));
    const dissolved = apply(first, { kind: 'strays', nodes: allButOne }).state;
    for (const keyword of all) expect(dissolved.topics[dissolved.topicOf[keyword]!]!.kind).toBe('stray');
  });

  test('excludes keywords and restores them to where they were', () => {
    const nodes = [addressOf(first, 'red shoe'), addressOf(first, 'red lamp')];
    const { state } = apply(first, { kind: 'exclude', nodes });
    check(state);
    expect(state.topicOf[made.texts.indexOf('red shoe')]).toBe(excluded);
    expect(jsonOf(state).toString()).not.toContain('"keyword":"red shoe"}');
    expect(JSON.parse(jsonOf(state).toString()).clustering.excluded).toHaveLength(2);
    const back = apply(state, { kind: 'restore', keywords: ['red shoe'] }).state;
    expect(clusterOf(back, 'red shoe').id).toBe(clusterOf(first, 'red shoe').id);
    const all = apply(back, { kind: 'restore', keywords: 'all' }).state;
    expect(all.excludedFrom.size).toBe(0);
    expect(all.topics.map(({ name }) => name)).toEqual(first.topics.map(({ name }) => name));
    const everything = first.topics.flatMap(({ parent }, topic) =>
      parent < 0 ? [addressesOf(first).ofTopic(topic)] : [],
    );
    expect(refusalOf(first, { kind: 'exclude', nodes: everything })).toBe('draft/nothing-left');
  });

  test('divides everything anew at another stop, except what is locked, sent to the strays or excluded', () => {
    let { state } = apply(first, { kind: 'lock', nodes: [clusterAddress(first, 'red shoe')] });
    state = apply(state, { kind: 'strays', nodes: [addressOf(state, 'red guitar')] }).state;
    state = apply(state, { kind: 'exclude', nodes: [addressOf(state, 'red tent')] }).state;
    const shoes = keywordsOf(state, topicWithId(state, clusterOf(state, 'red shoe').id));
    for (const stop of [9, 1, 4]) {
      state = apply(state, { kind: 'granularity', stop }).state;
      check(state);
      expect(state.stop).toBe(stop);
      const now = clusterOf(state, 'red shoe');
      expect(keywordsOf(state, topicWithId(state, now.id))).toEqual(shoes);
      expect(now).toMatchObject({ name: clusterOf(first, 'red shoe').name, isLocked: true });
      expect(clusterOf(state, 'red guitar').kind).toBe('stray');
      expect(state.topicOf[made.texts.indexOf('red tent')]).toBe(excluded);
    }
    expect(refusalOf({ ...first, stop: undefined }, { kind: 'granularity', stop: 3 })).toBe('draft/no-granularity');
  });

  test('that only renames or locks leaves every figure as it is, at any stop', () => {
    for (const stop of [4, 9, 1]) {
      const before = apply(first, { kind: 'granularity', stop }).state;
      const figures = (state: DraftState) => ({
        similarity: state.similarity,
        confidence: Object.fromEntries(state.topics.map(({ id, confidence }) => [id, confidence])),
      });
      const node = clusterAddress(before, 'red shoe');
      const renamed = apply(before, { kind: 'rename', node, name: 'Shoes' }).state;
      expect(figures(renamed)).toEqual(figures(before));
      expect(figures(apply(before, { kind: 'lock', nodes: [node] }).state)).toEqual(figures(before));
    }
  });

  test('that is taken back by hand gives the figures of before', () => {
    for (const stop of [4, 9]) {
      const before = apply(first, { kind: 'granularity', stop }).state;
      const home = clusterOf(before, 'red shoe').id;
      const away = apply(before, {
        kind: 'move',
        nodes: [addressOf(before, 'red shoe')],
        to: clusterAddress(before, 'red lamp'),
      }).state;
      const to = addressesOf(away).ofTopic(topicWithId(away, home));
      const back = apply(away, { kind: 'move', nodes: [addressOf(away, 'red shoe')], to }).state;
      expect(back.topics.map(({ confidence }) => confidence)).toEqual(
        before.topics.map(({ confidence }) => confidence),
      );
      back.similarity.forEach((value, keyword) => {
        expect(value).toBeCloseTo(before.similarity[keyword]!, 5);
      });
    }
  });

  test('of granularity alone makes what clustering at that stop makes', () => {
    for (const stop of [9, 2, 4]) {
      const { state } = apply(apply(first, { kind: 'granularity', stop: 7 }).state, { kind: 'granularity', stop });
      const again = listSettingsOf({ stop, shape: 'pages', smallestCluster: 2 });
      const tree = divide(made, context.prepared!, again);
      expect(state.topics.map(({ name, kind, parent }) => [name, kind, parent])).toEqual(
        tree.topics.map(({ name, kind, parent }) => [name, kind, parent]),
      );
      expect(state.topicOf).toEqual(tree.topicOf);
      expect(state.similarity).toEqual(tree.similarity);
    }
  });

  test('unlocks a cluster, which granularity then changes', () => {
    const locked = apply(first, { kind: 'lock', nodes: [clusterAddress(first, 'red shoe')] }).state;
    const unlocked = apply(locked, { kind: 'unlock', nodes: [clusterAddress(locked, 'red shoe')] }).state;
    const regrouped = apply(unlocked, { kind: 'granularity', stop: 9 }).state;
    expect(regrouped.topicOf).toEqual(apply(first, { kind: 'granularity', stop: 9 }).state.topicOf);
  });
});

const topicWithId = (state: DraftState, id: string) => state.topics.findIndex((topic) => topic.id === id);
