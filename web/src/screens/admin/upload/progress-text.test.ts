import { expect, test } from 'vitest';
import { transferOf } from '../../../../test/support/transfer.ts';
import type { FileTransfer } from '../../../api/transfers.ts';
import { announcementOf, standstillText, transferText } from './progress-text.ts';

const transfer = (change: Partial<FileTransfer>): FileTransfer => transferOf({ totalBytes: 10_000_000, ...change });

test('before the first byte only the size is shown', () => {
  expect(transferText(transfer({}), 60_000)).toBe('0 bytes of 10.0 MB');
});

// Shows P9.7.
test('speed and time left are shown once they are known', () => {
  const samples = [
    { atMs: 1_000, bytes: 1_000_000 },
    { atMs: 4_000, bytes: 4_000_000 },
  ];
  // 3 MB in 3 s; 6 MB left.
  expect(transferText(transfer({ samples, share: 0.4 }), 4_000)).toBe('4.0 MB of 10.0 MB · 1.0 MB/s · about 6 s left');
});

test('no time left is shown in the three seconds after the transfer resumed', () => {
  const samples = [
    { atMs: 10_500, bytes: 5_000_000 },
    { atMs: 12_500, bytes: 6_000_000 },
  ];
  expect(transferText(transfer({ samples, share: 0.6, movingSinceMs: 10_000 }), 12_500)).toBe(
    '6.0 MB of 10.0 MB · 500 KB/s',
  );
});

test('speed and time left disappear while nothing is sent', () => {
  const samples = [
    { atMs: 1_000, bytes: 1_000_000 },
    { atMs: 4_000, bytes: 4_000_000 },
  ];
  const stalled = transfer({ samples, share: 0.4 });
  expect(transferText(stalled, 5_000)).toBe('4.0 MB of 10.0 MB · 750 KB/s · about 8 s left');
  expect(transferText(stalled, 7_000)).toBe('4.0 MB of 10.0 MB · waiting for an answer');
});

test('after the last byte, the server’s progress is shown', () => {
  expect(transferText(transfer({ state: 'received' }), 0)).toBe('10.0 MB received');
  expect(transferText(transfer({ state: 'reading', share: 0.456 }), 0)).toBe('10.0 MB received · 46% read');
});

test('every reason why an upload makes no progress is shown', () => {
  expect(standstillText(transfer({}))).toBe('');
  expect(standstillText(transfer({ standstill: 'paused' }))).toBe('Paused. What was sent is kept.');
  expect(standstillText(transfer({ standstill: 'lost' }))).toBe('Connection lost – will continue automatically');
  expect(standstillText(transfer({ standstill: 'signed-out' }))).toBe(
    'You must be logged in to upload files. Sign in again to resume it.',
  );
});

test('a screen reader hears each tenth once, not each percent', () => {
  const heard = (share: number) => announcementOf(transfer({ share }));
  expect(heard(0)).toBe('Uploading... 10%');
  expect(heard(0.1)).toBe('Uploading... 10%');
  expect(heard(0.2)).toBe('Uploading... 20%');
  expect(heard(0.37)).toBe('Uploading... 20%');
  expect(announcementOf(transfer({ state: 'saving' }))).toBe('Processing... 80%');
  expect(announcementOf(transfer({ share: 0.5, standstill: 'paused' }))).toBe('Paused. What was sent is kept.');
});
