import { limits } from '@kc/rules/limits';
import { emptyFields } from '@kc/rules/plan';
import type { PlanAnswer, PlanEntry, PlanPage } from '@kc/rules/plan-shapes';
import { refusedWith } from '@kc/rules/result';
import { expect, test } from 'vitest';
import { unaskedSource, writesBy } from '../../../test/support/source.ts';
import { createPlan } from './plan.ts';
import { type PlanWrite, pendingFields, plannedEntries, removedEntries, shownEntry } from './plan-state.ts';
import type { PlanCalls } from './source.ts';

const entryOf = (id: string, more: Partial<PlanEntry> = {}): PlanEntry => ({
  ...emptyFields,
  id,
  kind: 'branch',
  rev: 1,
  path: [id],
  node: `node ${id}`,
  keywords: 1,
  tags: [],
  marks: {},
  addedBy: 'ann',
  addedAt: 0,
  ...more,
});
const pageOf = (revision: number, entries: PlanEntry[], more: Partial<PlanPage> = {}): PlanPage => ({
  revision,
  matching: 0,
  entries,
  more: false,
  people: [{ id: 'bob', name: 'Bob' }],
  you: 'ann',
  lead: 2,
  ...more,
});
const answerOf = (revision: number, entries: PlanEntry[], more: Partial<PlanAnswer> = {}): PlanAnswer => ({
  revision,
  entries,
  conflicts: [],
  isFull: false,
  people: [],
  ...more,
});

/** A plan whose requests the test answers: pages in their order, and each write by a function. */
function planWith(pages: PlanPage[], respond: (write: PlanWrite) => PlanAnswer | Promise<PlanAnswer>) {
  const writes: PlanWrite[] = [];
  const reads: number[] = [];
  const calls: PlanCalls = {
    ...unaskedSource.plan,
    read: async ({ since }) => {
      reads.push(since!);
      return pages.shift()!;
    },
    ...writesBy(async (write) => {
      writes.push(write);
      return respond(write);
    }),
  };
  let batches = 0;
  const plan = createPlan({ source: { plan: calls } }, () => `batch ${++batches}`);
  return { plan, writes, reads, state: () => plan.store.getState() };
}
const refusal = refusedWith({ code: 'plan/place-taken' });
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('all pages are read, then only what has changed', async () => {
  const { plan, reads, state } = planWith(
    [
      pageOf(3, [entryOf('a')], { more: true }),
      pageOf(5, [entryOf('b')]),
      pageOf(6, [entryOf('a', { status: 'live' })]),
    ],
    () => answerOf(0, []),
  );
  await plan.load();
  await plan.load();
  expect(reads).toEqual([0, 3, 5]);
  expect([...state().entries.values()].map(({ id, status }) => [id, status])).toEqual([
    ['a', 'live'],
    ['b', 'idea'],
  ]);
});

test('everything is read again when entries that did not change may have other nodes', async () => {
  const { plan, reads, state } = planWith(
    [
      pageOf(3, [entryOf('a'), entryOf('b')]),
      pageOf(4, [entryOf('b')], { matching: 1 }),
      pageOf(4, [entryOf('b', { node: 'elsewhere' })], { matching: 1 }),
    ],
    () => answerOf(0, []),
  );
  await plan.load();
  await plan.load();
  expect(reads).toEqual([0, 3, 0]);
  expect([...state().entries.values()].map(({ node }) => node)).toEqual(['elsewhere']);
});

