import type { Draft, EditedDraft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { type Refusal, refusedWith } from '@kc/rules/result';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addressedTree } from '../../../../test/support/tree.ts';
import { inTime, patience } from '../../../api/in-time.ts';
import { createDraftEditor, type DraftCalls, type DraftEditor } from './draft-editor.ts';
import { type Edit, lastOperation, marksOf } from './edits.ts';
import { addressOf } from './select-matches.ts';
import { noTicks, toggled } from './ticks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const editor of opened.splice(0)) editor.close();
  vi.useRealTimers();
});

const opened: DraftEditor[] = [];
type Editor = Draft['editor'];
const me: Editor = { id: 'me', name: 'Me', isYou: true };
const zoe: Editor = { id: 'zoe', name: 'Zoe', isYou: false };

function draftAt(operation: number, editor: Editor = me): Draft {
  const revision = { viewId: `view ${operation}`, operation };
  return { id: 'd1', state: 'ready', revision, ...(editor && { editor }) } as unknown as Draft;
}

const offline = new TypeError('fetch failed');

/** A server with one draft. The first entry of `next`, if any, happens to the next request instead of a response. */
function fakeServer() {
  const server = {
    operation: 0,
    editor: me as Editor,
    requests: [] as string[],
    operations: [] as Parameters<DraftCalls['operate']>[0]['operation'][],
    /** What operations do. */
    effect: { code: 'draft/locked', params: { count: 1 } } as EditedDraft['effect'],
    next: [] as ('lose request' | 'lose response' | Refusal)[],
    fail(code: string, params?: Refusal['params']) {
      this.next.push({ code, ...(params && { params }) });
    },
  };
  async function change(name: string, after: number, effect: EditedDraft['effect']): Promise<EditedDraft> {
    server.requests.push(`${name} after ${after}`);
    const trouble = server.next.shift();
    if (trouble === 'lose request') throw offline;
    if (typeof trouble === 'object') throw refusedWith(trouble);
    if (after !== server.operation) throw refusedWith({ code: 'draft/behind' });
    server.operation = name === 'undo' ? Math.max(0, after - 1) : after + 1;
    if (trouble === 'lose response') throw offline;
    return { draft: draftAt(server.operation, server.editor), effect };
  }
  const calls: DraftCalls = {
    get: async () => draftAt(server.operation, server.editor),
    async lease({ takeOver }) {
      server.requests.push(takeOver ? 'take over' : 'lease');
      if (!takeOver && server.editor && !server.editor.isYou)
        throw refusedWith({ code: 'draft/editing', params: { name: server.editor.name } });
      server.editor = me;
      return draftAt(server.operation);
    },
    operate({ after, operation }) {
      server.operations.push(operation);
      return change(operation.kind, after, server.effect);
    },
    undo: ({ after }) => change('undo', after, { code: 'draft/undone' }),
    redo: ({ after }) => change('redo', after, { code: 'draft/redone' }),
  };
  const editor = createDraftEditor(calls, draftAt(0));
  opened.push(editor);
  return { server, editor, state: editor.store.getState };
}

const lock: Edit = { kind: 'operate', operation: { kind: 'lock', nodes: ['aaaaaaaaaaaaaaaa'] } };
const responses = () => vi.advanceTimersByTimeAsync(0);

test('edits go one after the other, each after the operation before', async () => {
  const { server, editor, state } = fakeServer();
  editor.submit(lock);
  editor.submit({ kind: 'undo' });
  await responses();
  expect(server.requests).toEqual(['lease', 'lock after 0', 'undo after 1']);
  expect([lastOperation(state().edits), state().done?.text]).toEqual([0, 'Undone.']);
});

test('an edit by the earlier address of a renamed node is about that node, as long as nobody else has changed the draft', async () => {
  const { server, editor } = fakeServer();
  const [before, after] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'];
  server.effect = { ...server.effect, node: after };
  editor.operate({ kind: 'rename', node: before, name: 'shoes' });
  await responses();
  // The screen shows the revision before until the next one has loaded, and a dialog was opened by then.
  editor.submit(lock);
  await responses();
  expect(server.operations.at(-1)).toEqual({ kind: 'lock', nodes: [after] });

  editor.operate({ kind: 'rename', node: before, name: 'shoes' });
  await responses();
  server.operation++;
  await editor.reload();
  editor.submit(lock);
  await responses();
  expect(server.operations.at(-1)).toEqual({ kind: 'lock', nodes: [before] });
});

