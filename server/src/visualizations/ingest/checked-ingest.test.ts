import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import { newKey, type Storage } from '../../storage/storage.ts';
import type { IngestOutcome, IngestRequest } from './ingest-messages.ts';
import { runIngest } from './run-ingest.ts';

// Runs the ingest process with the check during the write, which otherwise only large packs get.

const mebibyte = 2 ** 20;
const count = 60_000;

let directory: string;
let storage: Storage;
let file: Pick<IngestRequest, 'place' | 'fileKey' | 'fileBytes' | 'memoryBytes'>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-checked-'));
  storage = await openStorage({ kind: 'disk', directory });
  const keywords = Array.from({ length: count }, (_, index) => ({ keyword: `Shoe no ${index}`, volume: index % 700 }));
  const children = keywords.map(({ keyword }) => ({ name: keyword }));
  const bytes = new TextEncoder().encode(JSON.stringify({ keywords, hierarchy: { name: 'shoes', children } }));
  const fileKey = newKey('file');
  const upload = await storage.append(fileKey, 0);
  await upload.write(bytes);
  await upload.close();
  file = { place: storage.place, fileKey, fileBytes: bytes.length, memoryBytes: 2 ** 28 };
});
afterAll(() => rm(directory, { recursive: true }));

const ingest = (tempKey: string, checkBehindBytes?: number): Promise<IngestOutcome> => {
  const request = { ...file, tempKey, ...(checkBehindBytes !== undefined && { checkBehindBytes }) };
  return runIngest(request, new AbortController().signal);
};

async function packAt(key: string): Promise<Uint8Array> {
  const pack = await storage.open(key);
  const bytes = await pack.read(0, pack.size);
  await pack.close();
  return bytes;
}

test('the check during the write accepts the same pack as a check of the whole file', async () => {
  const [behind, whole] = [newKey('temp'), newKey('temp')];
  const [outcome, other] = await Promise.all([ingest(behind, 0), ingest(whole)]);
  expect(outcome).toMatchObject({ ok: true, facts: { keywords: count, nodes: count + 1, rootName: 'shoes' } });
  expect(other).toEqual(outcome);
  const bytes = await packAt(behind);
  expect(bytes.length).toBeGreaterThan(3 * mebibyte);
  expect(Buffer.compare(bytes, await packAt(whole))).toBe(0);
});

test('the check during the write rejects a pack damaged between writing and checking', async () => {
  // If the machine stalls, the damage comes after the check, and the pack is accepted. Then another one is damaged.
  await expect.poll(messageOfDamaged).toMatch(/^PackDamaged[\s\S]*check-worker/);
});

/** What is said of a pack that is damaged meanwhile, if it is rejected. */
async function messageOfDamaged(): Promise<string> {
  const tempKey = newKey('temp');
  await (await storage.append(tempKey, 0)).close();
  const pack = await open(join(directory, tempKey), 'r+');
  const message = ingest(tempKey, 0).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
  const isOver = message.then(() => true);
  // Damages the second block, which only the check reads, as soon as it is on disk. The thread has not started by then.
  const at = 1.5 * mebibyte;
  let isDamaged = false;
  while (!isDamaged && !(await Promise.race([isOver, new Promise<false>((go) => setTimeout(go, 1, false))]))) {
    if ((await pack.stat()).size < 2 * mebibyte) continue;
    const { buffer } = await pack.read(new Uint8Array(1), 0, 1, at);
    await pack.write(Uint8Array.of(buffer[0]! ^ 0xff), 0, 1, at);
    isDamaged = true;
  }
  await pack.close();
  return message;
}
