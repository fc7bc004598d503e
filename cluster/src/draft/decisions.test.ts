import { beforeAll, describe, expect, test } from 'vitest';
import { type MadeDraft, madeDraft } from '../../test/support/made-draft.ts';
import { keywordsOf } from './context.ts';
import type { DraftState } from './draft-state.ts';
import { applyOperation, type DraftOperation } from './operations.ts';

let pages: MadeDraft;
let flat: MadeDraft;
let columns: MadeDraft;
let deep: MadeDraft;

beforeAll(async () => {
  pages = await madeDraft('pages');
  flat = await madeDraft('flat');
  columns = await madeDraft('columns');
  deep = await madeDraft('deep');
});

const topicWithId = (state: DraftState, id: string) => state.topics.findIndex((topic) => topic.id === id);
const atStop = (stop: number) => () => ({ kind: 'granularity', stop }) as const;

/** The addresses of all but the first so many keywords of a topic. */
function allBut(draft: MadeDraft, state: DraftState, text: string, left: number): string[] {
  const rows = keywordsOf(state, state.topicOf[draft.texts.indexOf(text)]!);
  return Array.from(rows.slice(left), (keyword) => draft.addresses(state).ofKeyword(keyword));
}

describe('strays', () => {
  test('are all of a cluster on the top level when too few of it are left', () => {
    const { smallestCluster } = flat.context.settings;
    const home = flat.topicOf(flat.first, 'red shoe');
    expect(home).toMatchObject({ kind: 'pillar_topic' });
    const kept = flat.after(flat.first, (state) => ({
      kind: 'strays',
      nodes: allBut(flat, state, 'red shoe', smallestCluster),
    }));
    expect(keywordsOf(kept, topicWithId(kept, home.id))).toHaveLength(smallestCluster);
    const dissolved = flat.after(flat.first, (state) => ({
      kind: 'strays',
      nodes: allBut(flat, state, 'red shoe', smallestCluster - 1),
    }));
    expect(topicWithId(dissolved, home.id)).toBe(-1);
  });

  test('leave the other keywords of a group that the list came with in it, however few', () => {
    const home = columns.topicOf(columns.first, 'red shoe').id;
    const state = columns.after(columns.first, (from) => ({
      kind: 'strays',
      nodes: allBut(columns, from, 'red shoe', 1),
    }));
    expect(keywordsOf(state, topicWithId(state, home))).toHaveLength(1);
  });

  test('that were excluded and restored are those that a person sent there', () => {
    const sent = pages.after(pages.first, (state) => ({
      kind: 'strays',
      nodes: ['red shoe', 'red lamp'].map((text) => pages.keyword(state, text)),
    }));
    const back = pages.after(
      sent,
      (state) => ({ kind: 'exclude', nodes: [pages.keyword(state, 'red shoe')] }),
      () => ({ kind: 'restore', keywords: 'all' }),
    );
    expect(pages.json(back).equals(pages.json(sent))).toBe(true);
  });

  test('that granularity may find a place for include the restored keywords of a topic that is gone', () => {
    const state = pages.after(
      pages.first,
      (from) => ({ kind: 'exclude', nodes: [pages.topic(from, 'red shoe')] }),
      () => ({ kind: 'restore', keywords: 'all' }),
    );
    expect(pages.topicOf(state, 'red shoe').kind).toBe('stray');
    expect(pages.topicOf(pages.after(state, atStop(9)), 'red shoe').kind).toBe('cluster');
  });
});

describe('a cluster in a locked pillar topic', () => {
  test('is unlocked alone: granularity changes it, and its siblings stay', () => {
    const first = pages.after(pages.first, atStop(5));
    const cluster = first.topics.findIndex(
      ({ parent, kind }, number) =>
        kind === 'cluster' && first.topics.some((other, at) => at !== number && other.parent === parent),
    );
    const { id, parent } = first.topics[cluster]!;
    const siblings = first.topics.filter((topic) => topic.parent === parent && topic.id !== id);
    const addressOf = (state: DraftState, topic: string) => pages.addresses(state).ofTopic(topicWithId(state, topic));
    const state = pages.after(
      first,
      (from) => ({ kind: 'lock', nodes: [addressOf(from, first.topics[parent]!.id)] }),
      (from) => ({ kind: 'unlock', nodes: [addressOf(from, id)] }),
    );
    expect(state.topics[topicWithId(state, id)]!.isLocked).toBe(false);
    const divided = pages.after(state, atStop(9));
    expect(siblings.length).toBeGreaterThan(0);
    for (const sibling of siblings)
      expect(keywordsOf(divided, topicWithId(divided, sibling.id))).toEqual(
        keywordsOf(first, topicWithId(first, sibling.id)),
      );
    expect(topicWithId(divided, id)).toBe(-1);
  });

  test('is unlocked with the pillar topic and everything in it', () => {
    const state = pages.after(
      pages.first,
      (from) => ({ kind: 'lock', nodes: [pages.above(from, 'red shoe')] }),
      (from) => ({ kind: 'unlock', nodes: [pages.above(from, 'red shoe'), pages.topic(from, 'red shoe')] }),
    );
    expect(state.topics.some(({ isLocked }) => isLocked)).toBe(false);
  });

  test('keeps the name that a person gave to the pillar topic, although that is unlocked', () => {
    const first = pages.after(pages.first, atStop(8));
    for (const text of ['red shoe', 'red lamp', 'red guitar']) {
      const state = pages.after(
        first,
        (from) => ({ kind: 'rename', node: pages.above(from, text), name: 'Mine' }),
        (from) => ({ kind: 'unlock', nodes: [pages.above(from, text)] }),
        (from) => ({ kind: 'lock', nodes: [pages.topic(from, text)] }),
        atStop(9),
      );
      expect(state.topics[pages.topicOf(state, text).parent]!.name).toBe('Mine');
    }
  });
});