test('once the next revision is open, an earlier address is that of another node, but dialogs and ticks keep theirs', async () => {
  const { server, editor, state } = fakeServer();
  const [before, after] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'];
  const topic = { address: before, type: 'cluster', name: 'shoes', keywords: 3 };
  server.effect = { ...server.effect, node: after };
  editor.operate({ kind: 'rename', node: before, name: 'shoes' });
  await responses();
  editor.setTicks((ticks) => toggled(ticks, topic));
  editor.open({ kind: 'rename', node: topic });
  editor.opened(state().edits.draft.revision!.viewId);
  expect(state().dialog).toEqual({ kind: 'rename', node: { ...topic, address: after } });
  expect([...state().ticks.picks.rows]).toEqual([[after, { ...topic, address: after }]]);
  // A keyword beside the topic, which has the name that the topic had.
  editor.submit(lock);
  await responses();
  expect(server.operations.at(-1)).toEqual({ kind: 'lock', nodes: [before] });
});

test('what is below a renamed topic can be edited before the next revision is open, also if the edit waits', async () => {
  const { server, editor, state } = fakeServer();
  const tree = addressedTree('shop (shoes (trail))');
  const store = { getState: () => ({ selected: undefined }) };
  editor.shows(() => ({ id: state().edits.draft.revision!.viewId, tree, store }));
  const [topic, boots] = [addressOf(['shop', 'shoes']), addressOf(['shop', 'boots'])];
  const [trail, now] = [addressOf(['shop', 'shoes', 'trail']), addressOf(['shop', 'boots', 'trail'])];
  server.effect = { ...server.effect, node: boots };
  editor.operate({ kind: 'rename', node: topic, name: 'boots' });
  editor.operate({ kind: 'lock', nodes: [trail] });
  await responses();
  expect(server.operations.at(-1)).toEqual({ kind: 'lock', nodes: [now] });

  // The screen is still the one before, and the topic is renamed once more.
  editor.operate({ kind: 'unlock', nodes: [trail] });
  await responses();
  expect(server.operations.at(-1)).toEqual({ kind: 'unlock', nodes: [now] });
  const clogs = addressOf(['shop', 'clogs']);
  server.effect = { ...server.effect, node: clogs };
  editor.operate({ kind: 'rename', node: topic, name: 'clogs' });
  await responses();
  editor.operate({ kind: 'lock', nodes: [topic] });
  await responses();
  expect(server.operations.slice(-2)).toEqual([
    { kind: 'rename', node: boots, name: 'clogs' },
    { kind: 'lock', nodes: [clogs] },
  ]);
});

test('an edit that waits while a move is undone is about its own node, not about what had been moved there', async () => {
  const { server, editor } = fakeServer();
  const [moved, place] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'];
  server.effect = { ...server.effect, node: place };
  editor.operate({ kind: 'move', nodes: [moved], to: place });
  await responses();
  editor.submit({ kind: 'undo' });
  editor.operate({ kind: 'lock', nodes: [place] });
  await responses();
  expect(server.operations.at(-1)).toEqual({ kind: 'lock', nodes: [place] });
});

test('an edit ends the selection, but another granularity keeps it', async () => {
  const { editor, state } = fakeServer();
  const ticks = toggled(noTicks, { address: 'aaaaaaaaaaaaaaaa', type: 'cluster', name: 'shoes', keywords: 3 });
  editor.store.setState({ ticks });
  editor.submit({ kind: 'operate', operation: { kind: 'granularity', stop: 3 } });
  await responses();
  expect([state().done?.number, state().ticks]).toEqual([1, ticks]);
  editor.submit(lock);
  await responses();
  expect([state().done?.number, state().ticks]).toEqual([2, noTicks]);
});

