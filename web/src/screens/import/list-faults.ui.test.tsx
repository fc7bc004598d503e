import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { rightReadings, unreadableFile } from '../../../../cluster/test/support/list-faults.ts';
import { draftsOf } from '../../../test/page/fake-drafts.ts';
import { openApp } from '../../../test/page/open-app.tsx';
import { countText } from '../../ui/number-text.ts';
import { counted } from './draft-words.ts';
import { meaningOptions } from './reading-words.ts';

const addresses = import.meta.glob<string>('../../../../fixtures/list-faults/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Puts a file of `fixtures/list-faults` into the import screen, whose own worker reads it. */
async function choose(name: string): Promise<void> {
  const [, address] = Object.entries(addresses).find(([path]) => path.endsWith(`/${name}`))!;
  const bytes = await (await fetch(address)).arrayBuffer();
  await openApp('/import', { as: 'admin', api: draftsOf().api });
  await userEvent.upload(page.getByLabelText('Keyword lists').last(), new File([bytes], name));
}

const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();
const lacks = (text: RegExp) => expect.element(page.getByText(text)).not.toBeInTheDocument();
const labelOf = (meaning: string) => meaningOptions.find(({ value }) => value === meaning)!.label;

/** How each note of a reading begins. */
const noteTexts: Readonly<Record<string, RegExp>> = {
  'unread-figures': /^These numbers are not recognised and kept as they are: /,
  'global-figures': /^Figures of all countries are used, /,
  'filled-down': /^Groups are written once, /,
  'encoding-guess': /^The encoding of this file is a guess: /,
  'no-volume': /^This list has no search volumes\./,
};

/**
 * `cluster/test/list-faults.test.ts` reads all of them, as the worker of the screen does. Here is one of each kind that the
 * preview shows in another way: totals left out or none, each note, repeated and unreadable rows, groups of the file, sheets; and
 * each encoding, because a browser decodes them, or cannot.
 */
const seenInPreview = rightReadings.filter(({ file }) => /^(?:01|08|1[789]|2[34567]|3[123]|65|72)-/u.test(file));

// Shows P21.1.
test.each(seenInPreview)('the preview of $file shows what is right', async (right) => {
  const { file, rows, keywords, unreadable = 0, footers = 0, totals = {}, columns, notes = [], grouping } = right;
  await choose(file);
  const read = `${counted(rows, 'row')} · ${counted(keywords, 'keyword')}`;
  const counts = `${read} · ${rows - keywords} repeated · ${unreadable} unreadable`;
  await shows(counts);
  const sums = Object.entries(totals).map(([figure, sum]) => `${figure} ${countText(sum)}`);
  if (sums.length > 0) await shows(`Totals: ${sums.join(' · ')}`);
  else await lacks(/^Totals: /);
  const notKeywords = /^Lines? .* (?:is|are) not (?:a keyword|keywords)\./;
  await (footers > 0 ? shows(notKeywords) : lacks(notKeywords));

  const table = page.getByRole('table', { name: 'How we read your fields' });
  const shown = [...table.element().querySelectorAll('tbody tr')].map((row) => [
    row.querySelector('th')!.textContent,
    row.querySelector('[role=combobox]')!.textContent,
  ]);
  expect(shown).toEqual(columns.map(([name, meaning]) => [name, labelOf(meaning)]));
  for (const [code, text] of Object.entries(noteTexts)) {
    const isShown = page.getByText(text).elements().length > 0;
    expect([code, isShown]).toEqual([code, notes.includes(code as (typeof notes)[number])]);
  }
  const by = grouping ? 'By columns of the file' : 'By meaning and wording';
  await expect.element(page.getByRole('radio', { name: by })).toBeChecked();
});

test('of a file whose rows cannot be read, the preview shows the reason and the first rows', async () => {
  await choose(unreadableFile);
  await shows(/^None of the 2 rows of this file could be read\. .* line 2: oak desk,1,900,12/);
  await expect.element(page.getByRole('button', { name: /^Cluster/ })).toBeDisabled();
});