describe('a topic in another one of its kind', () => {
  test('is merged with it: every keyword is in the outer one, once', () => {
    const inner = deep.topicOf(deep.first, 'red sneaker');
    const outer = deep.first.topics[inner.parent]!;
    expect([inner.kind, outer.kind]).toEqual(['cluster', 'cluster']);
    const before = keywordsOf(deep.first, topicWithId(deep.first, outer.id));
    const nodes = [deep.topic(deep.first, 'red sneaker'), deep.above(deep.first, 'red sneaker')];
    const { state, effect } = deep.apply(deep.first, { kind: 'merge', nodes });
    expect(topicWithId(state, inner.id)).toBe(-1);
    expect(keywordsOf(state, topicWithId(state, outer.id))).toEqual(before);
    expect(effect.params).toMatchObject({ count: 2, name: outer.name, keywords: String(before.length) });
  });

  test('differs from a subtopic, which cannot be merged with its cluster', () => {
    const above = deep.above(deep.first, 'red boot price');
    const subtopic = deep.topic(deep.first, 'red boot price');
    expect(deep.topicOf(deep.first, 'red boot price').kind).toBe('subtopic');
    expect(
      applyOperation(deep.context, deep.first, { kind: 'merge', nodes: [above, subtopic] }, deep.rootName),
    ).toEqual({
      refusal: 'draft/one-level',
    });
  });
});

describe('a cluster that is moved', () => {
  /** With several pillar topics of several clusters each. */
  const stop = 8;
  const first = () => pages.after(pages.first, atStop(stop));
  const into = (state: DraftState, text: string, to: string): DraftOperation => ({
    kind: 'move',
    nodes: [pages.topic(state, text)],
    to: pages.above(state, to),
  });

  test('is locked, and its new pillar topic and the clusters in that are not', () => {
    const before = first();
    const state = pages.after(before, (from) => into(from, 'red shoe', 'red lamp'));
    expect(pages.topicOf(state, 'red shoe')).toMatchObject({ isLocked: true });
    expect(state.topics.filter(({ isLocked }) => isLocked).map(({ id }) => id)).toEqual([
      pages.topicOf(before, 'red shoe').id,
    ]);
  });

  test('leaves the other clusters there to granularity, and stays in that pillar topic itself', () => {
    const before = pages.after(first(), (from) => into(from, 'red shoe', 'red lamp'));
    const pillar = before.topics[pages.topicOf(before, 'red shoe').parent]!;
    const own = keywordsOf(before, topicWithId(before, pages.topicOf(before, 'red shoe').id));
    for (const other of [1, 4, 9]) {
      const state = pages.after(before, atStop(other));
      const now = pages.topicOf(state, 'red shoe');
      expect(state.topics[now.parent]!.name).toBe(pillar.name);
      expect(keywordsOf(state, topicWithId(state, now.id))).toEqual(own);
      expect(pages.topicOf(state, 'red lamp').id).not.toBe(pages.topicOf(before, 'red lamp').id);
    }
  });
});

test('a name that differs from a sibling only in its composition is taken', () => {
  const state = pages.after(pages.first, (from) => ({
    kind: 'rename',
    node: pages.above(from, 'red shoe'),
    name: 'Caf\u00e9',
  }));
  const node = pages.above(state, 'red lamp');
  const refused = { refusal: 'draft/pillar-taken' };
  const operate = (operation: DraftOperation) => applyOperation(pages.context, state, operation, pages.rootName);
  expect(operate({ kind: 'rename', node, name: ' Cafe\u0301' })).toEqual(refused);
  const nodes = [pages.topic(state, 'red lamp')];
  expect(operate({ kind: 'move', nodes, to: { newPillar: 'Cafe\u0301' } })).toEqual(refused);
});

test('the number of levels stays at every stop, with pillar topics and without', async () => {
  const levelsOf = ({ topics }: DraftState) => topics.some(({ kind }) => kind === 'cluster');
  for (const draft of [pages, flat, await madeDraft('nested')]) {
    for (let stop = 1; stop <= 9; stop++)
      expect(levelsOf(draft.after(draft.first, atStop(stop))), `stop ${stop}`).toBe(levelsOf(draft.first));
  }
  expect([pages, flat].map(({ first }) => levelsOf(first))).toEqual([true, false]);
});