test('what is ticked while an edit is being saved stays ticked, unless its address may be gone afterwards', async () => {
  const { editor, state } = fakeServer();
  const [first, second] = [
    { address: 'aaaaaaaaaaaaaaaa', type: 'cluster', name: 'shoes', keywords: 3 },
    { address: 'bbbbbbbbbbbbbbbb', type: 'cluster', name: 'boots', keywords: 2 },
  ];
  editor.setTicks((ticks) => toggled(ticks, first!));
  editor.submit(lock);
  editor.setTicks((ticks) => toggled(ticks, second!));
  await responses();
  expect([state().done?.number, [...state().ticks.picks.rows.values()]]).toEqual([1, [second]]);
  editor.submit({ kind: 'undo' });
  editor.setTicks((ticks) => toggled(ticks, first!));
  await responses();
  expect([state().done?.number, state().ticks]).toEqual([2, noTicks]);
});

test('an edit that waits while another one gives its nodes new addresses ends their selection, too', async () => {
  const { server, editor, state } = fakeServer();
  const [before, after] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'];
  server.effect = { ...server.effect, node: after };
  editor.operate({ kind: 'rename', node: before, name: 'shoes' });
  editor.setTicks((ticks) => toggled(ticks, { address: before, type: 'cluster', name: 'shoes', keywords: 3 }));
  server.next.push('lose request');
  editor.submit(lock);
  await responses();
  // The screen shows the revision of the rename before the other edit is sent again.
  editor.opened(state().edits.draft.revision!.viewId);
  expect([...state().ticks.picks.rows.keys()]).toEqual([after]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([state().edits.pending, state().ticks]).toEqual([[], noTicks]);
});

test('an edit whose request was lost is struck out, and sent again', async () => {
  const { server, editor, state } = fakeServer();
  server.next.push('lose request');
  editor.submit(lock);
  await responses();
  expect([...marksOf(state().edits).values()]).toEqual(['not-saved']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.requests).toEqual(['lease', 'lock after 0', 'lock after 0']);
  expect([state().edits.isLost, state().edits.pending, server.operation]).toEqual([false, [], 1]);
});

// Shows P22.4.
test('an edit whose answer was lost is not made twice', async () => {
  const { server, editor, state } = fakeServer();
  server.next.push('lose response');
  editor.submit(lock);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.requests).toEqual(['lease', 'lock after 0']);
  expect([server.operation, lastOperation(state().edits), state().edits.pending]).toEqual([1, 1, []]);
});

