import type { Draft } from '@kc/rules/draft-shapes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterEvent, type Edit, type EditEvent, editsOf, endsAll, lastOperation, marksOf } from './edits.ts';

const a = 'aaaaaaaaaaaaaaaa';
const b = 'bbbbbbbbbbbbbbbb';
const c = 'cccccccccccccccc';

/** A draft whose revision ends with an operation. */
const draftAt = (operation: number, viewId = `view ${operation}`, touchedAt = operation): Draft =>
  ({ id: 'draft', state: 'ready', revision: { viewId, operation }, touchedAt }) as unknown as Draft;
const lock = (node: string): Edit => ({ kind: 'operate', operation: { kind: 'lock', nodes: [node] } });
const after = (...events: readonly EditEvent[]) => events.reduce(afterEvent, editsOf(draftAt(0)));
const requested = (edit: Edit): EditEvent => ({ is: 'requested', edit });
const sent: EditEvent = { is: 'sent' };
const applied = (operation: number, node?: string): EditEvent => ({
  is: 'applied',
  draft: draftAt(operation),
  effect: { code: 'draft/locked', ...(node !== undefined && { node }) },
});

test('edits are sent one at a time, in their order', () => {
  const edits = after(requested(lock(a)), requested(lock(b)), sent, sent);
  expect(edits.sending).toBe(edits.pending[0]!.id);
  expect(edits.pending.map(({ edit }) => edit)).toEqual([lock(a), lock(b)]);
  const next = [applied(1), sent].reduce(afterEvent, edits);
  expect(next.pending.map(({ edit }) => edit)).toEqual([lock(b)]);
  expect([next.sending, lastOperation(next)]).toEqual([next.pending[0]!.id, 1]);
});

test('a waiting edit names a renamed node by its new address', () => {
  const rename: Edit = { kind: 'operate', operation: { kind: 'rename', node: a, name: 'views' } };
  const merge: Edit = { kind: 'operate', operation: { kind: 'merge', nodes: [a, b] } };
  const move: Edit = { kind: 'operate', operation: { kind: 'move', nodes: [b], to: a } };
  const edits = after(requested(rename), requested(merge), requested(move), sent, applied(1, c));
  expect(edits.pending.map(({ edit }) => edit)).toEqual([
    { kind: 'operate', operation: { kind: 'merge', nodes: [c, b] } },
    { kind: 'operate', operation: { kind: 'move', nodes: [b], to: c } },
  ]);
});

test('after a merge, waiting edits name the merged node once', () => {
  const merge: Edit = { kind: 'operate', operation: { kind: 'merge', nodes: [a, b] } };
  const both: Edit = { kind: 'operate', operation: { kind: 'lock', nodes: [a, b] } };
  expect(after(requested(merge), requested(both), sent, applied(1, b)).pending[0]!.edit).toEqual(lock(b));
});

test('a refused edit goes, and the next one is sent', () => {
  const edits = after(requested(lock(a)), requested(lock(b)), sent, {
    is: 'refused',
    refusal: { code: 'draft/not-here' },
  });
  expect(edits.pending.map(({ edit }) => edit)).toEqual([lock(b)]);
  expect(edits.draft).toEqual(draftAt(0));
});

test('if the draft has changed elsewhere, everything that waits goes', () => {
  const edits = after(requested(lock(a)), requested(lock(b)), sent, {
    is: 'refused',
    refusal: { code: 'draft/behind' },
  });
  expect(edits.pending).toEqual([]);
});

test('an edit without an answer stays, struck out, and is sent again', () => {
  const lost = after(requested(lock(a)), requested(lock(b)), sent, { is: 'lost' });
  expect([...marksOf(lost)]).toEqual([
    [a, 'not-saved'],
    [b, 'pending'],
  ]);
  const again = afterEvent(lost, sent);
  expect(again.sending).toBe(lost.pending[0]!.id);
});

test('an edit whose answer was lost is not applied twice', () => {
  const lost = after(requested(lock(a)), sent, { is: 'lost' });
  const found = afterEvent(lost, { is: 'reloaded', draft: draftAt(1), responses: lost.responses });
  expect([found.pending, found.isLost, lastOperation(found)]).toEqual([[], false, 1]);
  const unchanged = afterEvent(lost, { is: 'reloaded', draft: draftAt(0), responses: lost.responses });
  expect(unchanged.pending).toEqual(lost.pending);
});

