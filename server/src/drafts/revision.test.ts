import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { madeDraft } from '../../test/support/made-draft.ts';
import { openDiskStorage } from '../storage/disk.ts';
import { newKey, type Storage } from '../storage/storage.ts';
import { storedBlocks } from '../storage/whole-objects.ts';
import { runIngest } from '../visualizations/ingest/run-ingest.ts';
import { publishRevision, writeRevision } from './revision.ts';
import { jsonOf, readStoredDraft, type StoredDraft, writeStoredDraft } from './stored-draft.ts';

let directory: string;
let storage: Storage;
let draft: StoredDraft;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-revision-'));
  storage = await openDiskStorage(directory);
  draft = await madeDraft();
});
afterAll(() => rm(directory, { recursive: true }));

const memoryBytes = 2 ** 28;

async function bytesAt(key: string): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  for await (const block of storedBlocks(storage, key)) blocks.push(block);
  return Buffer.concat(blocks);
}

async function stored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.list()) keys.push(key);
  return keys;
}

test('the pack of a revision is the one that ingest makes of its upload', async () => {
  const written = await writeRevision(storage, jsonOf(draft, draft.state), memoryBytes);
  if ('refusal' in written) throw new Error(written.refusal.code);
  const { fileKey, packKey } = await publishRevision(storage, written);
  const json = await bytesAt(fileKey);
  expect(json.equals(Buffer.concat([...jsonOf(draft, draft.state)]))).toBe(true);
  expect(written.fileBytes).toBe(json.length);
  expect(written.facts).toMatchObject({ keywords: draft.context.list.texts.length, merged: 0, rootName: 'made' });
  expect(written.facts.nodes).toBe(1 + draft.state.topics.length + draft.context.list.texts.length);

  const tempKey = newKey('temp');
  const request = { place: storage.place, fileKey, tempKey, fileBytes: json.length, memoryBytes };
  const outcome = await runIngest(request, new AbortController().signal);
  expect(outcome).toMatchObject({ ok: true, facts: written.facts });
  expect((await bytesAt(tempKey)).equals(await bytesAt(packKey))).toBe(true);
});

test('an upload that ingest refuses leaves nothing in storage', async () => {
  const before = await stored();
  const broken = [new TextEncoder().encode('{"keywords":[],"hierarchy":')];
  expect(await writeRevision(storage, broken, memoryBytes)).toMatchObject({
    refusal: { code: 'upload/invalid-json' },
  });
  expect(await stored()).toEqual(before);
});

test('a fault while the upload is made leaves nothing in storage', async () => {
  const before = await stored();
  function* failing(): Generator<Uint8Array> {
    yield new TextEncoder().encode('{"keywords":[');
    throw new Error('no more');
  }
  await expect(writeRevision(storage, failing(), memoryBytes)).rejects.toThrow('no more');
  expect(await stored()).toEqual(before);
});

test('a stored draft is read as it was written', async () => {
  const [key, other] = [newKey('temp'), newKey('temp')];
  await writeStoredDraft(storage, key, draft);
  expect(await readStoredDraft(storage, key)).toEqual(draft);
  await expect(readStoredDraft(storage, newKey('temp'))).rejects.toThrow();
  await writeStoredDraft(storage, other, { ...draft, format: 2 } as never);
  await expect(readStoredDraft(storage, other)).rejects.toThrow('format 2');
});
