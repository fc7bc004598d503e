import { packFormatVersion } from '@kc/pack/format/pack-format';
import { limits } from '@kc/rules/limits';
import { toStorable } from '@kc/rules/storable-text';
import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
import { noteDeletedFiles } from '../visualizations/queries.ts';
import type { StoredDraftRow } from './draft-queries.ts';
import type { RevisionKeys, WrittenRevision } from './revision.ts';

export type ReplacementDeps = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Queues the removal of files within the transaction. */
  queueFileDeletion(tx: Transaction<Database>, keys: readonly string[], removeAfter: Date): Promise<void>;
};

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

/**
 * Keeps the revision that a draft has had until now readable for a short time, under its own ID: requests for it may be
 * under way. Call this in the transaction that stores the next one.
 */
export async function keepPastRevision(
  { now, queueFileDeletion }: ReplacementDeps,
  tx: Transaction<Database>,
  draft: StoredDraftRow,
): Promise<void> {
  const { view_id, file_key, pack_key } = draft;
  if (view_id === null || file_key === null || pack_key === null) return;
  const removeAfter = new Date(now() + limits.pastRevisionMs);
  const keys = [file_key, pack_key];
  await noteDeletedFiles(tx, keys, removeAfter);
  const { pack_version, file_size, nodes, keywords, merged, root_name } = draft;
  const figures = { pack_version, file_size, nodes, keywords, merged, root_name };
  await tx
    .insertInto('past_revisions')
    .values({ view_id, draft_id: draft.id, file_key, pack_key, ...figures })
    .execute();
  await queueFileDeletion(tx, keys, removeAfter);
}
