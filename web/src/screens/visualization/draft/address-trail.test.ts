import { expect, test } from 'vitest';
import { createTrail } from './draft-editor.ts';
import type { Edit } from './edits.ts';

const rename: Edit = { kind: 'operate', operation: { kind: 'rename', node: 'a', name: 'views' } };
const strays: Edit = { kind: 'operate', operation: { kind: 'strays', nodes: ['b'] } };
const undo: Edit = { kind: 'undo' };
const redo: Edit = { kind: 'redo' };
const effect = (node?: string) => ({ code: 'draft/undone', ...(node !== undefined && { node }) });

// Shows P22.5.
test('undoing and redoing a new name lead to the same node', () => {
  const trail = createTrail();
  expect([...trail.after(rename, effect('a2'), 1).addresses]).toEqual([['a', 'a2']]);
  expect([...trail.after(undo, effect(), 0).addresses]).toEqual([['a2', 'a']]);
  expect([...trail.after(redo, effect(), 1).addresses]).toEqual([['a', 'a2']]);
});

test('undoing leads from the result back to what the operation was about, which is another node', () => {
  const trail = createTrail();
  trail.after(rename, effect('a2'), 1);
  trail.after(strays, effect('s'), 2);
  expect(trail.after(undo, effect(), 1)).toEqual({ addresses: new Map(), origins: new Map([['s', 'b']]) });
});

test('an operation after an undo takes the place of the undone one', () => {
  const trail = createTrail();
  trail.after(rename, effect('a2'), 1);
  trail.after(undo, effect(), 0);
  trail.after(strays, effect('s'), 1);
  expect([...trail.after(undo, effect(), 0).origins]).toEqual([['s', 'b']]);
});

test('nothing is known of operations before the page was opened', () => {
  expect(createTrail().after(undo, effect(), 4)).toEqual({ addresses: new Map(), origins: new Map() });
});