test('an edit that the server fails at again and again is given up with the reason, and the next one is made', async () => {
  const { server, editor, state } = fakeServer();
  for (let attempt = 0; attempt < 5; attempt++) server.fail('fault/internal', { id: 'x1' });
  editor.submit(lock);
  editor.submit({ kind: 'undo' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.requests.filter((request) => request === 'lock after 0')).toHaveLength(5);
  expect(server.requests).toContain('undo after 0');
  expect(state().edits.pending).toEqual([]);

  // One that fails now and then is sent until it succeeds.
  server.fail('fault/internal', { id: 'x2' });
  editor.submit(lock);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([server.operation, state().problem]).toEqual([1, undefined]);
});

test('an edit of a draft that never stops being changed is given up, too, with a way out', async () => {
  const { server, editor, state } = fakeServer();
  for (let attempt = 0; attempt < 20; attempt++) server.fail('draft/busy');
  editor.submit(lock);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(server.requests.filter((request) => request === 'lock after 0')).toHaveLength(20);
  expect([state().edits.pending, state().edits.isLost]).toEqual([[], false]);
  expect(state().problem).toMatch(/^A change was not saved \(.*\)\. Make it again, or reload the page\.$/);
});

test('when the connection is back, it is sent at once', async () => {
  const { server, editor } = fakeServer();
  server.next.push('lose request');
  editor.submit(lock);
  await responses();
  editor.retryNow();
  await responses();
  expect(server.operation).toBe(1);
});

test('a tab that is behind shows the draft as it is now, and says so', async () => {
  const { server, editor, state } = fakeServer();
  await responses();
  server.operation = 4;
  editor.submit(lock);
  editor.submit(lock);
  await responses();
  expect([lastOperation(state().edits), state().edits.pending]).toEqual([4, []]);
  expect(state().problem).toBe('This draft has changed in the meantime. You now see its current state; try again.');
});

test('a refused edit is forgotten, and the next one is sent', async () => {
  const { server, editor, state } = fakeServer();
  server.fail('draft/name-taken');
  editor.submit(lock);
  await responses();
  expect(state().problem).toBe('Another cluster here has this name. Choose another one.');
  editor.submit(lock);
  await responses();
  expect([state().problem, server.operation]).toEqual([undefined, 1]);
});

const shoes = { address: 'aaaaaaaaaaaaaaaa', type: 'cluster', name: 'shoes', keywords: 3 };

/** With the dialog that renames shoes to boots, which was sent. */
function renaming(trouble?: 'lose request' | Refusal) {
  const server = fakeServer();
  if (trouble) server.server.next.push(trouble);
  server.editor.open({ kind: 'rename', node: shoes });
  server.editor.operateNamed('boots', { kind: 'rename', node: shoes.address, name: 'boots' });
  return server;
}

test('the dialog of a name is open until the server has answered', async () => {
  const { editor, state } = renaming();
  expect(state().dialog).toMatchObject({ kind: 'rename', given: { name: 'boots' } });
  await responses();
  expect(state().dialog).toBeUndefined();
  // The next dialog has nothing to do with it.
  editor.open({ kind: 'rename', node: shoes });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(state().dialog).toEqual({ kind: 'rename', node: shoes });
});

test('it closes when there is no answer, or none soon', async () => {
  const lost = renaming('lose request');
  await responses();
  expect(lost.state().dialog).toBeUndefined();
  const late = fakeServer();
  late.server.next.push('lose request');
  late.editor.submit(lock);
  await responses();
  late.editor.open({ kind: 'rename', node: shoes });
  late.editor.operateNamed('boots', { kind: 'rename', node: shoes.address, name: 'boots' });
  await vi.advanceTimersByTimeAsync(900);
  expect(late.state().dialog).toBeDefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(late.state().dialog).toBeUndefined();
});

test('it says why the name was refused, and if it was closed before, it can be opened again', async () => {
  const problem = 'Another cluster here has this name. Choose another one.';
  const refused = { kind: 'rename', node: shoes, given: { name: 'boots', problem } };
  const open = renaming({ code: 'draft/name-taken' });
  await responses();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([open.state().dialog, open.state().problem]).toMatchObject([refused, undefined]);
  // Another edit from this dialog is not about the name.
  open.server.fail('draft/not-here');
  open.editor.submit(lock);
  await responses();
  expect(open.state()).toMatchObject({ dialog: refused, refusedDialog: undefined });

  const closed = renaming({ code: 'draft/name-taken' });
  closed.editor.open(undefined);
  await responses();
  expect(closed.state()).toMatchObject({ dialog: undefined, problem, refusedDialog: refused });
});

test('a name that is typed while somebody else edits stays in its dialog', async () => {
  const { server, editor, state } = fakeServer();
  server.editor = zoe;
  await vi.advanceTimersByTimeAsync(limits.draftLeaseRenewMs);
  editor.open({ kind: 'rename', node: shoes });
  editor.operateNamed('boots', { kind: 'rename', node: shoes.address, name: 'boots' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(state().dialog).toMatchObject({ given: { name: 'boots', problem: 'Zoe is editing this draft.' } });
});

test('the right to edit is renewed while the page is open', async () => {
  const { server } = fakeServer();
  await vi.advanceTimersByTimeAsync(2 * limits.draftLeaseRenewMs);
  expect(server.requests).toEqual(['lease', 'lease', 'lease']);
});

test('while somebody else edits, nothing is sent until this person takes over', async () => {
  const { server, editor, state } = fakeServer();
  server.editor = zoe;
  await vi.advanceTimersByTimeAsync(limits.draftLeaseRenewMs);
  expect([state().isEditor, state().editorName, state().problem]).toEqual([false, 'Zoe', 'Zoe took over.']);
  editor.submit(lock);
  await responses();
  expect([server.operation, state().problem]).toEqual([0, 'Zoe is editing this draft.']);
  await editor.takeOver();
  editor.submit(lock);
  await responses();
  expect([server.operation, state().isEditor, state().problem]).toEqual([1, true, undefined]);
});

test('who reads gets the right to edit once nobody has it', async () => {
  const { server, editor, state } = fakeServer();
  server.editor = zoe;
  await vi.advanceTimersByTimeAsync(limits.draftLeaseRenewMs);
  server.editor = undefined;
  editor.receive(draftAt(0, undefined));
  await vi.advanceTimersByTimeAsync(limits.draftLeaseRenewMs);
  expect([state().isEditor, state().editorName]).toEqual([true, undefined]);
});

test.each([
  ['draft/renamed', { name: 'views' }, 'Renamed to views.'],
  ['draft/merged', { count: 2, name: 'views', keywords: '278' }, 'Merged 2 clusters into views. 278 keywords.'],
  ['draft/split', { name: 'views', parts: 3 }, 'Split views into 3 clusters.'],
  ['draft/moved', { keywords: '12', name: 'views' }, 'Moved 12 keywords to views.'],
  ['draft/locked', { count: 1 }, 'Locked 1 cluster.'],
  ['draft/locked', { count: 2 }, 'Locked 2 clusters.'],
  ['draft/unlocked', { count: 1 }, 'Unlocked 1 cluster.'],
  ['draft/unlocked', { count: 2 }, 'Unlocked 2 clusters.'],
  ['draft/sent-to-strays', { keywords: '12' }, 'Sent 12 keywords to the strays.'],
  ['draft/excluded', { keywords: '12' }, 'Excluded 12 keywords.'],
  ['draft/restored', { keywords: '12' }, 'Restored 12 keywords.'],
  ['draft/accepted', { count: 1200, shown: '1,200' }, 'Accepted 1,200.'],
  ['draft/not-saved', { reason: 'Full' }, 'A change was not saved (Full). Make it again, or reload the page.'],
  ['draft/kept', { count: 1, shown: '1' }, "Kept 1 keyword with last month's figures."],
  ['draft/kept', { count: 12, shown: '12' }, "Kept 12 keywords with last month's figures."],
  ['draft/granularity', { stop: 6, clusters: '94' }, 'Granularity 6 of 9, finer than balanced: 94 clusters.'],
])('what an operation did is said: %s %o', async (code, params, text) => {
  const { server, editor, state } = fakeServer();
  server.effect = { code, params };
  editor.submit(lock);
  await responses();
  expect(state().done?.text).toBe(text);
});

test.each([
  ['draft/not-ready', 'This draft cannot be edited now.'],
  ['draft/unknown-node', 'This part of the draft does not exist any more.'],
  ['draft/one-level', 'Only clusters of one level can be merged.'],
  ['draft/not-splittable', 'This cluster cannot be split further.'],
  ['draft/not-here', 'This cannot be done with what is selected.'],
  ['draft/nothing-left', 'A map needs at least one keyword.'],
  ['draft/nothing-to-undo', 'There is nothing to undo.'],
  ['draft/nothing-to-redo', 'There is nothing to redo.'],
  ['draft/no-granularity', 'This list came with its own grouping, so it has no granularity.'],
])('why an edit is refused is said: %s', async (code, text) => {
  const { server, editor, state } = fakeServer();
  server.fail(code);
  editor.submit(lock);
  await responses();
  expect(state().problem).toBe(text);
});

test('an edit of a draft that is being changed is sent again', async () => {
  const { server, editor, state } = fakeServer();
  server.fail('draft/busy');
  editor.submit(lock);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([server.operation, state().edits.pending, state().problem]).toEqual([1, [], undefined]);
});

test('a publication that nobody answered may still succeed, and the page says so', async () => {
  const { editor, state } = fakeServer();
  const silent = inTime(
    patience.change,
    undefined,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  void silent.catch(editor.publishFailed);
  await vi.advanceTimersByTimeAsync(patience.change);
  expect(state().problem).toBe(
    'The server has not answered yet. Publishing a large draft can take minutes; its map opens here when it is done.',
  );
  editor.publishFailed(refusedWith({ code: 'draft/name-empty' }));
  expect(state().problem).toBe('Enter a name.');
});
