// Shows REL-38.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { asError } from '../../http/refusals.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import type { PackQueries } from './pack-queries.ts';
import type { Question } from './query-messages.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let cookie: string;
let of: string;
let vs: string;

/** The question that gets no answer until its requester goes away. */
let held: Question | undefined;
let asked: () => void;
let left: () => void;

function holding(queries: PackQueries): PackQueries {
  const hold = (question: Question) => (given: { signal?: AbortSignal }) => {
    if (question === 'endExport') left();
    if (question !== held) return (queries[question] as (given: object) => Promise<unknown>)(given);
    return new Promise((_resolve, reject) => {
      const leave = (): void => {
        left();
        reject(asError({ code: 'fault/unavailable' }));
      };
      given.signal?.addEventListener('abort', leave);
      asked();
    });
  };
  return new Proxy(queries, {
    get: (target, name: string) => (name === 'close' ? target.close : hold(name as Question)),
  });
}

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-abandoned-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'ann');
  app = await startTestApp(database, directory, { wrapQueries: holding });
  cookie = await cookieOf(database, 'ann');
  const client = tusClient(app.url, await cookieOf(database, 'admin'));
  const upload = async (name: string): Promise<string> => {
    const text = JSON.stringify({
      keywords: [],
      hierarchy: { name: 'r', children: [{ name, volume: 5 }, { name: 'b' }] },
    });
    const sent = await client.send(new TextEncoder().encode(text), { filename: 'shop.json', userId: 'ann' });
    return (await client.settled(sent)).visualizationId!;
  };
  vs = await upload('earlier');
  of = await upload('later');
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const plot = { level: 'keywords', x: 'volume', y: 'difficulty', size: 'keywords' };
const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) });

test.each<[Question, string, { type: string; body: string | Uint8Array<ArrayBuffer> }?]>([
  ['slice', 'slice?filter=has-b'],
  ['rows', 'rows?level=keywords&sort=volume&count=10'],
  ['selectionTotals', 'selection-totals', { type: 'application/octet-stream', body: new Uint8Array(4) }],
  ['points', `points?${new URLSearchParams(plot)}`],
  ['density', 'density', json({ ...plot, edges: { x: [0, 1], y: [0, 1] } })],
  ['checkScore', 'score-check', json({ score: 'volume', level: 'keywords' })],
  ['node', 'nodes/0'],
  ['keywords', 'nodes/0/keywords'],
  ['members', 'nodes/0/members'],
  ['notInHierarchy', 'not-in-hierarchy?q=a'],
  ['locate', 'locate?address=0123456789abcdef'],
  ['search', 'search?q=b'],
  ['histogram', 'histogram?of=volume'],
  ['changes', 'changes?vs=VS'],
  ['change', 'nodes/0/change?vs=VS'],
  ['warningSummary', 'warnings'],
  ['warningPage', 'warnings/oversized'],
  ['nodeWarnings', 'nodes/0/warnings'],
  ['warningMarks', 'warning-marks'],
  ['planTotals', 'plan/totals'],
  ['planFigures', 'plan/figures'],
  ['beginExport', 'export.csv'],
  ['nextPart', 'export.csv'],
  ['nextPart', 'export.json'],
  ['nextPart', 'not-in-hierarchy.csv'],
  ['beginHandover', 'plan.xlsx?of=clusters'],
  ['nextPart', 'outline.md?of=clusters'],
])('a reader who leaves ends the query %s of %s', async (question, path, sends) => {
  held = question;
  const gone = new AbortController();
  const arrived = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    left = resolve;
  });
  const answer = fetch(`${app.url}/api/visualizations/${of}/${path.replace('VS', vs)}`, {
    headers: { cookie, ...(sends && { 'content-type': sends.type }) },
    ...(sends && { method: 'POST', body: sends.body }),
    signal: gone.signal,
  });
  const early = answer.then((response) => response.text());
  expect(await Promise.race([arrived, early])).toBeUndefined();
  gone.abort();
  await expect(early).rejects.toThrow();
  await ended;
  held = undefined;
});
