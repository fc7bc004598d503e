import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leavesOf, mapAt, runCluster } from '../../test/support/cluster-command.ts';
import { madeModel } from '../../test/support/made-model.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kc-cluster-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function listFile(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Two subjects that share no word. */
const shop = ['garden hose', 'cat food'].flatMap((subject) =>
  ['red', 'blue', 'cheap', 'best', 'small', 'large'].map((word) => `${word} ${subject}`),
);
const shopList = `Keyword\n${shop.join('\n')}\n`;

test('a language model in a folder groups what it knows, and is named in the map', async () => {
  const model = await madeModel(join(folder, 'german'));
  const animals = ['katze futter', 'hund futter', 'katze', 'hund', 'futter katze hund'];
  const shoes = ['rot schuh', 'blau schuh', 'rot stiefel', 'blau stiefel', 'schuh stiefel'];
  const file = await listFile('laden.txt', [...animals, ...shoes].join('\n'));
  const out = join(folder, 'map.json');
  const { code } = await runCluster(file, out, '--lang', 'de', '--model', model, '--quiet', '--smallest', '2');
  expect(code).toBe(0);
  const { hierarchy, clustering } = await mapAt(out);
  expect(clustering.model).toMatch(/^german sha256:[0-9a-f]{64} onnxruntime-node /);
  for (const branch of hierarchy.children!.filter(({ type }) => type !== 'stray'))
    expect(new Set(leavesOf(branch).map((keyword) => animals.includes(keyword))).size).toBe(1);
});

test('--runtime wasm runs the model as WebAssembly, and the map says so', async () => {
  const [file, out] = [await listFile('shop.csv', shopList), join(folder, 'map.json')];
  expect((await runCluster(file, out, '--quiet', '--lang', 'en', '--runtime', 'wasm')).code).toBe(0);
  const { hierarchy, clustering } = await mapAt(out);
  expect(clustering.model).toMatch(/ onnxruntime-web 1\.30\.0$/);
  for (const branch of hierarchy.children!)
    expect(new Set(leavesOf(branch).map((keyword) => keyword.split(' ').at(-1))).size).toBe(1);
});

test('there is no other runtime', async () => {
  const { code, stderr } = await runCluster(await listFile('shop.csv', shopList), 'map.json', '--runtime', 'gpu');
  expect([code, stderr.split('\n')[0]]).toEqual([2, '--runtime is one of native, wasm']);
});

test('a language model that cannot be used is refused with the reason, and nothing is written', async () => {
  const model = await madeModel(join(folder, 'broken'), { without: 'tokenizer.json' });
  const { code, stderr } = await runCluster(
    await listFile('shop.csv', shopList),
    join(folder, 'map.json'),
    '--model',
    model,
    '--quiet',
  );
  expect(code).toBe(1);
  expect(stderr).toContain('The folder of the language model has no tokenizer.json that can be read.');
  expect(await readdir(folder)).not.toContain('map.json');
});

test('a list that needs more than --memory is refused with both figures, and nothing is written', async () => {
  const file = await listFile('shop.csv', shopList);
  const out = join(folder, 'map.json');
  const { code, stderr } = await runCluster(file, out, '--quiet', '--memory', '300');
  expect([code, stderr]).toEqual([
    1,
    'Clustering this list needs about 341 MiB of memory, and --memory allows 300 MiB.\n',
  ]);
  expect(await readdir(folder)).toEqual(['shop.csv']);
  expect((await runCluster(file, out, '--quiet', '--memory', '400', '--model', 'none')).code).toBe(0);
});

test('a list with groups of its own needs no memory for clustering', async () => {
  const file = await listFile('groups.csv', 'Keyword,Topic,Page\nred hose,Garden,Hoses\ncat food,Pets,Food\n');
  expect((await runCluster(file, join(folder, 'map.json'), '--quiet', '--memory', '100')).code).toBe(0);
});
