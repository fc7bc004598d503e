import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { limits } from '@kc/rules/limits';
import { sampleId, storagePath } from '@kc/rules/upload';
import { inTransaction, type Queryable } from '../database/open.ts';
import type { ServerParts } from '../server-parts.ts';
import { newKey } from '../storage/storage.ts';
import { runIngest } from './ingest/run-ingest.ts';
import { deleteVisualization, findVisualization, insertVisualization, noteDeletedFiles } from './queries.ts';

type SampleDeps = Pick<ServerParts, 'db' | 'storage' | 'memoryBytes' | 'now'>;

const file = new URL('../../../fixtures/sample/garden-shop.json', import.meta.url);
const fileName = 'garden-shop.json';

/**
 * Makes the bundled sample available to all approved users. It is read like any upload. Does nothing while the stored
 * sample is that of the bundled file.
 *
 * @throws Error if the file cannot be read, or the sample's account is missing
 */
export async function ensureSample(deps: SampleDeps): Promise<void> {
  const { db, storage } = deps;
  const bytes = await readFile(file);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const stored = await findVisualization(db, sampleId);
  const isCurrent = stored?.source_hash === hash && stored.pack_version === packFormatVersion && stored.thumbnail;
  if (isCurrent && (await storage.stat(stored.pack_key)) && (await storage.stat(stored.file_key))) return;
  // Nobody can sign in to it.
  const owner = await db.selectFrom('accounts').select('id').where('is_sample', '=', true).executeTakeFirst();
  if (!owner) throw new Error('The account of the sample is missing');
  const keys = { file_key: newKey('file'), pack_key: newKey('pack') };
  const facts = await makePack(deps, bytes, keys.file_key, keys.pack_key);
  const time = deps.now();
  await inTransaction(db, async (transaction) => {
    await forget(transaction, time);
    await insertVisualization(transaction, {
      id: sampleId,
      user_id: owner.id,
      upload_id: null,
      file_name: fileName,
      storage_path: storagePath(owner.id, time, fileName),
      uploaded_by: 'system',
      uploaded_at: new Date(time),
      is_active: true,
      is_sample: true,
      file_size: bytes.length,
      description: 'Sample data',
      keywords: facts.keywords,
      nodes: facts.nodes,
      root_name: facts.rootName,
      thumbnail: facts.thumbnail,
      merged: facts.merged,
      ...keys,
      pack_version: packFormatVersion,
      field_map: null,
      pack_field_map: null,
      newest_month: null,
      exported_on: null,
      file_checksum: null,
      source_hash: hash,
    });
  });
}

/** Removes the sample on a server that does not show it. */
export async function removeSample({ db, now }: Pick<SampleDeps, 'db' | 'now'>): Promise<void> {
  await inTransaction(db, (transaction) => forget(transaction, now()));
}

/** Like those of every deleted visualization, the files stay for a day; the sweep then removes them. */
async function forget(transaction: Queryable, time: number): Promise<void> {
  const deleted = await deleteVisualization(transaction, sampleId);
  if (!deleted) return;
  await noteDeletedFiles(transaction, [deleted.file_key, deleted.pack_key], new Date(time + limits.deletedFilesMs));
}

async function makePack({ storage, memoryBytes }: SampleDeps, bytes: Uint8Array, fileKey: string, packKey: string) {
  const appender = await storage.append(fileKey, 0);
  await appender.write(bytes);
  await appender.sync();
  await appender.close();
  const tempKey = newKey('temp');
  const request = { place: storage.place, fileKey, tempKey, fileBytes: bytes.length, memoryBytes };
  const outcome = await runIngest(request, new AbortController().signal);
  if (!outcome.ok) throw new Error(`The bundled sample was refused: ${JSON.stringify(outcome.refusal)}`);
  await storage.publish(tempKey, packKey);
  return outcome.facts;
}
