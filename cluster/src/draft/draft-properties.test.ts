import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MadeDraft, type MadeGroups, madeDraft } from '../../test/support/made-draft.ts';
import { keywordsOf, lockedTopics } from './context.ts';
import { type DraftState, excluded } from './draft-state.ts';
import { measureAgain } from './measure.ts';
import { applyOperation, type DraftOperation, type OperationEffect } from './operations.ts';
import { type ReviewTab, reviewOf, reviewPage } from './review.ts';

const kinds = [
  'rename',
  'name',
  'merge',
  'split',
  'move',
  'lock',
  'unlock',
  'strays',
  'exclude',
  'restore',
  'keep',
  'accept',
  'granularity',
  'undo',
] as const;
const drawn = fc.record({
  kind: fc.constantFrom(...kinds),
  places: fc.array(fc.nat(10_000), { minLength: 2, maxLength: 4 }),
  ofKeywords: fc.boolean(),
});
type Drawn = { kind: (typeof kinds)[number]; places: number[]; ofKeywords: boolean };

/** An operation on what the state has, which may be refused. */
function operationOf(draft: MadeDraft, state: DraftState, { kind, places, ofKeywords }: Drawn): DraftOperation {
  const addresses = draft.addresses(state);
  const there = [...state.topicOf.keys()].filter((keyword) => state.topicOf[keyword] !== excluded);
  const topics = places.map((place) => addresses.ofTopic(place % state.topics.length));
  const nodes = ofKeywords ? places.map((place) => addresses.ofKeyword(there[place % there.length]!)) : topics;
  switch (kind) {
    case 'rename':
      return { kind, node: topics[0]!, name: `name ${places[1]! % 5}` };
    case 'name':
      return { kind, nodes: topics, by: (['phrase', 'seed-phrase', 'keyword'] as const)[places[0]! % 3]! };
    case 'merge':
      return { kind, nodes: topics };
    case 'split':
      return { kind, node: topics[0]! };
    case 'move': {
      const isNew = places[0]! % 5 === 0;
      return { kind, nodes: nodes.slice(1), to: isNew ? { newPillar: `p ${places[0]! % 7}` } : topics[0]! };
    }
    case 'restore':
      return { kind, keywords: 'all' };
    case 'keep': {
      const gone = [...state.goneFrom.keys()];
      return { kind, keywords: ofKeywords ? 'all' : places.map((place) => draft.texts[gone[place % gone.length]!]!) };
    }
    case 'accept': {
      const tab = (['uncertain', 'new', 'clusters', 'gone'] as const)[places[0]! % 4]!;
      const { rows } = reviewPage(draft.context, state, draft.rootName, { tab, after: places[1]! % 7, count: 3 });
      return { kind, tab, of: places[1]! % 9 === 0 ? 'all' : rows.map(({ address, name }) => address ?? name) };
    }
    case 'granularity':
    case 'undo':
      return { kind: 'granularity', stop: 1 + (places[0]! % 9) };
    default:
      return { kind, nodes };
  }
}

/** What must hold of every state. */
function check({ context }: MadeDraft, state: DraftState): void {
  const { volume } = context.list;
  const counts = new Int32Array(state.topics.length);
  const sums = new Float64Array(state.topics.length);
  const misplaced: number[] = [];
  state.topicOf.forEach((lowest, keyword) => {
    const places = [lowest !== excluded, state.excludedFrom.has(keyword), state.goneFrom.has(keyword)];
    if (places.filter(Boolean).length !== 1) misplaced.push(keyword);
    for (let topic = lowest; topic >= 0; topic = state.topics[topic]!.parent) {
      counts[topic]!++;
      sums[topic]! += volume[keyword]! || 0;
    }
  });
  expect(misplaced, 'a keyword is in one topic, excluded or gone').toEqual([]);
  const names = new Set<string>();
  /** The last topic below each. */
  const latest = new Map<number, number>();
  const wrong: string[] = [];
  state.topics.forEach(({ id, name, parent, kind }, topic) => {
    if (parent >= topic) wrong.push(`${id} is before what it is in`);
    if (counts[topic] === 0) wrong.push(`${id} is empty`);
    if (names.has(`${parent} ${name}`)) wrong.push(`${name} is there twice`);
    names.add(`${parent} ${name}`);
    const before = latest.get(parent);
    latest.set(parent, topic);
    if (before !== undefined && kind !== 'stray' && !(sums[before]! >= sums[topic]!))
      wrong.push(`${id} is out of order`);
  });
  expect(wrong).toEqual([]);
  expect(new Set(state.topics.map(({ id }) => id)).size).toBe(state.topics.length);
  const pinned = [...state.topicOf.keys()].filter((keyword) => state.sentToStrays[keyword] === 1);
  const kindsOf = pinned.flatMap((keyword) => state.topics[state.topicOf[keyword]!]?.kind ?? []);
  expect(kindsOf, 'a pinned keyword is a stray').toEqual(kindsOf.map(() => 'stray'));
}