test('an edit is shown at once, marked as not saved, and replaced by the answer', async () => {
  let respond: ((answer: PlanAnswer) => void) | undefined;
  const { plan, writes, state } = planWith(
    [pageOf(1, [entryOf('a')])],
    () => new Promise((resolve) => (respond = resolve)),
  );
  await plan.load();
  plan.change([{ entry: 'a' }], { set: { status: 'planned' }, addTags: ['q1'] });
  expect(shownEntry(state(), 'a')).toMatchObject({ status: 'planned', tags: ['q1'] });
  expect([...pendingFields(state(), 'a')]).toEqual(['status', 'tags']);
  await settled();
  expect(writes).toMatchObject([{ batch: 'batch 1', base: 1, targets: [{ entry: 'a' }] }]);
  respond!(answerOf(2, [entryOf('a', { status: 'planned', tags: ['q1'] })]));
  await settled();
  expect([state().pendingWrites, shownEntry(state(), 'a')!.status]).toEqual([[], 'planned']);
});

test('a chosen person is shown by name before the server has answered, and a text instead of them is one', async () => {
  const { plan, state } = planWith([pageOf(1, [entryOf('a')])], () => new Promise(() => undefined));
  await plan.load();
  plan.addPeople([{ id: 'bob', name: 'Bob Miller' }]);
  plan.change([{ entry: 'a' }], { set: { assignee: { account: 'bob' } } });
  expect(shownEntry(state(), 'a')).toMatchObject({ assignee: 'Bob Miller', assigneeId: 'bob' });
  plan.change([{ entry: 'a' }], { set: { assignee: 'Lena' } });
  expect(shownEntry(state(), 'a')).toMatchObject({ assignee: 'Lena' });
  expect(shownEntry(state(), 'a')).not.toHaveProperty('assigneeId');
});

// Shows P24.3.
test('edits that cannot be sent wait in their order, and are sent again under the same names', async () => {
  let isDown = true;
  const { plan, writes, state } = planWith([pageOf(1, [entryOf('a')]), pageOf(1, [])], (write) => {
    if (isDown) return Promise.reject(refusedWith({ code: 'fault/offline' }));
    return answerOf(2, [entryOf('a', { ...(write.kind === 'change' ? write.set : {}) } as Partial<PlanEntry>)]);
  });
  await plan.load();
  plan.change([{ entry: 'a' }], { set: { status: 'planned' } });
  plan.change([{ entry: 'a' }], { set: { assignee: 'Lena' } });
  await settled();
  expect([state().isLost, state().pendingWrites.length, shownEntry(state(), 'a')!.assignee]).toEqual([true, 2, 'Lena']);
  isDown = false;
  await plan.load();
  await settled();
  expect([state().isLost, state().pendingWrites]).toEqual([false, []]);
  expect(writes.map(({ batch }) => batch)).toEqual(['batch 1', 'batch 1', 'batch 2']);
});

test('more targets than one write may name are several writes and one step', async () => {
  const { plan, writes } = planWith([pageOf(1, [])], () => answerOf(2, []));
  await plan.load();
  const targets = Array.from({ length: 2 * limits.maxPlanTargets + 1 }, (_, at) => ({ node: String(at) }));
  plan.change(targets, { set: { status: 'planned' } });
  await settled();
  const sizes = writes.map((write) => (write.kind === 'change' ? write.targets.length : 0));
  expect(sizes).toEqual([limits.maxPlanTargets, limits.maxPlanTargets, 1]);
  const all = writes.flatMap((write) => (write.kind === 'change' ? write.targets : []));
  expect(all).toEqual(targets);
  const batches = writes.map(({ batch }) => batch);
  expect(new Set(batches).size).toBe(3);
  // It is taken back as a whole, the last write first, and made again.
  expect(plan.undoLast()).toBe(true);
  await settled();
  const undone = () => writes.flatMap((write) => (write.kind === 'undo' ? [write.undone] : []));
  expect(undone()).toEqual(batches.toReversed());
  const backs = writes.slice(3).map(({ batch }) => batch);
  expect([plan.undoLast(), plan.redoLast(), plan.redoLast()]).toEqual([false, true, false]);
  await settled();
  expect(undone().slice(3)).toEqual(backs.toReversed());
  expect(plan.undoLast()).toBe(true);
});

