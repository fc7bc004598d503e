import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Encoder } from '@kc/cluster/encoder/encoder';
import { cluster, listSettingsOf } from '@kc/cluster/pipeline/cluster';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { availableTools } from './cluster-tools.ts';
import { CachedEncoder, type VectorCachePlace } from './vector-cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vectors-'));
});
afterEach(() => rm(folder, { recursive: true }));

const day = 24 * 3600 * 1000;
const placeOf = (maxBytes = 2 ** 30, secret = 'secret'): VectorCachePlace => ({ folder, secret, maxBytes });

/** An encoder whose vectors are hashes of texts, and what it was asked for. */
function countingEncoder(id = 'made'): Encoder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    id,
    languages: 'all',
    dimensions: 32,
    asked,
    reads: () => true,
    async embed(texts, onProgress) {
      asked.push(...texts);
      onProgress?.(texts.length);
      const hashes = texts.map((text) => new Int8Array(createHash('sha256').update(text).digest()));
      return Int8Array.from(hashes.flatMap((hash) => [...hash]));
    },
  };
}

/** Embeds texts as one job would. @returns the vectors, which texts were computed, and the progress */
async function job(texts: readonly string[], place = placeOf(), id?: string, now = Date.now()) {
  const encoder = countingEncoder(id);
  const cached = await CachedEncoder.open(encoder, place, () => now);
  const progress: number[] = [];
  const vectors = await cached.reading.embed(texts, (done) => progress.push(done));
  await cached.close();
  expect(vectors).toEqual(await countingEncoder().embed(texts));
  return { computed: encoder.asked, progress };
}

const files = async () => (await readdir(folder, { recursive: true })).filter((name) => name.includes('.')).sort();

test('vectors are computed once, and progress counts all of them', async () => {
  expect(await job(['red shoes', 'blue shoes'])).toEqual({ computed: ['red shoes', 'blue shoes'], progress: [2] });
  expect(await job(['green shoes', 'blue shoes'])).toEqual({ computed: ['green shoes'], progress: [1, 2] });
  expect((await job(['blue shoes', 'green shoes', 'red shoes'])).computed).toEqual([]);
});

test('another model, or another secret, finds nothing', async () => {
  await job(['red shoes']);
  expect((await job(['red shoes'], placeOf(), 'another')).computed).toEqual(['red shoes']);
  expect((await job(['red shoes'], placeOf(2 ** 30, 'another'))).computed).toEqual(['red shoes']);
});

test('files tell no keywords', async () => {
  await job(['a very secret plan']);
  for (const name of await files()) expect((await readFile(join(folder, name))).includes('secret')).toBe(false);
});

test('short lists do not leave a file each', async () => {
  for (let list = 0; list < 5; list++) await job([`keyword ${list}`]);
  expect(await files()).toHaveLength(1);
  expect((await job(Array.from({ length: 5 }, (_, list) => `keyword ${list}`))).computed).toEqual([]);
});

test('nothing is written into the reserve of the disk, and vectors are computed all the same', async () => {
  const embedded = async (freeBytes: number) => {
    const cached = await CachedEncoder.open(countingEncoder(), placeOf(), Date.now, async () => freeBytes);
    expect(await cached.reading.embed(['red shoes'])).toEqual(await countingEncoder().embed(['red shoes']));
    await cached.close();
    return files();
  };
  const reserve = 256 * 2 ** 20;
  expect(await embedded(reserve + 32)).toEqual([]);
  expect(await embedded(reserve + 33)).toHaveLength(1);
});

test('a file that is cut short or changed is not believed', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => `keyword ${at}`);
  await job(texts);
  const [name] = await files();
  const path = join(folder, name!);
  const whole = await readFile(path);
  for (let at = 0; at < whole.length; at += 13) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 0x10;
    await writeFile(path, changed);
    // The vectors are compared with fresh ones.
    expect((await job(texts)).computed.length).toBeGreaterThan(0);
    for (const other of await files()) await rm(join(folder, other));
  }
  await writeFile(path, whole);
  await truncate(path, whole.length - 1);
  expect((await job(texts)).computed).toEqual(texts);
});

test('a file that somebody was writing when they died is ignored, and goes after a day', async () => {
  await job(['red shoes']);
  const path = join(folder, (await files())[0]!);
  const left = `${path}.new`;
  await writeFile(left, (await readFile(path)).subarray(0, 30));
  await job(['red shoes']);
  expect(await files()).toHaveLength(2);
  await job(['red shoes'], placeOf(), undefined, Date.now() + 2 * day);
  expect(await files()).toHaveLength(1);
});

test('what was used last stays within the bound, and nothing stays longer than it is used', async () => {
  const texts = (list: number) => Array.from({ length: 5000 }, (_, at) => `keyword ${list} ${at}`);
  const start = Date.now();
  for (let list = 0; list < 3; list++) await job(texts(list), placeOf(), undefined, start);
  const { size } = await stat(join(folder, (await files())[0]!));
  for (const [index, name] of (await files()).entries())
    await utimes(join(folder, name), new Date(start + index), new Date(start + index));
  // Used again now, so that one of the others goes.
  expect((await job(texts(1), placeOf(2.5 * size), undefined, start + day)).computed).toEqual([]);
  expect(await files()).toHaveLength(2);
  expect((await job(texts(1), placeOf(), undefined, start + day)).computed).toEqual([]);
  await job([], placeOf(), undefined, start + 92 * day);
  expect(await files()).toHaveLength(0);
});

test('a folder that cannot be written costs time only', async () => {
  await writeFile(join(folder, 'file'), '');
  const place = { ...placeOf(), folder: join(folder, 'file') };
  expect((await job(['red shoes'], place)).computed).toEqual(['red shoes']);
  expect((await job(['red shoes'], place)).computed).toEqual(['red shoes']);
});

// Shows P20.10.
test('a list is grouped the same without vectors, with new ones, with some and with all of them known', async () => {
  const { encoder, neighbours, multiply } = await availableTools();
  const qualities = ['red', 'cheap', 'wooden', 'large', 'old', 'best', 'used', 'small'];
  const nouns = ['shoes', 'lamp', 'garden chair', 'phone case', 'coffee maker', 'winter coat', 'guitar', 'bike helmet'];
  const texts = qualities.flatMap((one) => nouns.map((other) => `${one} ${other}`));
  const list = { texts, volume: new Float64Array(texts.length).fill(1) };
  const treeBy = (used: Encoder) => cluster(list, listSettingsOf(), { encoder: used, neighbours, multiply });
  const cachedTree = async () => {
    const cached = await CachedEncoder.open(encoder!, placeOf(), Date.now);
    const tree = await treeBy(cached.reading);
    await cached.close();
    return tree;
  };
  const plain = await treeBy(encoder!);
  const some = await CachedEncoder.open(encoder!, placeOf(), Date.now);
  await some.reading.embed(texts.slice(0, 20));
  await some.close();
  expect(await cachedTree()).toEqual(plain);
  expect(await cachedTree()).toEqual(plain);
});
