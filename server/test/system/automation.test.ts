import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { giveToken } from '../support/access-token-expectations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { insertAccount } from '../support/rows.ts';

const run = promisify(execFile);
const april = 'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,1\nblue hose,Garden,Hoses,2\ncat food,Pets,Food,3\n';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let token: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-automation-'));
  app = await startTestApp(database, join(directory, 'data'));
  await insertAccount(database.db, 'ann', { role: 'admin' });
  ({ token } = await giveToken({ database, clock: Date.now() }, 'ann', { scopes: ['import'] }));
  await writeFile(join(directory, 'may.csv'), april);
  await writeFile(join(directory, 'token'), token);
  const begun = await fetch(`${app.url}/api/imports/new/april.csv?publish=yes`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: april,
  });
  expect(begun.status).toBe(201);
  await published(1);
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

/** Waits until so many visualizations were made. */
async function published(count: number): Promise<void> {
  for (;;) {
    const { length } = await database.db.selectFrom('visualizations').select('id').execute();
    if (length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const page = await readFile(new URL('../../../docs/automation.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(sh|cron|yaml)\n(.*?)^```$/gmsu)].map(([, kind, text]) => ({
  kind,
  text: text!,
}));

/** What a block runs: a script, the command of a crontab after its five fields, or the steps of a job. */
function commandOf({ kind, text }: (typeof blocks)[number]): string {
  if (kind === 'sh') return text;
  if (kind === 'cron') return text.replace(/^(\S+ ){5}/u, '').replaceAll('\\%', '%');
  return [...text.matchAll(/^ *- (?:run: )?(curl .*)$/gmu)].map(([, line]) => line).join('\n');
}

test('the page has lines for a shell, cron, GitHub Actions and GitLab CI', () => {
  expect(blocks.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sh', 'cron', 'yaml', 'yaml']));
  for (const block of blocks) expect(commandOf(block)).toContain('curl ');
});

// Shows P29.7.
test.each(blocks.map((block, at) => [at + 1, commandOf(block)]))(
  'block %i of docs/automation.md imports the list: %s',
  async (at, command) => {
    const settled = command.replaceAll('https://keywords.example.com', app.url).replaceAll('/srv/lists', directory);
    // Its language is no guess for whoever knows the list, and so few keywords do not tell it.
    const written = settled.replaceAll('?publish=yes"', '?publish=yes&language=en"').replaceAll('sleep 5', 'sleep 0.2');
    const before = (await database.db.selectFrom('visualizations').select('id').execute()).length;
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', written], {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        URL: app.url,
        TOKEN: token,
        KEYWORDS_TOKEN: token,
        GITHUB_SHA: `sha-${at}`,
        CI_COMMIT_SHA: `sha-${at}`,
      },
    });
    expect(stdout).toMatch(/"progress":"\/api\/drafts\/|"state":"published"/u);
    await published(before + 1);
  },
);