test('groups that are changed in different ways are one step', async () => {
  const { plan, writes } = planWith([pageOf(1, [])], () => answerOf(2, []));
  await plan.load();
  const groups = [
    { targets: [{ entry: 'a' }], change: { set: { due: '2027-01' } } },
    { targets: [{ entry: 'b' }, { node: '7' }], change: { set: { due: '2027-05' }, addTags: ['q1'] } },
  ];
  plan.changeEach(groups);
  await settled();
  expect(writes).toMatchObject(
    groups.map(({ targets, change }) => ({ targets, set: change.set, addTags: change.addTags ?? [], base: 1 })),
  );
  const batches = writes.map(({ batch }) => batch);
  expect(plan.undoLast()).toBe(true);
  await settled();
  expect(writes.slice(2)).toMatchObject(batches.toReversed().map((undone) => ({ kind: 'undo', undone })));
  expect(plan.undoLast()).toBe(false);
});

test('a refused edit is dropped and reported, and the next one is sent', async () => {
  const news: unknown[] = [];
  const { plan, state } = planWith([pageOf(1, [entryOf('a')])], (write) =>
    write.kind === 'undo' ? Promise.reject(refusal) : answerOf(2, [entryOf('a', { note: 'x' })], { isFull: true }),
  );
  plan.onNews((item) => news.push(item));
  await plan.load();
  plan.undo(['an old one']);
  plan.change([{ entry: 'a' }], { set: { note: 'x' } });
  await settled();
  expect(news).toEqual([{ refused: refusal }, { tagsFull: true }]);
  expect([state().pendingWrites, state().isLost]).toEqual([[], false]);
});

// Shows P24.2.
test('a conflict keeps what the person chose until they keep the other value or use their own', async () => {
  const theirs = entryOf('a', { status: 'planned', marks: { status: { rev: 2, by: 'bob', at: 5 } } });
  const { plan, writes, state } = planWith([pageOf(1, [entryOf('a')])], (write) =>
    answerOf(3, [theirs], {
      conflicts: write.kind === 'change' && write.base < 2 ? [{ entry: 'a', field: 'status' }] : [],
    }),
  );
  await plan.load();
  plan.change([{ entry: 'a' }], { set: { status: 'written' } });
  await settled();
  expect(state().conflicts.get('a')).toEqual([{ field: 'status', ownValue: 'written' }]);
  expect(shownEntry(state(), 'a')!.status).toBe('planned');
  plan.resolveConflict('a', 'status', 'use');
  await settled();
  expect(writes.at(-1)).toMatchObject({ base: 2, set: { status: 'written' } });
  expect(state().conflicts.size).toBe(0);
  plan.change([{ entry: 'a' }], { set: { status: 'live' } });
  await settled();
  plan.resolveConflict('a', 'status', 'keep');
  expect([state().conflicts.size, writes.length]).toEqual([0, 3]);
});

test('a change that was begun before somebody else’s says what was seen then', async () => {
  const { plan, writes } = planWith([pageOf(4, [entryOf('a')]), pageOf(6, [entryOf('a', { note: 'theirs' })])], () =>
    answerOf(6, [entryOf('a', { note: 'theirs' })], { conflicts: [{ entry: 'a', field: 'note' }] }),
  );
  await plan.load();
  await plan.load();
  plan.change([{ entry: 'a' }], { set: { note: 'mine' } }, 4);
  await settled();
  expect(writes).toMatchObject([{ base: 4, set: { note: 'mine' } }]);
  expect(plan.store.getState().conflicts.get('a')).toEqual([{ field: 'note', ownValue: 'mine' }]);
});