test('a reload that was requested before an answer is ignored', () => {
  const edits = after(requested(lock(a)), sent, applied(1));
  expect(afterEvent(edits, { is: 'reloaded', draft: draftAt(0), responses: 0 })).toBe(edits);
});

test('a reload that is older than what is shown is ignored', () => {
  const edits = after(requested(lock(a)), sent, applied(1));
  expect(afterEvent(edits, { is: 'reloaded', draft: draftAt(0), responses: 1 })).toBe(edits);
});

test('while the slider moves, only its last stop waits', () => {
  const stop = (number: number): Edit => ({ kind: 'operate', operation: { kind: 'granularity', stop: number } });
  const edits = after(requested(stop(4)), sent, requested(stop(5)), requested(stop(6)), requested(stop(7)));
  expect(edits.pending.map(({ edit }) => edit)).toEqual([stop(4), stop(7)]);
});

/** A server with a linear history, and a network that loses requests and responses. */
class Server {
  log: string[] = [];
  at = 0;
  revisions = 0;

  draft(): Draft {
    return draftAt(this.at, `${this.revisions}`, this.revisions);
  }

  apply(edit: Edit): EditEvent {
    if (edit.kind === 'operate') {
      this.log = [...this.log.slice(0, this.at), JSON.stringify(edit.operation)];
      this.at = this.log.length;
    } else {
      const to = this.at + (edit.kind === 'undo' ? -1 : 1);
      if (to < 0 || to > this.log.length) return { is: 'refused', refusal: { code: 'draft/nothing-to-undo' } };
      this.at = to;
    }
    this.revisions++;
    return { is: 'applied', draft: this.draft(), effect: { code: 'draft/locked' } };
  }

  receive(edit: Edit, last: number): EditEvent {
    return last === this.at ? this.apply(edit) : { is: 'refused', refusal: { code: 'draft/behind' } };
  }
}

type Step =
  | 'operate'
  | 'undo'
  | 'redo'
  | 'send'
  | 'lose request'
  | 'lose response'
  | 'reload'
  | 'late reload'
  | 'other';
const steps: readonly Step[] = [
  ...['operate', 'undo', 'redo', 'send', 'lose request', 'lose response', 'reload', 'late reload', 'other'],
] as Step[];

// Shows P22.4.
test('in any order, the page shows a state that the server had, and in the end the one that it has', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...steps), { maxLength: 60 }), (order) => {
      const server = new Server();
      let edits = editsOf(server.draft());
      const seen = new Set([JSON.stringify(server.draft())]);
      let late: { draft: Draft; responses: number } | undefined;
      const on = (event: EditEvent) => {
        edits = afterEvent(edits, event);
        if (event.is === 'refused' && endsAll(event.refusal)) reload();
      };
      const reload = () => on({ is: 'reloaded', draft: server.draft(), responses: edits.responses });
      const send = (arrives: boolean) => {
        on(sent);
        if (edits.sending === undefined) return;
        const response = server.receive(edits.pending[0]!.edit, lastOperation(edits));
        on(arrives ? response : { is: 'lost' });
      };
      for (const [number, step] of order.entries()) {
        const before = server.revisions;
        if (step === 'operate') on(requested(lock(`${number}`)));
        else if (step === 'undo' || step === 'redo') on(requested({ kind: step }));
        else if (step === 'send') {
          if (edits.isLost) reload();
          send(true);
        } else if (step === 'lose request') {
          on(sent);
          on({ is: 'lost' });
        } else if (step === 'lose response') send(false);
        else if (step === 'reload') reload();
        else if (step === 'late reload') {
          if (late) on({ is: 'reloaded', ...late });
          late = { draft: server.draft(), responses: edits.responses };
        } else server.apply(lock(`other ${number}`));
        expect(server.revisions).toBeLessThanOrEqual(before + 1);
        seen.add(JSON.stringify(server.draft()));
        expect(seen).toContain(JSON.stringify(edits.draft));
      }
      for (let round = 0; edits.pending.length > 0 && round < 200; round++) {
        if (edits.isLost) reload();
        send(true);
      }
      reload();
      expect(edits.pending).toEqual([]);
      expect(edits.draft).toEqual(server.draft());
      // No operation of this page is in the history twice.
      expect(new Set(server.log).size).toBe(server.log.length);
    }),
    { numRuns: 500 },
  );
});
