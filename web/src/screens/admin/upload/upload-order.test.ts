import { expect, test } from 'vitest';
import { inOrder } from './upload-order.ts';

test('what can be gone on with comes first, then what ended, the newest first, be it good or not', () => {
  const open = [
    { id: 'failed early', state: 'failed', begunAt: 10 },
    { id: 'stopped', state: 'receiving', begunAt: 5 },
    { id: 'failed last', state: 'failed', begunAt: 40 },
    { id: 'moving', state: 'reading', begunAt: 20 },
  ] as const;
  const made = [
    { id: 'first', uploadDate: 3 },
    { id: 'good', uploadDate: 30 },
  ];
  const listed = inOrder(open, made);
  expect(listed.map(({ id }) => id)).toEqual(['moving', 'stopped', 'failed last', 'good', 'failed early', 'first']);
  expect(listed.map((one) => (one.made ? 'made' : 'open')).join(' ')).toBe('open open open made open made');
});
