import { packFormatVersion } from '@kc/pack/format/pack-format';
import type { Refusal } from '@kc/rules/result';
import { toStorable } from '@kc/rules/storable-text';
import type { FieldMap } from '@kc/rules/upload';
import { ORPCError } from '@orpc/server';
import { newKey, type Storage } from '../storage/storage.ts';
import { storedBlocks, writeBlocks } from '../storage/whole-objects.ts';
import type { IngestFacts } from '../visualizations/ingest/ingest-messages.ts';
import { makePack } from '../visualizations/ingest/make-pack.ts';

/** A revision that is stored under temporary keys, complete and durable. */
export type WrittenRevision = {
  /** The upload, and the pack made from it. */
  readonly file: string;
  readonly pack: string;
  readonly fileBytes: number;
  readonly packBytes: number;
  readonly facts: IngestFacts;
};

/**
 * Writes a revision of a draft: the upload that it would publish, and the pack that ingest makes from that. For a
 * separate process; the server publishes both objects and stores the revision.
 *
 * @param json the upload, in blocks
 * @param memoryBytes that reading it may use
 * @param fieldMap how its members are read, where that was corrected
 * @param keys under which both are written
 * @returns the refusal of ingest if it would not accept the upload; then storage contains nothing of it
 */
export async function writeRevision(
  storage: Storage,
  json: Iterable<Uint8Array>,
  memoryBytes: number,
  fieldMap: FieldMap | null = null,
  { file, pack }: TemporaryKeys = temporaryKeys(),
): Promise<WrittenRevision | { readonly refusal: Refusal }> {
  try {
    const fileBytes = await writeBlocks(storage, file, json);
    const request = { place: storage.place, tempKey: pack, fileBytes, memoryBytes, fieldMap };
    const outcome = await makePack(storage, request, { blocks: storedBlocks(storage, file) });
    if (outcome.ok) return { file, pack, fileBytes, packBytes: outcome.packBytes, facts: outcome.facts };
    await removeAll(storage, [file, pack]);
    return { refusal: outcome.refusal };
  } catch (error) {
    await removeAll(storage, [file, pack]);
    throw error;
  }
}

/** The keys under which a revision is written. Who knows them can remove what a process leaves that was killed. */
export type TemporaryKeys = { readonly file: string; readonly pack: string };

export const temporaryKeys = (): TemporaryKeys => ({ file: newKey('temp'), pack: newKey('temp') });

/** The storage keys of a published revision. */
export type RevisionKeys = { readonly fileKey: string; readonly packKey: string };

/**
 * Gives the objects of a revision the keys under which a row will refer to them. If the row is never written, the sweep
 * removes them.
 */
export async function publishRevision(storage: Storage, written: WrittenRevision): Promise<RevisionKeys> {
  const keys = { fileKey: newKey('file'), packKey: newKey('pack') };
  await storage.publish(written.file, keys.fileKey);
  await storage.publish(written.pack, keys.packKey);
  return keys;
}

export async function removeAll(storage: Storage, keys: readonly string[]): Promise<void> {
  for (const key of keys) await storage.remove(key);
}

/**
 * Runs the transaction that makes rows refer to new objects. If it is refused, nothing will ever refer to them, and they
 * are removed. After a fault of the database, the transaction may have been committed nevertheless: then objects without
 * a row are left to the sweep.
 */
export async function storeObjects<T>(storage: Storage, keys: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await removeAll(storage, keys);
    throw error;
  }
}

/** Whether a rule refused something, as opposed to a fault. */
export const isRefusal = (error: unknown): boolean => error instanceof ORPCError && error.data !== undefined;

/** The columns of a revision. */
export function revisionColumns(viewId: string, keys: RevisionKeys, { facts, fileBytes }: WrittenRevision) {
  return {
    view_id: viewId,
    file_key: keys.fileKey,
    pack_key: keys.packKey,
    pack_version: packFormatVersion,
    file_size: fileBytes,
    nodes: facts.nodes,
    keywords: facts.keywords,
    merged: facts.merged,
    root_name: toStorable(facts.rootName),
  };
}
