import { expect, test } from 'vitest';
import type { Transfer } from '../../../api/uploads.ts';
import { transferText } from './progress-words.ts';

const transfer = (change: Partial<Transfer>): Transfer => ({
  number: 1,
  fileName: 'shoes.json',
  totalBytes: 10_000_000,
  receiver: { id: 'u1', email: 'uma@example.com' },
  startedAtMs: 0,
  samples: [],
  lost: false,
  state: 'receiving',
  share: 0,
  ...change,
});

test('before the first byte only the size is known', () => {
  expect(transferText(transfer({}))).toBe('0 bytes of 10.0 MB');
});

test('speed and time left are told once they are known', () => {
  const samples = [
    { atMs: 1_000, bytes: 1_000_000 },
    { atMs: 4_000, bytes: 4_000_000 },
  ];
  // 3 MB in 3 s; 6 MB are left.
  expect(transferText(transfer({ samples }))).toBe('4.0 MB of 10.0 MB · 1.0 MB/s · about 6 s left');
});
