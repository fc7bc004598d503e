import type { OpenUpload } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { openUploadWords } from './open-upload-text.ts';

test.each([
  ['receiving', true, 'moving', '40% sent'],
  ['receiving', false, 'stopped', 'Stopped at 40%'],
  ['reading', false, 'moving', 'Processing'],
  ['failed', false, 'failed', 'Failed'],
] as const)('an upload that is %s, sent now: %s, is %s', (state, isSending, is, label) => {
  for (const isYours of [true, false])
    expect(openUploadWords({ state, share: 0.409, isSending, isYours } as OpenUpload)).toEqual({ is, label });
});
