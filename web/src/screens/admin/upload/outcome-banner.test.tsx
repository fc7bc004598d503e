import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { transferOf } from '../../../../test/support/transfer.ts';
import type { FileTransfer } from '../../../api/transfers.ts';
import { OutcomeBanner } from './outcome-banner.tsx';

// Files of one worker share imports: another file may have loaded these without the mocks.
vi.hoisted(() => vi.resetModules());
vi.mock('../../../api/transfers.ts', () => ({ dismissUpload: () => undefined }));
// The dismiss timer needs a visible page.
vi.mock('../../../ui/timers.ts', () => ({ useDismissTimer: () => ({ holders: {} }) }));
vi.mock('@tanstack/react-router', () => ({ Link: ({ children }: { children: string }) => <a href="/">{children}</a> }));

const shown = (change: Partial<FileTransfer>): string =>
  renderToStaticMarkup(<OutcomeBanner transfer={transferOf(change)} onAnother={() => undefined} />);
const texts = (html: string): string[] => html.split(/<[^>]*>/).filter((text) => text !== '');
const failed = (refusal: FileTransfer['refusal']): string =>
  shown({ state: 'failed', ...(refusal ? { refusal } : {}) });

// Shows P9.11.
test.each([
  ['upload/read-failed', 'Failed to read file'],
  ['upload/storage-refused', 'Failed to create storage reference'],
  ['upload/task-failed', 'Failed to create upload task'],
  ['upload/failed', 'Upload failed'],
  ['upload/unreadable', 'Failed to get download URL'],
  ['upload/not-saved', 'Failed to save visualization data'],
])('an upload that fails with %s shows the error %j', (code, text) => {
  expect(texts(failed({ code }))).toContain(text);
  expect(failed({ code })).toContain('role="alert"');
});

// Shows P9.11, P26.2.
test('a full disk adds a sentence to the specified text, and no other refusal does', () => {
  const helps =
    'Delete visualizations and drafts that nobody needs, purge them in the settings, or give the server a larger disk. Then try again.';
  const reason = 'The server has too little free disk space for this file';
  expect(texts(failed({ code: 'upload/storage-refused' }))).toEqual(
    expect.arrayContaining(['Failed to create storage reference', `${reason}. ${helps}`]),
  );
  expect(texts(failed({ code: 'upload/storage-refused', params: { free: 120, kept: 1_200 } }))).toContain(
    `${reason}: 120 MB are free. “Purge now” in the settings frees 1,200 MB of deleted files. Delete visualizations and drafts that nobody needs, purge them in the settings, or give the server a larger disk. Then try again.`,
  );
  expect(texts(failed({ code: 'upload/storage-refused', params: { free: 120, kept: 0 } }))).toContain(
    `${reason}: 120 MB are free. ${helps}`,
  );
  expect(failed({ code: 'upload/failed' })).not.toContain(reason);
});

test('an unknown reason is shown as a failed upload', () => {
  expect(texts(failed(undefined))).toContain('Upload failed');
});

test('an invalid file shows what is wrong and where, and a file that does not fit shows how much space it needs', () => {
  const params = { what: 'a comma is missing', byte: 7, line: 1, column: 8, excerpt: '' };
  expect(texts(failed({ code: 'upload/invalid-json', params }))).toContain(
    'Invalid JSON file: a comma is missing at byte 7 (line 1, column 8)',
  );
  const memory = { neededMib: 900, allowedMib: 512 };
  expect(texts(failed({ code: 'upload/too-big-to-fit', params: memory }))).toContain(
    'This file needs about 900 MiB of memory to be read and the server allows 512 MiB. Raise INGEST_MEMORY or split the file.',
  );
});

test('a cancelled upload is not an error', () => {
  const html = failed({ code: 'upload/cancelled' });
  expect(texts(html)).toContain('Upload cancelled');
  expect(html).not.toContain('role="alert"');
});

// Shows P9.10.
test('a success names the receiver and links to the visualization', () => {
  const shownTexts = texts(shown({ state: 'active', visualizationId: 'v1' }));
  expect(shownTexts).toContain('File uploaded and processed successfully for uma@example.com');
  expect(shownTexts).toContain('View');
  expect(shownTexts).toContain('Upload another');
});

test('a success with a warning shows the warning instead', () => {
  const shownTexts = texts(
    shown({ state: 'active', visualizationId: 'v1', warning: { code: 'upload/not-activated' } }),
  );
  expect(shownTexts).toContain(
    'File uploaded but there was an issue updating other visualizations. The user may need to manually select it.',
  );
  expect(shownTexts).not.toContain('File uploaded and processed successfully for uma@example.com');
  expect(shownTexts).toContain('View');
});

// Shows P9.10.
test('a success says how many entries of the file were merged, if any', () => {
  const shownTexts = (merged: number) => texts(shown({ state: 'active', visualizationId: 'v1', merged }));
  expect(shownTexts(1234)).toContain('1,234 entries repeat a keyword and were merged with those before them.');
  expect(shownTexts(1)).toContain('1 entry repeats a keyword and was merged with the one before it.');
  expect(shownTexts(0).join()).not.toContain('merged');
});
