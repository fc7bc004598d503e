import { expect, test } from 'vitest';
import { detailsText } from './activity.ts';

test.each([
  [{}, ''],
  [{ from: 'pending', to: 'approved' }, 'pending → approved'],
  [
    { from: { role: 'user', status: 'pending' }, to: { role: 'admin', status: 'approved' } },
    'user pending → admin approved',
  ],
  [{ file: 'garden.json', attempts: 2, policyEnforced: true }, 'file: garden.json, attempts: 2, policyEnforced: true'],
  [{ to: 'somebody' }, 'to: somebody'],
])('%j reads “%s”', (details, text) => {
  expect(detailsText(details)).toBe(text);
});
