import { randomBytes } from 'node:crypto';
import { isAdmin } from '@kc/rules/account';
import type { Refusal } from '@kc/rules/result';
import { cleanDescription, cleanFileName } from '@kc/rules/upload';
import { ORPCError } from '@orpc/server';
import { contextOf } from '../accounts/on-behalf.ts';
import { personOf, type RequestContext } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { changesRow, inTransaction, storableJson, type Tx } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import type { Queue } from '../jobs/jobs.ts';
import type { ServerParts } from '../server-parts.ts';
import { newKey, StorageUnreadable } from '../storage/storage.ts';
import { noteStored } from '../storage/stored-files.ts';
import { storedBlocks, writeBlocks } from '../storage/whole-objects.ts';
import { demandStorage } from '../visualizations/quota.ts';
import { canOwnVisualizations, holdCreations, insertUpload } from '../visualizations/upload/upload-queries.ts';
import { demandChangeable } from './change-draft.ts';
import { demandVisualizationQuota } from './create-draft.ts';
import { demandImport, lockDraft, usableDraft } from './draft-access.ts';
import { announceDraft, publishesItself, type StoredDraftRow, waitingNews } from './draft-queries.ts';
import { type ChangeDeps, lockOfDraft, renameRootInProcess } from './editing-turn.ts';
import { storeObjects } from './revision.ts';

/** The revision that ends with operation `after`, and how the map is to be called. */
type WantedPublication = {
  readonly after: number;
  readonly name: string;
  readonly description: string;
  /** Whether the draft publishes itself. A person who publishes it has looked at it. */
  readonly byItself?: boolean;
};

/**
 * Queues the upload of a draft for ingest, as if it had been sent: it becomes its owner's active visualization or is
 * refused, like any upload.
 *
 * @throws the refusal as the contract's error
 */
export async function publishDraft(
  deps: ChangeDeps,
  context: RequestContext,
  id: string,
  input: WantedPublication,
): Promise<void> {
  const { db, session, storage } = deps;
  const wanted = { ...input, name: input.name.trim() };
  if (wanted.name === '') throw asError({ code: 'draft/name-empty' });
  await usableDraft(db, context, id);
  const unlock = await lockOfDraft(session, id);
  try {
    const draft = await usableDraft(db, context, id);
    const requesterId = personOf(context).account.id;
    await demandChangeable(db, draft, { requesterId, after: wanted.after, now: deps.now() });
    const { file, fileBytes } = await writeUpload(deps, draft, wanted.name);
    const fileKey = newKey('file');
    await storage.publish(file, fileKey);
    await storeObjects(storage, [fileKey], () =>
      inTransaction(db, (tx) => storeUpload(deps, tx, context, { draft, wanted, fileKey, fileBytes })),
    );
    deps.log.info({ event: 'draft', draft: id, account: requesterId, change: 'publish' }, 'Published a draft');
  } finally {
    await unlock();
  }
}

/** Writes the upload under a temporary key. */
async function writeUpload(
  deps: ChangeDeps,
  draft: StoredDraftRow,
  name: string,
): Promise<{ readonly file: string; readonly fileBytes: number }> {
  const { storage } = deps;
  // The root of a map that already exists keeps its name, because links and saved views are computed from it.
  const keepsRoot = draft.origin === 'visualization' || draft.base_id !== null || draft.root_name === name;
  if (!keepsRoot) return await renameRootInProcess(deps, draft, name).catch(refuseName(deps, draft));
  if (draft.file_key === null) throw asError({ code: 'draft/not-ready' });
  const file = newKey('temp');
  return { file, fileBytes: await writeBlocks(storage, file, storedBlocks(storage, draft.file_key)) };
}

/** A draft that can no longer be changed can be published only under the name that its root has. */
const refuseName =
  ({ log }: ChangeDeps, { id, root_name }: StoredDraftRow) =>
  (error: unknown): never => {
    if (!(error instanceof StorageUnreadable)) throw error;
    log.error({ err: error, draft: id }, 'A draft cannot be renamed, because its stored form cannot be read');
    throw asError({ code: 'draft/keeps-name', params: { name: root_name } });
  };

type WrittenUpload = {
  /** The draft as it was when its upload was written. */
  readonly draft: StoredDraftRow;
  readonly wanted: WantedPublication;
  readonly fileKey: string;
  readonly fileBytes: number;
};

/** Stores upload, job and the draft's new state. Rights, lease, state and quota are read again. */
async function storeUpload(
  deps: ChangeDeps,
  tx: Tx,
  requestContext: RequestContext,
  { draft: began, wanted, fileKey, fileBytes }: WrittenUpload,
): Promise<void> {
  await holdCreations(tx);
  const { draft, context } = await lockDraft(tx, requestContext, began.id);
  const { account } = personOf(context);
  const now = deps.now();
  await demandChangeable(tx, draft, { requesterId: account.id, after: wanted.after, now });
  if (draft.view_id !== began.view_id) throw asError({ code: 'draft/behind' });
  await demandImport(tx, context, draft.owner_id);
  if (!(await canOwnVisualizations(tx, draft.owner_id))) throw asError({ code: 'account/not-found' });
  if (!isAdmin(account, context.builtInAdmins)) {
    await demandVisualizationQuota(tx, draft.owner_id);
    await demandStorage(tx, account.id, fileBytes);
  }
  await noteStored(tx, account.id, [{ key: fileKey, bytes: fileBytes }]);
  const uploadId = randomBytes(16).toString('hex');
  const fileName = cleanFileName(`${wanted.name.replace(/[\\/]/g, ' ')}.json`);
  const description = cleanDescription(wanted.description);
  const at = new Date(now);
  await insertUpload(
    tx,
    {
      id: uploadId,
      draft_id: draft.id,
      uploader_id: account.id,
      user_id: draft.owner_id,
      file_name: fileName,
      description,
      size: fileBytes,
      received: fileBytes,
      state: 'received',
      file_key: fileKey,
      pack_key: newKey('pack'),
      field_map: draft.field_map && storableJson(draft.field_map),
    },
    at,
  );
  await deps.queueIngest(tx, uploadId);
  await tx
    .updateTable('drafts')
    .set({
      state: 'publishing',
      upload_id: uploadId,
      name: wanted.name,
      description,
      refusal: null,
      ...(!wanted.byItself && { hands_off: null, open_questions: null }),
      lease_by: null,
      lease_until: null,
      touched_at: at,
    })
    .where('id', '=', draft.id)
    .execute();
  const details = { draft: draft.id, name: wanted.name };
  await audit(tx, { actor: account.id, action: 'publish', target: draft.owner_id, details }, now);
  await announceDraft(tx, draft);
}

type Publication = { readonly draftId: string };

/** Publishing is refused for a moment only while a draft is being changed. */
const passing = 'draft/busy';

/**
 * Publishes drafts that publish themselves, in the name of the accounts that created them and with their current rights. A
 * refused draft stays, with the reason; one that a person has changed meanwhile is left to that person. Whether it
 * still updates the active map is decided when it is activated.
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
