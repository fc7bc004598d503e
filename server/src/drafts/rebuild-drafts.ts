import { createHash } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { limits } from '@kc/rules/limits';
import { type Db, inTransaction } from '../database/open.ts';
import type { Jobs, Queue } from '../jobs/jobs.ts';
import { noteMade } from '../storage/stored-files.ts';
import { type RebuildDeps, remakePack } from '../visualizations/ingest/rebuild-packs.ts';
import { noteDeletedFiles } from '../visualizations/queries.ts';
import { announceDraft } from './draft-queries.ts';

type DraftRebuildJob = { readonly draftId: string };

const expireSeconds = 6 * 3600;

/**
 * Rebuilds the pack of a draft's current revision from its upload, in the format of this version. Can be repeated at any
 * point: the row switches to the new pack in one step, unless the draft has another revision by then, whose pack is of this
 * version anyway.
 */
export function draftRebuildQueue(deps: RebuildDeps): Queue<DraftRebuildJob> {
  const { db, storage, log, now } = deps;
  return {
    name: 'rebuild-draft',
    expireSeconds,
    async run({ draftId }, signal) {
      const draft = await db.selectFrom('drafts').selectAll().where('id', '=', draftId).executeTakeFirst();
      if (!draft || draft.pack_version === packFormatVersion) return;
      const { file_key, file_size, field_map, pack_key } = draft;
      if (file_key === null || pack_key === null) return;
      const remade = await remakePack(deps, { file_key, file_size, field_map }, signal);
      if ('refusal' in remade) {
        log.error({ draft: draft.id, refusal: remade.refusal }, 'The pack of a draft could not be rebuilt');
        return;
      }
      const { packKey, packBytes, facts } = remade;
      const isReplaced = await inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('drafts')
          .set({ pack_key: packKey, pack_version: packFormatVersion, merged: facts.merged })
          .where('id', '=', draft.id)
          .where('pack_key', '=', pack_key)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await noteMade(transaction, file_key, { key: packKey, bytes: packBytes });
        // A backup in progress may need the previous pack.
        await noteDeletedFiles(transaction, [pack_key], new Date(now() + limits.deletedFilesMs));
        await announceDraft(transaction, draft);
        return true;
      });
      if (!isReplaced) await storage.remove(packKey);
      else log.info({ event: 'rebuild-pack', draft: draft.id }, 'The pack of a draft was rebuilt');
    },
  };
}

/** Queues every draft whose pack has an earlier format, the last changed ones first. */
export async function queueDraftRebuilds(db: Db, jobs: Jobs, queue: Queue<DraftRebuildJob>): Promise<void> {
  const outdated = await db
    .selectFrom('drafts')
    .select('id')
    .where('pack_key', 'is not', null)
    .where('pack_version', '!=', packFormatVersion)
    .orderBy('touched_at', 'desc')
    .execute();
  for (const { id } of outdated) {
    const job = createHash('sha256').update(`${packFormatVersion} draft ${id}`).digest('hex').slice(0, 32);
    await inTransaction(db, (transaction) => jobs.enqueue(transaction, queue, job, { draftId: id }));
  }
}
