import type { Reading } from '@kc/cluster/read/reading';
import { expect, test } from 'vitest';
import {
  canSend,
  noPreview,
  type Preview,
  type PreviewMessage,
  restarted,
  severityOf,
  withMessage,
} from './preview-state.ts';

const reading = (meaning: 'keyword' | 'keep' = 'keyword'): Reading => ({
  format: 'text',
  encoding: 'utf-8',
  delimiter: ',',
  header: undefined,
  skipped: 0,
  titles: [],
  columns: [{ name: 'Column 1', meaning, hasDecimalComma: false, sample: 'hose', known: 1 }],
  vendor: 'table',
  market: undefined,
  exported: undefined,
  notes: [],
});
const rows = (good: number, unreadable: number) => ({
  rows: good,
  known: [],
  zeroCosts: 0,
  highRates: [],
  unreadable,
  problems: [],
  footers: [],
  cutAfter: undefined,
});
const started = (run: number, files: number) =>
  restarted(
    noPreview,
    run,
    Array.from({ length: files }, (_, key) => key),
  );
const after = (preview: Preview, ...messages: PreviewMessage[]) => messages.reduce(withMessage, preview);

test('news of an older reading is not shown', () => {
  const preview = started(2, 1);
  expect(after(preview, { run: 1, kind: 'reading', file: 0, reading: reading() })).toBe(preview);
});

test('a list can be sent as soon as its beginning is read', () => {
  const preview = started(1, 2);
  expect(canSend(preview)).toBe(false);
  const one = after(preview, { run: 1, kind: 'reading', file: 0, reading: reading() });
  expect(canSend(one)).toBe(false);
  const both = after(one, { run: 1, kind: 'reading', file: 1, reading: reading() });
  expect(canSend(both)).toBe(true);
  expect(canSend(after(both, { run: 1, kind: 'refused', file: 1, refusal: { code: 'zip' } }))).toBe(false);
  expect(canSend(after(both, { run: 1, kind: 'rows', file: 0, report: rows(0, 0) }))).toBe(false);
  expect(canSend(after(both, { run: 1, kind: 'failed' }))).toBe(false);
  expect(canSend(after(both, { run: 1, kind: 'reading', file: 1, reading: reading('keep') }))).toBe(false);
});

test('up to 5 % unreadable rows are good, up to 50 % warned, more refused', () => {
  expect([5, 6, 50, 51].map((bad) => severityOf({ rows: rows(100 - bad, bad) }))).toEqual([
    'good',
    'warned',
    'warned',
    'refused',
  ]);
  expect(severityOf({})).toBe('good');
});

test('another reading keeps what was read of the files that stay, and no counts', () => {
  const report = { rows: 3, keywords: 3, repeats: 0, mostRepeated: [], markets: [], leftOut: [], tooLarge: [] };
  const last = after(
    started(1, 2),
    { run: 1, kind: 'reading', file: 0, reading: reading('keep') },
    { run: 1, kind: 'reading', file: 1, reading: reading() },
    { run: 1, kind: 'rows', file: 1, report: rows(3, 0) },
    { run: 1, kind: 'counts', counts: { rows: 3, keywords: 3, isOver: false } },
    { run: 1, kind: 'end', report, choices: { columns: [], hasUrls: false, hasResults: false } },
  );
  expect(last).toMatchObject({ isEnded: true, report: { keywords: 3 } });
  // The first file was removed, and another one was added at the end.
  expect(restarted(last, 2, [1, 7])).toEqual({
    ...noPreview,
    run: 2,
    keys: [1, 7],
    files: [{ reading: reading() }, {}],
  });
});

test('the groups of chosen columns are shown until others are chosen', () => {
  const groups = { levels: [], are: 'tree' as const, hasPillarsAbove: false, without: [], groups: 2, branches: [] };
  const filtered = { kept: 2, belowVolume: 1, withWords: 0, branded: 0 };
  const chosen = after(started(1, 1), { run: 1, kind: 'chosen', groups, filtered, totals: { volume: 7 } });
  expect(chosen).toMatchObject({ chosenGroups: groups, filtered, totals: { volume: 7 } });
  expect(after(chosen, { run: 1, kind: 'chosen', filtered, totals: {} }).chosenGroups).toBeUndefined();
});
