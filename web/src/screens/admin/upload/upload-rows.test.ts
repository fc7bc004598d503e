import type { OpenUpload } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { inOrder, openUploadWords } from './upload-rows.tsx';

test('uploads that can be resumed come first, then finished and failed ones together, newest first', () => {
  const open = [
    { id: 'failed early', state: 'failed', begunAt: 10 },
    { id: 'stopped', state: 'receiving', begunAt: 5 },
    { id: 'failed last', state: 'failed', begunAt: 40 },
    { id: 'moving', state: 'reading', begunAt: 20 },
  ] as const;
  const finished = [
    { id: 'first', uploadDate: 3 },
    { id: 'good', uploadDate: 30 },
  ];
  const listed = inOrder(open, finished);
  expect(listed.map(({ id }) => id)).toEqual(['moving', 'stopped', 'failed last', 'good', 'failed early', 'first']);
  expect(listed.map((one) => (one.finished ? 'finished' : 'open')).join(' ')).toBe(
    'open open open finished open finished',
  );
});

test.each([
  ['receiving', true, 'moving', '40% sent'],
  ['receiving', false, 'stopped', 'Stopped at 40%'],
  ['reading', false, 'moving', 'Processing'],
  ['failed', false, 'failed', 'Failed'],
] as const)('an upload in state %s (being sent: %s) is shown as %s', (state, isSending, is, label) => {
  for (const isYours of [true, false])
    expect(openUploadWords({ state, share: 0.409, isSending, isYours } as OpenUpload)).toEqual({ is, label });
});