/** Confidence and similarity are what measuring everything anew gives, and every keyword is written once. */
function checkFigures(draft: MadeDraft, state: DraftState): void {
  const again = measureAgain(draft.context, state);
  const figures = ({ topics }: DraftState) => topics.map(({ id, confidence }) => [id, confidence]);
  expect(figures(state)).toEqual(figures(again));
  const isClose = (one: number, other: number) =>
    Number.isNaN(one) ? Number.isNaN(other) : Math.abs(one - other) < 5e-6;
  const differing = [...state.similarity.keys()].filter(
    (keyword) => !isClose(state.similarity[keyword]!, again.similarity[keyword]!),
  );
  expect(differing).toEqual([]);
  const written = (
    draft
      .json(state)
      .toString()
      .match(/"name":"[^"]*","type":"keyword"/g) ?? []
  ).toSorted();
  const there = draft.texts.filter((_, keyword) => state.topicOf[keyword] !== excluded);
  expect(written).toEqual(there.map((text) => `"name":"${text}","type":"keyword"`).toSorted());
}

/** What is said of a change counts each keyword once. */
function checkSaid(draft: MadeDraft, before: DraftState, operation: DraftOperation, { params }: OperationEffect): void {
  if (operation.kind !== 'merge' && operation.kind !== 'move') return;
  const addresses = draft.addresses(before);
  const named = operation.nodes.map((node) => addresses.find(node)!);
  const keywords = named.flatMap((target) =>
    'topic' in target ? [...keywordsOf(before, target.topic)] : [target.keyword],
  );
  expect(params!.keywords).toBe(String(new Set(keywords).size));
}

/** The review lists have what was new or gone at first, without what a person has decided about. */
function checkReview(draft: MadeDraft, state: DraftState): void {
  const list = (tab: ReviewTab) => {
    const page = reviewPage(draft.context, state, draft.rootName, { tab, after: 0, count: 1_000 });
    expect(page.rows).toHaveLength(page.total);
    expect(page.rows.map(({ volume }) => volume ?? -1)).toEqual(
      page.rows.map(({ volume }) => volume ?? -1).toSorted((one, other) => other - one),
    );
    return page.rows;
  };
  const addresses = draft.addresses(state);
  for (const { name, address, path } of [...list('uncertain'), ...list('new')]) {
    const found = addresses.find(address!) as { keyword: number };
    expect(draft.texts[found.keyword]).toBe(name);
    expect(draft.context.update!.added).toContain(found.keyword);
    expect(state.reviewed[found.keyword]).toBe(0);
    expect(path.at(-1)).toBe(state.topics[state.topicOf[found.keyword]!]!.name);
  }
  for (const { address, keywords } of list('clusters')) {
    const { topic } = addresses.find(address!) as { topic: number };
    expect(state.topics[topic]).toMatchObject({ isNew: true, isLocked: false });
    expect(keywordsOf(state, topic)).toHaveLength(keywords!);
  }
  for (const { name, address, path } of list('gone')) {
    expect(address).toBeUndefined();
    expect(path.length).toBeGreaterThan(0);
    expect(state.goneFrom.has(draft.texts.indexOf(name))).toBe(true);
  }
  const open = [...(draft.context.update?.added ?? [])].filter(
    (keyword) => state.reviewed[keyword] === 0 && state.topicOf[keyword] !== excluded,
  );
  expect(list('new')).toHaveLength(open.length);
}

/** Granularity leaves what is locked, pinned or excluded as it is. */
function checkKept(before: DraftState, after: DraftState): void {
  const isLocked = lockedTopics(before);
  before.topics.forEach(({ id, name, kind }, topic) => {
    if (isLocked[topic] === 0) return;
    const now = after.topics.findIndex((other) => other.id === id);
    expect(after.topics[now], id).toMatchObject({ name, kind });
    expect(keywordsOf(after, now)).toEqual(keywordsOf(before, topic));
  });
  expect(after.sentToStrays).toEqual(before.sentToStrays);
  expect(after.excludedFrom).toEqual(before.excludedFrom);
}

describe.each<MadeGroups>(['pages', 'nested', 'flat', 'results', 'columns', 'groups', 'deep', 'update'])(
  'in a draft of %s',
  (groups) => {
    test('any operations, undone or not, keep each keyword in one place, and can be repeated', async () => {
      const draft = await madeDraft(groups);
      let applied = 0;
      fc.assert(
        fc.property(fc.array(drawn, { minLength: 1, maxLength: 12 }), (all) => {
          const states = [draft.first];
          const log: DraftOperation[] = [];
          for (const one of all) {
            const state = states.at(-1)!;
            if (one.kind === 'undo' && log.length > 0) {
              // Undoing is repeating the log without its last operation.
              states.pop();
              log.pop();
              continue;
            }
            const operation = operationOf(draft, state, one);
            const before = structuredClone(state);
            const result = applyOperation(draft.context, state, operation, draft.rootName);
            expect(state, 'the state before stays as it is').toEqual(before);
            if ('refusal' in result) continue;
            applied++;
            check(draft, result.state);
            checkFigures(draft, result.state);
            checkReview(draft, result.state);
            checkSaid(draft, state, operation, result.effect);
            if (operation.kind === 'granularity') checkKept(state, result.state);
            states.push(result.state);
            log.push(operation);
          }
          const repeated = log.reduce((from, operation) => draft.apply(from, operation).state, draft.first);
          expect(draft.json(repeated).equals(draft.json(states.at(-1)!))).toBe(true);
        }),
        { numRuns: 25 },
      );
      // About 50, and by chance as few as 30.
      expect(applied).toBeGreaterThan(10);
    });
  },
);

test('an update has something to review of each kind', async () => {
  const { context, first } = await madeDraft('update');
  for (const [tab, open] of Object.entries(reviewOf(context, first))) expect(open.length, tab).toBeGreaterThan(0);
});