test('what somebody else has changed is marked with their name, and one’s own changes are not', async () => {
  const mark = (by: string, rev: number) => ({ status: { rev, by, at: 0 } });
  const { plan, state } = planWith(
    [
      pageOf(1, [entryOf('a'), entryOf('b')]),
      pageOf(3, [entryOf('a', { marks: mark('bob', 2) }), entryOf('b', { marks: mark('ann', 3) })]),
    ],
    () => answerOf(0, []),
  );
  await plan.load();
  expect(state().recentWriters.size).toBe(0);
  await plan.load();
  expect([...state().recentWriters]).toEqual([['a', 'bob']]);
  plan.forgetWriters();
  expect(state().recentWriters.size).toBe(0);
});

test('entries are listed by volume with unknown ones last, and removed ones apart', async () => {
  const { plan, state } = planWith(
    [
      pageOf(1, [
        entryOf('none'),
        entryOf('small', { volume: 1 }),
        entryOf('big', { volume: 9 }),
        entryOf('gone', { isPlanned: false }),
      ]),
    ],
    () => new Promise(() => undefined),
  );
  await plan.load();
  expect(plannedEntries(state()).map(({ id }) => id)).toEqual(['big', 'small', 'none']);
  plan.change([{ entry: 'big' }], { set: { isPlanned: false } });
  expect(plannedEntries(state()).map(({ id }) => id)).toEqual(['small', 'none']);
  expect(removedEntries(state()).map(({ id }) => id)).toEqual(['big', 'gone']);
});

test('two plans of one page differ in their number, so that what is cached for one does not stand for the other', () => {
  const [one, other] = [planWith([], () => answerOf(0, [])), planWith([], () => answerOf(0, []))];
  expect(one.plan.number).not.toBe(other.plan.number);
});

test('while everything is read again, what is known stays, and so does what a write answers meanwhile', async () => {
  const pages = [
    pageOf(1, [entryOf('a'), entryOf('b')]),
    pageOf(2, [], { matching: 1 }),
    pageOf(2, [entryOf('a', { node: 'elsewhere' })], { matching: 1, more: true }),
    pageOf(3, [entryOf('b', { node: undefined })], { matching: 1 }),
  ];
  const { plan, state } = planWith(pages, () => answerOf(4, [entryOf('b', { rev: 4, status: 'live' })]));
  await plan.load();
  const seen: number[] = [];
  plan.store.subscribe(({ isLoaded, entries }) => seen.push(isLoaded ? entries.size : 0));
  const loaded = plan.load();
  plan.change([{ entry: 'b' }], { set: { status: 'live' } });
  await settled();
  await loaded;
  expect(new Set(seen)).toEqual(new Set([2]));
  expect([state().entries.get('a')!.node, state().entries.get('b')!.status]).toEqual(['elsewhere', 'live']);
});

test('an answer that arrives late takes away nothing that was read meanwhile', async () => {
  let respond: ((answer: PlanAnswer) => void) | undefined;
  const pages = [pageOf(1, [entryOf('a')]), pageOf(3, [entryOf('a', { rev: 3, status: 'planned', note: 'by Bob' })])];
  const { plan, state } = planWith(pages, () => new Promise((resolve) => (respond = resolve)));
  await plan.load();
  plan.change([{ entry: 'a' }], { set: { status: 'planned' } });
  await settled();
  // Bob has written after the server made up its answer, and the page has heard of that first.
  await plan.load();
  respond!(answerOf(2, [entryOf('a', { rev: 2, status: 'planned' })]));
  await settled();
  expect(shownEntry(state(), 'a')).toMatchObject({ rev: 3, status: 'planned', note: 'by Bob' });
});

test('a page that arrives late takes away nothing that a write has answered meanwhile', async () => {
  let page: ((page: PlanPage) => void) | undefined;
  const { plan, state } = planWith([pageOf(1, [entryOf('a')])], () =>
    answerOf(3, [entryOf('a', { rev: 3, status: 'live' })]),
  );
  await plan.load();
  Object.assign(plan.calls, { read: () => new Promise((resolve) => (page = resolve)) });
  const loaded = plan.load();
  await settled();
  plan.change([{ entry: 'a' }], { set: { status: 'live' } });
  await settled();
  page!(pageOf(2, [entryOf('a', { rev: 2, status: 'planned' })]));
  await loaded;
  expect([state().revision, shownEntry(state(), 'a')!.status]).toEqual([2, 'live']);
});

