import { expect, test } from 'vitest';
import { type HandoverScene, optionsOf, partsOf } from './handover-dialog.tsx';

const scene: HandoverScene = { focus: 3, branch: 7, selection: [7, 8], filter: 'volume-5_', score: 'sum.volume' };
const bare: HandoverScene = { ...scene, focus: 0, branch: 0, selection: [], filter: '', score: undefined };

test('the plan is offered whole, under the filter and of the selection, as far as there are any', () => {
  expect(partsOf('plan', scene)).toEqual(['all', 'filter', 'selection']);
  expect(partsOf('plan', bare)).toEqual(['all']);
  expect(partsOf('branch', scene)).toEqual(['all', 'filter']);
  expect(partsOf('view', scene)).toEqual([]);
});

test('the server is asked for what was chosen', () => {
  const score = 'sum.volume';
  expect(optionsOf('plan', 'all', scene)).toEqual({ of: 'plan', node: 0, rows: undefined, filter: '', score });
  expect(optionsOf('plan', 'filter', scene)).toMatchObject({ of: 'plan', node: 0, filter: 'volume-5_' });
  expect(optionsOf('plan', 'selection', scene)).toMatchObject({ of: 'plan', rows: [7, 8], filter: '' });
  expect(optionsOf('view', 'all', scene)).toMatchObject({ of: 'clusters', node: 3, filter: 'volume-5_' });
  expect(optionsOf('branch', 'all', scene)).toMatchObject({ of: 'clusters', node: 7, filter: '' });
  expect(optionsOf('branch', 'selection', scene)).toMatchObject({ rows: undefined });
});
