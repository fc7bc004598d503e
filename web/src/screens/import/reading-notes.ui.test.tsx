import type { Reading } from '@kc/cluster/read/reading';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ReadingNotes } from './reading-notes.tsx';

const reading = (more: Partial<Reading>): Reading => ({
  format: 'text',
  encoding: 'windows-1251',
  delimiter: ';',
  header: { line: 1, names: ['запрос', 'CPC'] },
  skipped: 1,
  titles: [],
  columns: [],
  vendor: 'table',
  market: undefined,
  exported: undefined,
  notes: [],
  ...more,
});
const rows = {
  rows: 32,
  known: [],
  zeroCosts: 0,
  highRates: [],
  unreadable: 0,
  problems: [],
  footers: [],
  cutAfter: undefined,
};

// Shows P21.12.
test('a guessed encoding shows one line in each likely one, and another can be chosen', async () => {
  const onCorrect = vi.fn();
  const samples = [
    { encoding: 'windows-1251' as const, text: 'стол дубовый' },
    { encoding: 'windows-1252' as const, text: 'ñòîë äóáîâûé' },
  ];
  await render(
    <ReadingNotes
      reading={reading({ notes: [{ code: 'encoding-guess', encoding: 'windows-1252', samples }] })}
      preview={{ rows }}
      onCorrect={onCorrect}
    />,
  );
  await expect
    .element(page.getByText('The encoding of this file is a guess: Windows-1252.', { exact: false }))
    .toBeVisible();
  await expect.element(page.getByRole('radio', { name: 'Windows-1251 стол дубовый' })).toBeChecked();
  await page.getByRole('radio', { name: 'Windows-1252 ñòîë äóáîâûé' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'encoding', value: 'windows-1252' });
});

// Shows P21.12.
test('whether a CPC of 0 is unknown is asked', async () => {
  const onCorrect = vi.fn();
  await render(
    <ReadingNotes
      reading={reading({ notes: [{ code: 'zero-cpc', column: 'CPC', share: 0.96 }] })}
      preview={{ rows }}
      onCorrect={onCorrect}
    />,
  );
  await expect.element(page.getByText('CPC is 0 in 96 % of the rows', { exact: false })).toBeVisible();
  await page.getByRole('checkbox', { name: '0 means unknown' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'values', value: { isZeroCpcUnknown: true } });
});

test('whether rows with nothing but a name are groups is asked', async () => {
  const onCorrect = vi.fn();
  const notes = [{ code: 'group-rows' as const, column: 'Keyword' }];
  const grouped = reading({ notes, groupRows: { names: 0, groups: 2 } });
  await render(<ReadingNotes reading={grouped} preview={{ rows }} onCorrect={onCorrect} />);
  await expect.element(page.getByText('Some rows hold only a name in Keyword.', { exact: false })).toBeVisible();
  await page.getByRole('checkbox', { name: 'They are groups' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'values', value: { fillsDown: false } });
});

test('whether lines are headings is asked', async () => {
  const onCorrect = vi.fn();
  const notes = [{ code: 'group-lines' as const }];
  const grouped = reading({ notes, outline: { kind: 'indents', levels: 1 } });
  await render(<ReadingNotes reading={grouped} preview={{ rows }} onCorrect={onCorrect} />);
  await expect.element(page.getByText('Some lines seem to be headings', { exact: false })).toBeVisible();
  await page.getByRole('checkbox', { name: 'They are groups' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'values', value: { fillsDown: false } });
});

test('whether months that are only numbered begin with the newest is asked', async () => {
  const onCorrect = vi.fn();
  const notes = [{ code: 'month-order' as const, column: 'Month 1', isNewest: false }];
  await render(<ReadingNotes reading={reading({ notes })} preview={{ rows }} onCorrect={onCorrect} />);
  await expect.element(page.getByText('Month 1 may be the oldest or the newest', { exact: false })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Month 1 is the newest' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'values', value: { isFirstMonthNewest: true } });
});

test('whether 1.234 is more than a thousand is asked', async () => {
  const onCorrect = vi.fn();
  const notes = [{ code: 'thousands-guess' as const, column: 'Traffic', sample: '1.234', are: true }];
  await render(<ReadingNotes reading={reading({ notes })} preview={{ rows }} onCorrect={onCorrect} />);
  await expect
    .element(page.getByText('In Traffic, 1.234 may be a number of thousands', { exact: false }))
    .toBeVisible();
  await page.getByRole('checkbox', { name: '1.234 means 1234' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'values', value: { areThousands: false } });
});

// Shows P21.12.
test('whether a click rate of 0.5 is 50 % or 0.5 % is asked, until all rows are read and one tells', async () => {
  const onCorrect = vi.fn();
  const notes = [{ code: 'ctr-scale' as const, column: 'CTR', sample: 0.5 }];
  const shown = await render(<ReadingNotes reading={reading({ notes })} preview={{ rows }} onCorrect={onCorrect} />);
  await expect.element(page.getByText('In CTR, 0.5 may mean 50 % or 0.5 %', { exact: false })).toBeVisible();
  await page.getByRole('checkbox', { name: '0.5 means 0.5 %' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'values', value: { isCtrPercent: true } });
  await shown.rerender(
    <ReadingNotes
      reading={reading({ notes })}
      preview={{ rows: { ...rows, highRates: ['CTR'] } }}
      onCorrect={onCorrect}
    />,
  );
  expect(page.getByRole('checkbox').elements()).toEqual([]);
});

// Shows P21.12.
test('whether addresses are search results is asked', async () => {
  const onCorrect = vi.fn();
  const column = {
    name: 'URL',
    hasDecimalComma: false,
    sample: 'https://a.test',
    known: 1,
    meaning: 'resultUrl' as const,
  };
  await render(
    <ReadingNotes
      reading={reading({ columns: [column], notes: [{ code: 'results-guess', column: 'URL' }] })}
      preview={{ rows }}
      onCorrect={onCorrect}
    />,
  );
  await expect
    .element(page.getByText('URL has pages of several sites for one keyword.', { exact: false }))
    .toBeVisible();
  await page.getByRole('checkbox', { name: 'They are search results' }).click();
  expect(onCorrect).toHaveBeenCalledWith({ what: 'values', value: { areResults: false } });
});

test('rows of totals and notes are named by their lines', async () => {
  const footers = [2, 34, 35, 36].map((line) => ({ line, text: 'Total' }));
  await render(
    <ReadingNotes reading={reading({})} preview={{ rows: { ...rows, footers } }} onCorrect={() => undefined} />,
  );
  await expect.element(page.getByText('Lines 2 and 34–36 are not keywords.')).toBeVisible();
});

test('where no row can be read, the first ones are shown', async () => {
  const problems = [{ line: 2, reason: 'too-many-cells' as const, text: 'oak desk,1,900,12' }];
  await render(
    <ReadingNotes
      reading={reading({})}
      preview={{ rows: { ...rows, rows: 0, unreadable: 2, problems } }}
      onCorrect={() => undefined}
    />,
  );
  await expect.element(page.getByText('None of the 2 rows of this file could be read', { exact: false })).toBeVisible();
  await expect.element(page.getByText('line 2: oak desk,1,900,12', { exact: false })).toBeVisible();
});
