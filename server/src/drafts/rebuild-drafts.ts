import { packFormatVersion } from '@kc/pack/format/pack-format';
import type { NotNull } from 'kysely';
import { changesRow, type Db } from '../database/open.ts';
import type { Jobs, Queue } from '../jobs/jobs.ts';
import {
  queueOnce,
  type RebuildDeps,
  rebuildPack,
  rebuildRetrySeconds,
} from '../visualizations/ingest/rebuild-packs.ts';
import { announceDraft } from './draft-queries.ts';

type DraftRebuildJob = { readonly draftId: string };

const expireSeconds = 6 * 3600;

/**
 * Rebuilds the pack of a draft's current revision from its upload, in the format of this version. Can be repeated at any
 * point: the row switches to the new pack in one step, unless the draft has another revision by then, whose pack is of this
 * version anyway.
 */
export function draftRebuildQueue(deps: RebuildDeps): Queue<DraftRebuildJob> {
  return {
    name: 'rebuild-draft',
    expireSeconds,
    retrySeconds: rebuildRetrySeconds,
    async run({ draftId }, signal) {
      const draft = await deps.db.selectFrom('drafts').selectAll().where('id', '=', draftId).executeTakeFirst();
      if (!draft || draft.pack_version === packFormatVersion) return;
      const { id, file_key, file_size, field_map, pack_key } = draft;
      if (file_key === null || pack_key === null) return;
      const revision = { file_key, file_size, field_map, pack_key };
      await rebuildPack(deps, revision, { draft: id }, signal, async (tx, made) => {
        const changed = tx
          .updateTable('drafts')
          .set({ pack_key: made.pack_key, pack_version: packFormatVersion, merged: made.merged })
          .where('id', '=', id)
          .where('pack_key', '=', pack_key);
        if (!(await changesRow(changed))) return false;
        await announceDraft(tx, draft);
        return true;
      });
    },
  };
}

/** Queues every draft whose pack has an earlier format, the last changed ones first. */
export async function queueDraftRebuilds(db: Db, jobs: Jobs, queue: Queue<DraftRebuildJob>): Promise<void> {
  const outdated = await db
    .selectFrom('drafts')
    .select(['id', 'pack_key'])
    .where('pack_key', 'is not', null)
    .$narrowType<{ pack_key: NotNull }>()
    .where('pack_version', '!=', packFormatVersion)
    .orderBy('touched_at', 'desc')
    .execute();
  await queueOnce(
    db,
    jobs,
    queue,
    outdated.map(({ id: draftId, pack_key }) => [pack_key, { draftId }]),
  );
}
