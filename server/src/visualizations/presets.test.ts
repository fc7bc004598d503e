import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import type { FilterPreset, SavedScore } from '@kc/rules/saved-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase, untilOneWaits } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { replacePresetText } from './saved.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-presets-'));
  app = await startTestApp(database, directory);
});
beforeEach(async () => {
  await database.db.deleteFrom('accounts').execute();
  await insertAccount(database.db, 'admin', { role: 'admin' });
  for (const id of ['ann', 'bob']) await insertAccount(database.db, id);
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function call<T>(who: string, method: string, path = '', body?: object): Promise<{ status: number; body: T }> {
  const answer = await fetch(`${app.url}/api/me/filter-presets${path}`, {
    method,
    headers: { cookie: await cookieOf(database, who), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
}
type Refused = { data: { code: string; params?: object } };

const save = async (who: string, name: string, filter = 'quick-50_30'): Promise<FilterPreset> =>
  (await call<FilterPreset>(who, 'POST', '', { name, filter })).body;
const list = async (who: string) => (await call<FilterPreset[]>(who, 'GET')).body;
const saidOf = async (answer: Promise<{ body: Refused }>) => {
  const { code, params } = (await answer).body.data;
  return say(code as 'filter/presets-full', params as { max: number });
};
const codeOf = async (answer: Promise<{ body: Refused }>) => (await answer).body.data.code;

test('filters are listed by name, for their owner alone', async () => {
  await save('ann', 'Quick wins');
  await save('ann', ' Easy\u200e  ones\n', 'difficulty-_30*has-b*has-a');
  expect((await list('ann')).map(({ name, filter }) => [name, filter])).toEqual([
    // In one line, and in canonical form.
    ['Easy ones', 'has-a*has-b*difficulty-_30'],
    ['Quick wins', 'quick-50_30'],
  ]);
  expect([await list('bob'), await list('admin')]).toEqual([[], []]);
});

test('a filter gets another name or other conditions, and is deleted', async () => {
  const { id } = await save('ann', 'Quick wins');
  expect((await call(`ann`, 'PUT', `/${id}`, { name: 'Wins' })).body).toEqual({
    id,
    name: 'Wins',
    filter: 'quick-50_30',
  });
  expect((await call('ann', 'PUT', `/${id}`, { filter: 'ask-en' })).body).toEqual({
    id,
    name: 'Wins',
    filter: 'ask-en',
  });
  expect((await call('ann', 'DELETE', `/${id}`)).body).toEqual({ id });
  expect(await list('ann')).toEqual([]);
  expect(await saidOf(call<Refused>('ann', 'DELETE', `/${id}`))).toBe('This saved filter does not exist any more.');
});

test('a filter that is renamed while something else changes its conditions keeps the new ones', async () => {
  const { id, filter } = await save('ann', 'Quick wins');
  let renamed: ReturnType<typeof call<FilterPreset>> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await replacePresetText(tx, id, filter, 'ask-en');
    renamed = call('ann', 'PUT', `/${id}`, { name: 'Wins' });
    await untilOneWaits(database.db);
  });
  expect((await renamed)!.body).toEqual({ id, name: 'Wins', filter: 'ask-en' });
});

test('a filter that is deleted while it is renamed does not exist any more', async () => {
  const { id } = await save('ann', 'Quick wins');
  let renamed: ReturnType<typeof call<Refused>> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('presets').where('id', '=', id).execute();
    renamed = call('ann', 'PUT', `/${id}`, { name: 'Wins' });
    await untilOneWaits(database.db);
  });
  expect(await codeOf(renamed!)).toBe('filter/preset-not-found');
});

test('a filter is not saved for an account that is deleted meanwhile', async () => {
  let saved: ReturnType<typeof call<Refused>> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', 'ann').forNoKeyUpdate().execute();
    saved = call('ann', 'POST', '', { name: 'Late', filter: 'ask-en' });
    await untilOneWaits(database.db);
    await tx.deleteFrom('accounts').where('id', '=', 'ann').execute();
  });
  expect(await codeOf(saved!)).toBe('session/required');
});

test('a filter that is saved while its account is taken over belongs to the one that takes over', async () => {
  let saved: ReturnType<typeof save> | undefined;
  await database.db.transaction().execute(async (tx) => {
    const taken = { migrated_to: 'bob', migrated_at: new Date() };
    await tx.updateTable('accounts').set(taken).where('id', '=', 'ann').execute();
    saved = save('ann', 'Late');
    await untilOneWaits(database.db);
  });
  const late = await saved;
  expect(await list('bob')).toEqual([late]);
});

