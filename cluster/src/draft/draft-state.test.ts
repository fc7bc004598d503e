import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesOf, DraftAddresses } from './addresses.ts';
import { type DraftState, excluded, type LooseTopic, looseTopics, newStrayTopic, orderedState } from './draft-state.ts';

const topic = (id: string, name: string, changes: Partial<LooseTopic> = {}): LooseTopic => ({
  ...newStrayTopic(id),
  name,
  kind: 'pillar_topic',
  ...changes,
});

/** Topics with one keyword of that volume each. */
function stateOf(
  topics: readonly LooseTopic[],
  volume: readonly number[],
  places: readonly (string | undefined)[] = topics.map(({ id }) => id),
) {
  return orderedState(
    {
      topics,
      topicOf: (keyword) => places[keyword],
      similarity: new Float32Array(volume.length),
      sentToStrays: new Uint8Array(volume.length),
      excludedFrom: new Map(),
      goneFrom: new Map(),
      reviewed: new Uint8Array(volume.length),
      stop: 4,
      next: 100,
    },
    Float64Array.from(volume),
  );
}
const namesById = ({ topics }: DraftState) => Object.fromEntries(topics.map(({ id, name }) => [id, name]));

test('siblings of one name get different ones, and the heaviest keeps it', () => {
  const state = stateOf([topic('k1', 'lamp'), topic('k2', 'lamp'), topic('k3', 'lamp')], [1, 3, 2]);
  expect(namesById(state)).toEqual({ k2: 'lamp', k3: 'lamp (2)', k1: 'lamp (3)' });
});

test('a name that a person gave stays, then one that is locked, whatever the volume', () => {
  const renamed = topic('k1', 'lamp', { isRenamed: true, isLocked: true });
  const locked = topic('k2', 'shoe', { isLocked: true });
  const state = stateOf([renamed, locked, topic('k3', 'lamp'), topic('k4', 'shoe')], [1, 1, 9, 9]);
  expect(namesById(state)).toEqual({ k1: 'lamp', k2: 'shoe', k3: 'lamp (2)', k4: 'shoe (2)' });
});

test('names that differ in composition alone are one, and a name that is free stays as it is composed', () => {
  const state = stateOf([topic('k1', 'caf\u00e9'), topic('k2', 'cafe\u0301')], [1, 2]);
  expect(namesById(state)).toEqual({ k2: 'cafe\u0301', k1: 'caf\u00e9 (2)' });
});

test('a new topic takes no name from one that was there, whatever the volume', () => {
  const state = stateOf([topic('k1', 'lamp'), topic('k2', 'lamp', { isNew: true })], [1, 9]);
  expect(namesById(state)).toEqual({ k2: 'lamp (2)', k1: 'lamp' });
});

test('equal topics have the same order, whatever the order they come in', () => {
  const topics = ['k1', 'k2', 'k3', 'k4'].map((id) => topic(id, 'lamp'));
  const expected = stateOf(topics, [1, 1, 1, 1]);
  fc.assert(
    fc.property(fc.shuffledSubarray(topics, { minLength: 4 }), (shuffled) => {
      expect(stateOf(shuffled, [1, 1, 1, 1], ['k1', 'k2', 'k3', 'k4'])).toEqual(expected);
    }),
  );
});

test('topics without keywords are left out, with all that is below them', () => {
  const topics = [topic('k1', 'lamp'), topic('k2', 'shoe'), topic('k3', 'boot', { kind: 'cluster', above: 'k2' })];
  const state = stateOf(topics, [1, 1], ['k1', undefined]);
  expect(state.topics.map(({ id }) => id)).toEqual(['k1']);
  expect([...state.topicOf]).toEqual([0, excluded]);
});

test('a state that is put in order again stays as it is', () => {
  const state = stateOf(
    [
      topic('k1', 'lamp'),
      topic('k2', 'lamp'),
      topic('k3', 'bulb', { kind: 'cluster', above: 'k2' }),
      newStrayTopic('k4'),
    ],
    [1, 2, Number.NaN, 50],
  );
  const again = orderedState(
    { ...state, topics: looseTopics(state).reverse(), topicOf: (keyword) => state.topics[state.topicOf[keyword]!]!.id },
    Float64Array.of(1, 2, Number.NaN, 50),
  );
  expect(again).toEqual(state);
});

test('addresses that were computed before are those of their revision and its root', () => {
  const states = ['lamp', 'desk', 'sofa', 'rug', 'bed'].map((name) => stateOf([topic('k1', name)], [1]));
  for (const round of [1, 2]) {
    for (const state of states.slice(round)) {
      for (const root of ['shop', 'store', 'shop']) {
        const [kept, fresh] = [addressesOf(state, ['a keyword'], root), new DraftAddresses(state, ['a keyword'], root)];
        expect(kept.ofTopic(0)).toBe(fresh.ofTopic(0));
        expect(kept.find(fresh.ofKeyword(0))).toEqual({ keyword: 0 });
        expect(addressesOf(state, ['a keyword'], root)).toBe(kept);
      }
    }
  }
});
