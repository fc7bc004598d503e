import { randomBytes, randomUUID } from 'node:crypto';
import type { DraftSettings } from '@kc/rules/draft-shapes';
import type { Db } from '../../src/database/open.ts';
import { countsOf, marksOf } from '../../src/drafts/draft-figures.ts';
import type { StoredDraftRow } from '../../src/drafts/draft-queries.ts';
import { publishRevision, revisionColumns, writeRevision } from '../../src/drafts/revision.ts';
import { jsonOf, type StoredDraft, writeStoredDraft } from '../../src/drafts/stored-draft.ts';
import { newKey, type Storage } from '../../src/storage/storage.ts';

const settings: DraftSettings = { preset: 'balanced', grouping: 'columns' };

/** Inserts a draft that can be looked at and edited, with its objects in storage. */
export async function insertReadyDraft(
  { db, storage, now }: { readonly db: Db; readonly storage: Storage; readonly now: number },
  stored: StoredDraft,
  { ownerId, begunBy = ownerId }: { readonly ownerId: string; readonly begunBy?: string },
): Promise<StoredDraftRow> {
  const written = await writeRevision(storage, jsonOf(stored, stored.state), 2 ** 28);
  if ('refusal' in written) throw new Error(written.refusal.code);
  const [tempKey, graphKey] = [newKey('temp'), newKey('file')];
  await writeStoredDraft(storage, tempKey, stored);
  await storage.publish(tempKey, graphKey);
  const at = new Date(now);
  return db
    .insertInto('drafts')
    .values({
      id: randomBytes(16).toString('hex'),
      owner_id: ownerId,
      begun_by: begunBy,
      name: stored.name,
      description: '',
      origin: 'lists',
      state: 'ready',
      method: 'text',
      settings: JSON.stringify(settings),
      graph_key: graphKey,
      stop: stored.state.stop ?? null,
      counts: JSON.stringify(countsOf(stored.state)),
      marks: JSON.stringify(marksOf(stored, stored.state)),
      created_at: at,
      touched_at: at,
      ...revisionColumns(randomUUID(), await publishRevision(storage, written), written),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
