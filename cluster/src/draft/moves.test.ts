import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DraftAddresses } from './addresses.ts';
import { movesOf } from './draft-json.ts';
import { beginDraft, type DraftState, type LooseTopic, looseTopics, orderedState } from './draft-state.ts';

const texts = ['a', 'b', 'c', 'd', 'e'];
const volume = Float64Array.of(5, 4, 3, 2, 1);
const topic = (id: string, kind: LooseTopic['kind'], above?: string): LooseTopic => ({
  ...{ id, name: id, kind, above, confidence: Number.NaN, terms: [], volume: 0, keywords: 0 },
  ...{ isLocked: false, isRenamed: false, isNew: false },
});
const empty = beginDraft({ topics: [], topicOf: new Int32Array(5), similarity: new Float32Array(5) }, undefined);

/** Pillar topics p and q; clusters x (a, b) and y (c) in p, z (d, e) in q. */
const before = orderedState(
  {
    ...empty,
    topics: [
      topic('p', 'pillar_topic'),
      topic('q', 'pillar_topic'),
      topic('x', 'cluster', 'p'),
      topic('y', 'cluster', 'p'),
      topic('z', 'cluster', 'q'),
    ],
    topicOf: (keyword) => ['x', 'x', 'y', 'z', 'z'][keyword],
  },
  volume,
);
const changed = (change: (topic: LooseTopic) => LooseTopic, topicOf = before): DraftState =>
  orderedState(
    { ...before, topics: looseTopics(before).map(change), topicOf: (keyword) => idOf(topicOf, keyword) },
    volume,
  );
/** Whether a cluster can be moved there. */
const isThere = ({ topics }: DraftState, { kind }: LooseTopic, above: string) =>
  kind === 'cluster' && topics.some(({ id }) => id === above);
const idOf = ({ topics, topicOf }: DraftState, keyword: number) => topics[topicOf[keyword]!]!.id;
const address = (state: DraftState, id: string, root = 'root') =>
  new DraftAddresses(state, texts, root).ofTopic(state.topics.findIndex((one) => one.id === id));
const moves = (after: DraftState, name = 'root', earlier: [string, string][] = []) =>
  movesOf({ state: before, name: 'root' }, { state: after, name }, texts, earlier);

test('nothing has moved in a map that nobody changed', () => {
  expect(moves(before)).toEqual([]);
});

test('a renamed branch is followed, with what is in it', () => {
  const after = changed((one) => (one.id === 'p' ? { ...one, name: 'new' } : one));
  expect(new Map(moves(after))).toEqual(
    new Map(['p', 'x', 'y'].map((id) => [address(before, id), address(after, id)])),
  );
});

test('a moved cluster is followed, and one that was merged leads to the other', () => {
  const moved = changed((one) => (one.id === 'y' ? { ...one, above: 'q' } : one));
  expect(moves(moved)).toEqual([[address(before, 'y'), address(moved, 'y')]]);
  const merged = orderedState(
    { ...before, topics: looseTopics(before), topicOf: (keyword) => ['x', 'x', 'x', 'z', 'z'][keyword] },
    volume,
  );
  expect(moves(merged)).toEqual([[address(before, 'y'), address(before, 'x')]]);
});

test('a branch whose keywords are scattered leads nowhere', () => {
  const scattered = orderedState(
    { ...before, topics: looseTopics(before), topicOf: (keyword) => ['y', 'z', 'y', 'z', 'z'][keyword] },
    volume,
  );
  expect(moves(scattered)).toEqual([]);
});

test('another name of the map moves everything', () => {
  expect(new Map(moves(before, 'other'))).toEqual(
    new Map(['p', 'q', 'x', 'y', 'z'].map((id) => [address(before, id), address(before, id, 'other')])),
  );
});

test('earlier moves lead to where their branches are now, and go when they lead back', () => {
  const after = changed((one) => (one.id === 'z' ? { ...one, name: 'new' } : one));
  const now = address(after, 'z');
  const old = '00000000000000aa';
  expect(moves(after, 'root', [[old, address(before, 'z')]])).toEqual([
    [old, now],
    [address(before, 'z'), now],
  ]);
  expect(moves(after, 'root', [[now, address(before, 'z')]])).toEqual([[address(before, 'z'), now]]);
});

// Shows P23.10.
test('in any order of renaming and moving, each address leads to the branch with the same ID', () => {
  const change = fc.record({
    id: fc.constantFrom('p', 'q', 'x', 'y', 'z'),
    name: fc.constantFrom('p', 'q', 'x', 'new', 'other'),
    above: fc.constantFrom('p', 'q'),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      let after = before;
      for (const { id, name, above } of changes) {
        const state = after;
        const topics = looseTopics(state).map((one) =>
          one.id === id ? { ...one, name, ...(isThere(state, one, above) && { above }) } : one,
        );
        after = orderedState({ ...state, topics, topicOf: (keyword) => idOf(state, keyword) }, volume);
      }
      const found = new Map(moves(after));
      for (const { id } of before.topics) {
        // A pillar topic without clusters is gone.
        if (!after.topics.some((one) => one.id === id)) continue;
        expect(found.get(address(before, id)) ?? address(before, id)).toBe(address(after, id));
      }
    }),
  );
});