// Shows P24.11.
test('the newest own change is taken back first, and can be done again until the next one', async () => {
  const { plan, writes } = planWith([pageOf(1, [entryOf('a')])], () => answerOf(2, [entryOf('a')]));
  await plan.load();
  expect([plan.undoLast(), plan.redoLast()]).toEqual([false, false]);
  plan.change([{ entry: 'a' }], { set: { status: 'planned' } });
  plan.change([{ entry: 'a' }], { set: { status: 'live' } });
  await settled();
  expect([plan.undoLast(), plan.undoLast(), plan.undoLast()]).toEqual([true, true, false]);
  expect([plan.redoLast(), plan.redoLast(), plan.redoLast()]).toEqual([true, true, false]);
  await settled();
  const undone = writes.flatMap((write) => (write.kind === 'undo' ? [[write.batch, write.undone]] : []));
  // Batches 1 and 2 are the changes; what was taken back last is done again first.
  expect(undone).toEqual([
    ['batch 3', 'batch 2'],
    ['batch 4', 'batch 1'],
    ['batch 5', 'batch 4'],
    ['batch 6', 'batch 3'],
  ]);
  expect(plan.undoLast()).toBe(true);
  plan.change([{ entry: 'a' }], { set: { status: 'idea' } });
  expect(plan.redoLast()).toBe(false);
});

test('a change that its message took back is not taken back again', async () => {
  const { plan, writes } = planWith([pageOf(1, [entryOf('a')])], () => answerOf(2, [entryOf('a')]));
  await plan.load();
  plan.undo(plan.change([{ entry: 'a' }], { set: { status: 'planned' } }));
  expect(plan.undoLast()).toBe(false);
  expect(plan.redoLast()).toBe(true);
  await settled();
  expect(writes).toHaveLength(3);
});

test('a change that was taken back by its key is not taken back once more by its message', async () => {
  const { plan, writes } = planWith([pageOf(1, [entryOf('a')])], () => answerOf(2, [entryOf('a')]));
  await plan.load();
  const step = plan.change([{ entry: 'a' }], { set: { status: 'planned' } });
  expect(plan.undoLast()).toBe(true);
  expect(plan.undo(step)).toBe(false);
  await settled();
  expect(writes).toHaveLength(2);
  expect([plan.redoLast(), plan.redoLast()]).toEqual([true, false]);
});

test('a refused change is not taken back: the one before it is', async () => {
  const { plan, writes } = planWith([pageOf(1, [entryOf('a')])], (write) => {
    if (write.batch === 'batch 2') throw refusal;
    return answerOf(2, [entryOf('a')]);
  });
  const news: unknown[] = [];
  plan.onNews((item) => news.push(item));
  await plan.load();
  plan.change([{ entry: 'a' }], { set: { status: 'planned' } });
  plan.change([{ entry: 'a' }], { set: { status: 'live' } });
  await settled();
  expect([plan.undoLast(), plan.undoLast()]).toEqual([true, false]);
  await settled();
  expect(writes.at(-1)).toMatchObject({ kind: 'undo', undone: 'batch 1' });
  expect(news).toHaveLength(1);
});

test('what takes back a change that is refused before it is not sent', async () => {
  const { plan, writes, state } = planWith([pageOf(1, [entryOf('a')])], () => {
    throw refusal;
  });
  const news: unknown[] = [];
  plan.onNews((item) => news.push(item));
  await plan.load();
  plan.change([{ entry: 'a' }], { set: { status: 'planned' } });
  plan.undoLast();
  await settled();
  expect(writes.map(({ kind }) => kind)).toEqual(['change']);
  expect([news.length, state().pendingWrites, plan.redoLast()]).toEqual([1, [], false]);
});
