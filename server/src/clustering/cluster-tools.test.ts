import { sayRefusal } from '@kc/rules/all-messages';
import { expect, test, vi } from 'vitest';
import { exactNeighbours } from '../../../cluster/test/support/exact-neighbours.ts';
import { type AvailableTools, availableTools, ToolsOfJob } from './cluster-tools.ts';

const encoder: NonNullable<AvailableTools['encoder']> = {
  id: 'made',
  languages: ['en'],
  dimensions: 4,
  reads: () => true,
  embed: async (texts) => new Int8Array(4 * texts.length),
};
const ignore = () => undefined;
const found = (tools: Partial<AvailableTools>) => async () => ({ neighbours: exactNeighbours, ...tools });

/** What a person reads about a job. */
async function saidOf(job: ToolsOfJob, language: string, ...inOtherScripts: number[]): Promise<string[]> {
  const { onOtherScripts } = await job.load(language);
  for (const count of inOtherScripts) onOtherScripts?.(count);
  return job.warnings.map(sayRefusal);
}

test('a server without the model says so, unless wording was asked for', async () => {
  const text = 'The language model is not available on this server. Keywords are grouped by wording.';
  expect(await saidOf(new ToolsOfJob('built-in', ignore, found({})), 'en')).toEqual([text]);
  expect(await saidOf(new ToolsOfJob('none', ignore, found({})), 'en')).toEqual([]);
});

test('a language that the model does not know is named', async () => {
  expect(await saidOf(new ToolsOfJob('built-in', ignore, found({ encoder })), 'pl')).toEqual([
    'Most of these keywords are Polish. There is no language model for Polish here, so they are grouped by wording.',
  ]);
});

test('memory is given back before each stage, and progress is told in the same order', async () => {
  const heard: unknown[] = [];
  vi.stubGlobal('gc', (options: unknown) => heard.push(options));
  const job = new ToolsOfJob('none', (progress) => heard.push(progress), found({}));
  const { onProgress } = await job.load('en');
  const told = [
    { stage: 'meaning', done: 0, total: 9 },
    { stage: 'meaning', done: 9, total: 9 },
    { stage: 'neighbours' },
  ] as const;
  for (const progress of told) onProgress?.(progress);
  const given = { type: 'major', execution: 'sync', flavor: 'last-resort' };
  expect(heard).toEqual([given, told[0], told[1], given, told[2]]);
  vi.unstubAllGlobals();
});

// Shows P20.8.
test('keywords in other scripts are counted over all parts of a list', async () => {
  const job = () => new ToolsOfJob('built-in', ignore, found({ encoder }));
  expect(await saidOf(job(), 'en', 0, 0)).toEqual([]);
  expect(await saidOf(job(), 'en', 0, 1)).toEqual(['1 keyword is in another script and is grouped by wording.']);
  expect(await saidOf(job(), 'en', 1200, 34)).toEqual([
    '1,234 keywords are in other scripts and are grouped by wording.',
  ]);
});

test('the model is loaded for those who want it only', async () => {
  expect((await availableTools('none')).encoder).toBeUndefined();
  expect((await availableTools()).encoder?.languages).toEqual(['en']);
});
