import { beforeAll, describe, expect, test } from 'vitest';
import { type MadeDraft, madeDraft } from '../../test/support/made-draft.ts';
import { keywordsOf } from './context.ts';
import type { DraftState } from './draft-state.ts';

let draft: MadeDraft;
beforeAll(async () => {
  draft = await madeDraft('groups');
});

const atStop = (state: DraftState, stop: number): DraftState => draft.apply(state, { kind: 'granularity', stop }).state;
const groupOf = ({ topics, topicOf }: DraftState, keyword: number): string => {
  let topic = topicOf[keyword]!;
  while (topics[topic]!.parent >= 0) topic = topics[topic]!.parent;
  return topics[topic]!.name;
};
/** Each topic by its path, with its keywords. */
const outline = (state: DraftState) =>
  state.topics.map(({ name, kind, parent, confidence }, topic) => ({
    path: [parent < 0 ? '' : state.topics[parent]!.name, name],
    kind,
    confidence,
    keywords: [...keywordsOf(state, topic)],
  }));
const clusters = ({ topics }: DraftState) => topics.filter(({ kind }) => kind === 'cluster').length;

describe('granularity in groups that the list came with', () => {
  // Shows P22.3.
  test('divides each group inside itself: no keyword leaves its group, and no group goes', () => {
    const before = draft.texts.map((_, keyword) => groupOf(draft.first, keyword));
    for (let stop = 1; stop <= 9; stop++) {
      const state = atStop(draft.first, stop);
      expect(draft.texts.map((_, keyword) => groupOf(state, keyword))).toEqual(before);
      expect(state.stop).toBe(stop);
    }
    expect(clusters(atStop(draft.first, 9))).toBeGreaterThan(clusters(atStop(draft.first, 1)));
  });

  test('gives the draft as it began at the stop that it began with, whatever came between', () => {
    const again = atStop(atStop(draft.first, 9), draft.first.stop!);
    expect(outline(again)).toEqual(outline(draft.first));
    expect(again.similarity).toEqual(draft.first.similarity);
  });

  test('leaves locked clusters and strays that a person sent there as they are', () => {
    const some = draft.first.topics.findIndex(({ kind }) => kind === 'cluster');
    const { id } = draft.first.topics[some]!;
    const out = keywordsOf(
      draft.first,
      draft.first.topics.findLastIndex(({ kind }) => kind === 'cluster'),
    )[0]!;
    const addresses = draft.addresses(draft.first);
    const locked = draft.apply(draft.first, { kind: 'lock', nodes: [addresses.ofTopic(some)] }).state;
    const sent = draft.apply(locked, { kind: 'strays', nodes: [draft.addresses(locked).ofKeyword(out)] }).state;
    for (const stop of [1, 9]) {
      const state = atStop(sent, stop);
      const now = state.topics.findIndex((topic) => topic.id === id);
      expect(keywordsOf(state, now)).toEqual(keywordsOf(draft.first, some));
      expect(state.topics[state.topicOf[out]!]!.kind).toBe('stray');
    }
  });

  test('leaves a group that is locked, and all that was moved into another one', () => {
    const addresses = draft.addresses(draft.first);
    const [first, second] = draft.first.topics.flatMap(({ parent }, topic) => (parent < 0 ? [topic] : []));
    const cluster = draft.first.topics.findIndex(({ parent }) => parent === second);
    const members = keywordsOf(draft.first, cluster);
    const { name } = draft.first.topics[first!]!;
    const moved = draft.apply(draft.first, {
      kind: 'move',
      nodes: [addresses.ofTopic(cluster)],
      to: addresses.ofTopic(first!),
    }).state;
    const state = atStop(moved, 9);
    for (const keyword of members) expect(groupOf(state, keyword)).toBe(name);
  });
});
