// Shows SEC-36.
import { noFilter } from '@kc/pack/filter/filter';
import { writeFilter } from '@kc/pack/filter/filter-text';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import type { RequestContext } from '../../accounts/require.ts';
import { createFilterCache, filterLimit } from './filter-cache.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const context = (id: string) => ({ person: { account: { id } } }) as RequestContext;
const record = { id: 'v' };
const noMarks = () => Promise.reject(new Error('No filter here is about marks'));
const packQueries = { patternProblem: async () => undefined };
const marks = { ofFilter: noMarks, ofPlan: noMarks, ofWarnings: noMarks };
const nth = (n: number): string => writeFilter({ ...noFilter, contains: [`word ${n}`] });
const code = (work: Promise<string>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: { data: { code: string; params?: object } }) => error.data,
  );

test('distinct filters are rate-limited per user, and repeating one is free', async () => {
  let now = 0;
  const filterOf = createFilterCache({ db: database.db, marks, packQueries, now: () => now });
  const ann = context('ann');
  for (let n = 0; n < filterLimit.uses; n++) {
    // A screen requests slices, nodes and histograms under the same filter.
    for (let again = 0; again < 3; again++) expect(await filterOf(ann, record, nth(n))).toBe(nth(n));
  }
  const seconds = filterLimit.windowMs / 1000;
  const refusal = { code: 'visualization/filter-too-many', params: { seconds } };
  expect(await code(filterOf(ann, record, nth(-1)))).toEqual(refusal);
  expect(await code(filterOf(ann, record, nth(-1)))).toEqual(refusal);
  // The filter in use, and no filter, still work.
  expect(await filterOf(ann, record, nth(filterLimit.uses - 1))).toBe(nth(filterLimit.uses - 1));
  expect(await filterOf(ann, record, undefined)).toBe('');
  expect(await filterOf(context('bob'), record, nth(-1))).toBe(nth(-1));
  now = filterLimit.windowMs;
  expect(await filterOf(ann, record, nth(-1))).toBe(nth(-1));
});

test('the same filter of two visualizations counts twice', async () => {
  const filterOf = createFilterCache({ db: database.db, marks, packQueries, now: () => 0 });
  const eve = context('eve');
  const uses = () => database.db.selectFrom('rate_limits').select('uses').execute();
  await database.db.deleteFrom('rate_limits').execute();
  await filterOf(eve, record, nth(1));
  await filterOf(eve, { id: 'w' }, nth(1));
  await filterOf(eve, record, nth(1));
  expect(await uses()).toEqual([{ uses: 2 }]);
});

test('searches count like filters, and the next page of the last one is free', async () => {
  const filterOf = createFilterCache({ db: database.db, marks, packQueries, now: () => 0 });
  const link = { visitor: { ok: true, value: { linkId: 'l' } } } as unknown as RequestContext;
  const search = (text: string) => code(filterOf.search(link, record, { mode: 'all', text }).then(() => ''));
  for (let n = 0; n < filterLimit.uses; n++) {
    for (const text of [`shoes ${n}`, ` shoes  ${n} `]) expect(await search(text)).toBe('ok');
  }
  expect(await search('one more')).toMatchObject({ code: 'visualization/filter-too-many' });
  expect(await search('')).toBe('ok');
  expect(await search(`shoes ${filterLimit.uses - 1}`)).toBe('ok');
});
