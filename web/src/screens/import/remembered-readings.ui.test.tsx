import type { NewDraft, RememberedReading } from '@kc/rules/draft-shapes';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../test/page/axe.ts';
import { fakeApi, type Handlers, isOffline } from '../../../test/page/fake-api.ts';
import { draftsOf } from '../../../test/page/fake-drafts.ts';
import { openApp } from '../../../test/page/open-app.tsx';
import { leaveImport } from '../../api/transfers.ts';

const list = (name: string, words: readonly string[]): File =>
  new File([`Keyword,Reach\n${words.map((word, at) => `${word},${at}`).join('\n')}\n`], name, { type: 'text/csv' });

afterEach(leaveImport);

const meaning = page.getByRole('combobox', { name: 'Meaning of column Reach' });
const choose = (file: File) => userEvent.upload(page.getByLabelText('Keyword lists').last(), file);
const shows = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible();
const hides = (text: string | RegExp) => expect.element(page.getByText(text)).not.toBeInTheDocument();

async function correct(to: string): Promise<void> {
  await meaning.click();
  await page.getByRole('option', { name: to }).click();
}

/** A server that remembers corrections by the header of the list that a draft is started with. */
function rememberingApi() {
  const remembered = new Map<string, RememberedReading>();
  const { api } = draftsOf();
  const create = api['drafts.create'];
  return {
    ...api,
    'drafts.create': (draft: NewDraft) => {
      const correctedAt = Date.UTC(2026, 3, 30, 12);
      for (const { header, corrections } of draft.files) {
        if (header !== undefined) remembered.set(header, { corrections, correctedAt });
      }
      return create(draft);
    },
    'listReadings.find': ({ header }: { header: string }) => {
      const found = remembered.get(header);
      return found ? { found } : {};
    },
    'listReadings.forget': ({ header }: { header: string }) => {
      remembered.delete(header);
      return {};
    },
  } satisfies Handlers;
}

// Shows P21.8.
test('the next list with the same header is read as the last one was corrected, until that is forgotten', async () => {
  const api = rememberingApi();
  await openApp('/import', { as: 'admin', api });
  await choose(list('april.csv', ['red hose', 'blue hose']));
  await expect.element(meaning).toHaveTextContent('Keep as it is');
  await correct('Search volume');
  await page.getByRole('button', { name: 'Cluster 2 keywords' }).click();
  await expect.element(meaning).not.toBeInTheDocument();

  await choose(list('may.csv', ['green hose', 'long hose', 'short hose']));
  await shows(/^Read as you corrected it on Apr 30/);
  await expect.element(meaning).toHaveTextContent('Search volume');
  await shows(/^3 rows · 3 keywords/);
  await correct('Difficulty');
  await hides(/^Read as you corrected it/);
  await page.getByRole('button', { name: 'Remove may.csv' }).click();
  await choose(list('may.csv', ['green hose', 'long hose', 'short hose']));
  await shows(/^Read as you corrected it/);
  expect(await violations()).toEqual([]);

  fakeApi({ 'listReadings.forget': isOffline });
  const forget = page.getByRole('button', { name: 'Forget the corrections of may.csv' });
  await forget.click();
  await shows(/^The corrections were not forgotten: /);
  await expect.element(meaning).toHaveTextContent('Search volume');
  fakeApi({ 'listReadings.forget': api['listReadings.forget'] });
  await forget.click();
  await shows('Forgotten. The list is read without corrections.');
  await expect.element(meaning).toHaveTextContent('Keep as it is');
  await expect.element(page.getByText('Forgotten. The list is read without corrections.')).toHaveFocus();
  // Each sentence disappears when it is no longer true.
  await correct('Search volume');
  await hides('Forgotten. The list is read without corrections.');
  await hides(/^Read as you corrected it/);
  await page.getByRole('button', { name: 'Remove may.csv' }).click();

  await choose(list('june.csv', ['thin hose']));
  await shows(/^1 row · 1 keyword /);
  await expect.element(meaning).toHaveTextContent('Keep as it is');
});
