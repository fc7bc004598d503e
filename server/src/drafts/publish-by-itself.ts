import type { Refusal } from '@kc/rules/result';
import { ORPCError } from '@orpc/server';
import { contextOf } from '../accounts/on-behalf.ts';
import { changesRow, inTransaction, storableJson } from '../database/open.ts';
import type { Queue } from '../jobs/jobs.ts';
import type { ServerParts } from '../server-parts.ts';
import { announceDraft, publishesItself, waitingNews } from './draft-queries.ts';
import type { ChangeDeps } from './editing-turn.ts';
import { publishDraft } from './publish.ts';

type Publication = { readonly draftId: string };

/** Publishing is refused for a moment only while a draft is being changed. */
const passing = 'draft/busy';

/**
 * Publishes drafts that go on by themselves, in the name of whoever began them and with the rights that they have now. A
 * draft that is refused stays, with the reason; one that somebody has changed meanwhile is theirs to publish. Whether it
 * still updates what people see, is decided when it is activated.
 */
export function publicationQueue(
  deps: ChangeDeps & Pick<ServerParts, 'builtInAdmins' | 'announce'>,
): Queue<Publication> {
  const { db, builtInAdmins } = deps;
  return {
    name: 'publication',
    expireSeconds: 3600,
    retrySeconds: 30,
    async run({ draftId }) {
      const draft = await db.selectFrom('drafts').selectAll().where('id', '=', draftId).executeTakeFirst();
      if (!draft || !publishesItself(draft)) return;
      try {
        const context = await contextOf({ db, builtInAdmins }, draft.begun_by);
        const { name, description } = draft;
        await publishDraft(deps, context, draftId, { after: 0, name, description, byItself: true });
      } catch (error) {
        const refusal = error instanceof ORPCError ? (error.data as Refusal | undefined) : undefined;
        if (!refusal || refusal.code === passing) throw error;
        deps.log.warn({ event: 'draft', draft: draftId, code: refusal.code }, 'A draft was not published by itself');
        await inTransaction(db, async (tx) => {
          const waits = await changesRow(
            tx
              .updateTable('drafts')
              .set({ refusal: storableJson(refusal), touched_at: new Date(deps.now()) })
              .where('id', '=', draftId)
              .where('state', '=', 'ready'),
          );
          await announceDraft(tx, draft);
          if (waits) await deps.announce(tx, waitingNews(draft, [refusal]));
        });
      }
    },
  };
}