// Shows P18.14.
test('nobody changes the filters of somebody else, not even an administrator', async () => {
  const mine = await save('ann', 'Quick wins');
  for (const who of ['bob', 'admin']) {
    for (const [method, body] of [
      ['PUT', { name: 'Mine now' }],
      ['DELETE', undefined],
    ] as const) {
      expect(await codeOf(call<Refused>(who, method, `/${mine.id}`, body))).toBe('filter/preset-not-found');
    }
  }
  expect(await list('ann')).toEqual([mine]);
});

test('a filter without a name, without a condition or that cannot be read is not saved', async () => {
  const { id } = await save('ann', 'Quick wins');
  const refused = (name: string, filter: string) => codeOf(call<Refused>('ann', 'POST', '', { name, filter }));
  expect(await refused(' \u200e ', 'ask-en')).toBe('filter/preset-unnamed');
  expect(await refused('Odd', 'shoes')).toBe('visualization/filter-invalid');
  expect(await refused('None', 'words-_')).toBe('visualization/filter-invalid');
  expect(await refused('Open', 'regex-(a')).toBe('visualization/pattern-invalid');
  expect(await saidOf(call<Refused>('ann', 'PUT', `/${id}`, { name: '' }))).toBe('A saved filter needs a name.');
  expect(await list('ann')).toHaveLength(1);
});

// Shows P15.25.
test('an account has at most fifty, also if two requests save at once', async () => {
  for (let at = 0; at < limits.maxPresets - 1; at++) await save('ann', `Filter ${at}`);
  const answers = await Promise.all(
    [1, 2].map((at) => call<Refused>('ann', 'POST', '', { name: `${at}`, filter: 'ask-en' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status !== 200)!.body.data).toMatchObject({
    code: 'filter/presets-full',
    params: { max: 50 },
  });
  expect(await list('ann')).toHaveLength(limits.maxPresets);
  expect(await saidOf(call<Refused>('ann', 'POST', '', { name: 'More', filter: 'ask-en' }))).toBe(
    '50 filters are saved, which is the maximum. Delete one to save another.',
  );
  await save('bob', 'His first');
  expect(await list('bob')).toHaveLength(1);
});

const callScore = async <T>(who: string, method: string, path = '', body?: object) => {
  const answer = await fetch(`${app.url}/api/me/scores${path}`, {
    method,
    headers: { cookie: await cookieOf(database, who), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
};

// Shows P15.30.
test('scores are saved beside filters, in canonical form and for their owner alone', async () => {
  await save('ann', 'Quick wins');
  const saved = await callScore<SavedScore>('ann', 'POST', '', { name: 'Ease', score: 'sum.( volume * 2 )' });
  expect(saved).toMatchObject({ status: 200, body: { name: 'Ease', score: 'sum.volume*2' } });
  const { id } = saved.body;
  expect((await callScore<SavedScore[]>('ann', 'GET')).body).toEqual([saved.body]);
  expect((await callScore('bob', 'GET')).body).toEqual([]);
  expect(await list('ann')).toHaveLength(1);
  expect((await callScore('ann', 'PUT', `/${id}`, { name: 'Twice' })).body).toEqual({
    id,
    name: 'Twice',
    score: 'sum.volume*2',
  });
  // Neither is the other.
  expect(await codeOf(call<Refused>('ann', 'DELETE', `/${id}`))).toBe('filter/preset-not-found');
  for (const who of ['bob', 'admin']) {
    expect(await saidOf(callScore<Refused>(who, 'DELETE', `/${id}`))).toBe('This saved score does not exist any more.');
  }
  expect((await callScore('ann', 'DELETE', `/${id}`)).body).toEqual({ id });
  expect((await callScore('ann', 'GET')).body).toEqual([]);
});

test('a score without a name or that cannot be read is not saved, and there are at most fifty', async () => {
  const said = (name: string, score: string) => saidOf(callScore<Refused>('ann', 'POST', '', { name, score }));
  expect(await said(' ', 'branch.volume')).toBe('A saved score needs a name.');
  for (const score of ['volume', 'branch.', 'branch.dificulty', 'most.volume'])
    expect(await said('Odd', score)).toBe('This formula cannot be read.');
  for (let at = 0; at < limits.maxPresets; at++)
    await callScore('ann', 'POST', '', { name: `${at}`, score: 'branch.volume' });
  expect(await said('More', 'branch.volume')).toBe(
    '50 scores are saved, which is the maximum. Delete one to save another.',
  );
  await save('ann', 'A filter');
  expect(await list('ann')).toHaveLength(1);
});
