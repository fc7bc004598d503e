import { randomBytes } from 'node:crypto';
import { areCorrections } from '@kc/cluster/read/reading';
import { isAdmin } from '@kc/rules/account';
import type { DraftSettings, HandsOff, NewDraft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { cleanDescription, cleanFileName } from '@kc/rules/upload';
import { personOf, type RequestContext } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { inTransaction, type Queryable, type Tx } from '../database/open.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { newKey } from '../storage/storage.ts';
import { noteStored } from '../storage/stored-files.ts';
import { spareBytes } from '../storage/writing-limits.ts';
import { changeable } from '../visualizations/access.ts';
import { countMaps, demandStorage, maxVisualizations } from '../visualizations/quota.ts';
import {
  canOwnVisualizations,
  holdCreations,
  insertUpload,
  reservedBytes,
} from '../visualizations/upload/upload-queries.ts';
import { demandImport } from './draft-access.ts';
import { announceDraft, countDrafts } from './draft-queries.ts';
import { rememberReadings } from './list-readings.ts';

type CreateDraftDeps = Pick<ServerParts, 'db' | 'storage' | 'log' | 'now'>;

/** Space that the clustering of lists needs, as a multiple of their bytes: the lists, a revision, and the next one. */
const spaceFactor = 4;
const megabyte = 1024 * 1024;

/**
 * Creates a draft: its row and those of its lists, before the first byte is sent.
 *
 * @param handsOff what happens to it automatically, if a program creates it
 * @param onCreate runs in the transaction that creates it
 * @returns its ID
 * @throws the refusal as the contract's error
 */
export async function createDraft(
  deps: CreateDraftDeps,
  context: RequestContext,
  input: NewDraft,
  handsOff?: HandsOff,
  onCreate?: (tx: Tx, id: string) => Promise<void>,
): Promise<string> {
  const { db, storage, log, now } = deps;
  const { account } = personOf(context);
  const id = randomBytes(16).toString('hex');
  // Otherwise the draft would fail once its lists have arrived.
  if (!input.files.every(({ corrections }) => areCorrections(corrections))) throw asError({ code: 'request/invalid' });
  if (input.settings.adds !== undefined && input.updateOf === undefined) throw asError({ code: 'request/invalid' });
  const size = input.files.reduce((sum, file) => sum + file.size, 0);
  await demandPace(deps, account.id);
  await inTransaction(db, async (transaction) => {
    await holdCreations(transaction);
    const current = await demandImport(transaction, context, input.userId);
    if (!(await canOwnVisualizations(transaction, input.userId))) throw asError({ code: 'account/not-found' });
    if (input.updateOf !== undefined) await demandBase(transaction, current, input.updateOf, input.userId);
    const isUser = !isAdmin(personOf(current).account, current.builtInAdmins);
    if (isUser) await demandUserQuota(transaction, account.id, size);
    if (isUser) await demandStorage(transaction, account.id, size);
    await demandDraftQuota(transaction, input.userId, account.id, isUser);
    const free = (await storage.freeBytes()) - (await reservedBytes(transaction)) - spareBytes;
    if (spaceFactor * size > free) {
      log.warn({ event: 'storage-full', bytes: size, free }, 'The storage is full: a keyword list was refused');
      throw asError({ code: 'list/no-room', params: room(size, free) });
    }
    const at = new Date(now());
    await insertDraft(transaction, id, account.id, input, at, handsOff);
    await onCreate?.(transaction, id);
    await rememberReadings(transaction, account.id, input.files, at);
    const details = { draft: id, files: input.files.map((file) => file.name).join(', ') };
    await audit(transaction, { actor: account.id, action: 'import', target: input.userId, details }, now());
    await announceDraft(transaction, { owner_id: input.userId, begun_by: account.id, lease_by: null });
  });
  return id;
}

const paceLimit: Limit = { name: 'begin-draft', uses: limits.draftsPerHour, windowMs: 3_600_000 };

/** Counts a draft that an account begins. @throws the refusal if there were many lately */
async function demandPace({ db, now }: Pick<CreateDraftDeps, 'db' | 'now'>, accountId: string): Promise<void> {
  const wait = await consume(db, paceLimit, accountId, now());
  if (wait > 0) throw asError({ code: 'draft/too-often', params: { seconds: wait } });
}

/** @throws the refusal unless the asker may change the visualization, and it is that of the draft's owner */
async function demandBase(db: Queryable, context: RequestContext, id: string, ownerId: string): Promise<void> {
  const base = await changeable(db, context, id);
  if (base.user_id !== ownerId) throw asError({ code: 'visualization/not-found' });
}

const room = (size: number, free: number) => ({
  needed: String(Math.ceil((spaceFactor * size) / megabyte)),
  free: String(Math.max(0, Math.floor(free / megabyte))),
});

async function demandUserQuota(db: Queryable, accountId: string, size: number): Promise<void> {
  const settings = await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  const max = settings.max_user_import_mb;
  if (size > max * megabyte)
    throw asError({ code: 'list/too-large', params: { mb: String(Math.ceil(size / megabyte)), max } });
  await demandVisualizationQuota(db, accountId);
}

/** @throws the refusal if a user has as many visualizations as they may. For the holder of the lock on creations */
export async function demandVisualizationQuota(db: Queryable, accountId: string): Promise<void> {
  const max = await maxVisualizations(db, accountId);
  const count = await countMaps(db, accountId);
  if (count >= max) throw asError({ code: 'list/too-many-maps', params: { count, max } });
}

/** @throws the refusal if there are as many drafts as there may be */
async function demandDraftQuota(db: Queryable, ownerId: string, accountId: string, isUser: boolean): Promise<void> {
  const { all, own } = await countDrafts(db, ownerId, accountId);
  if (all >= limits.maxDrafts) throw asError({ code: 'draft/too-many', params: { max: limits.maxDrafts } });
  if (isUser && own >= limits.maxOwnDrafts)
    throw asError({ code: 'draft/too-many', params: { max: limits.maxOwnDrafts } });
}

/**
 * @throws the refusal if a draft that is started again would be one too many. Only what a program could not import was not
 *   counted until now. For the holder of the lock on creations
 */
export async function demandRoomFor(db: Queryable, context: RequestContext, id: string): Promise<void> {
  const draft = await db
    .selectFrom('drafts')
    .select(['owner_id', 'begun_by'])
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('hands_off', 'is not', null)
    .executeTakeFirst();
  if (!draft) return;
  const isUser = !isAdmin(personOf(context).account, context.builtInAdmins);
  await demandDraftQuota(db, draft.owner_id, draft.begun_by, isUser);
}

async function insertDraft(
  db: Queryable,
  id: string,
  begunBy: string,
  { userId, name, description, files, settings, updateOf }: NewDraft,
  at: Date,
  handsOff: HandsOff | undefined,
): Promise<void> {
  await db
    .insertInto('drafts')
    .values({
      id,
      owner_id: userId,
      begun_by: begunBy,
      name,
      description: cleanDescription(description),
      origin: 'lists',
      base_id: updateOf ?? null,
      state: 'receiving',
      settings: JSON.stringify(settings),
      hands_off: handsOff ? JSON.stringify(handsOff) : null,
      created_at: at,
      touched_at: at,
    })
    .execute();
  for (const [place, file] of files.entries()) {
    const fileKey = newKey('file');
    // Reserved storage counts, whether or not it is used.
    await noteStored(db, begunBy, [{ key: fileKey, bytes: file.size }]);
    await insertUpload(
      db,
      {
        id: randomBytes(16).toString('hex'),
        kind: 'list',
        draft_id: id,
        place,
        corrections: JSON.stringify(file.corrections),
        uploader_id: begunBy,
        user_id: userId,
        file_name: cleanFileName(file.name),
        description: '',
        size: file.size,
        file_modified: file.modified === undefined ? null : new Date(file.modified),
        file_key: fileKey,
        pack_key: newKey('pack'),
      },
      at,
    );
  }
}

type AdjustDeps = Pick<ServerParts, 'db' | 'now' | 'queueClustering'>;

/** A map that is adjusted comes with its own groups. A branch is clustered like a list. */
const settings: DraftSettings = { preset: 'balanced', grouping: 'columns' };

/**
 * Begins a draft of a visualization, which stays as it is: to adjust it, or to cluster the branch at an address anew.
 *
 * @returns the draft's ID
 * @throws the refusal as the contract's error
 */
export async function adjust(
  { db, now, queueClustering }: AdjustDeps,
  context: RequestContext,
  { id: baseId, branch }: { readonly id: string; readonly branch?: string | undefined },
): Promise<string> {
  if (branch !== undefined && !/^[0-9a-f]{16}$/.test(branch)) throw asError({ code: 'request/invalid' });
  const id = randomBytes(16).toString('hex');
  const { account } = personOf(context);
  await demandPace({ db, now }, account.id);
  await inTransaction(db, async (tx) => {
    await holdCreations(tx);
    const base = await changeable(tx, { ...context, person: await context.readAgain(tx) }, baseId);
    const owner = base.user_id;
    const current = await demandImport(tx, context, owner);
    if (!(await canOwnVisualizations(tx, owner))) throw asError({ code: 'account/not-found' });
    await demandDraftQuota(tx, owner, account.id, !isAdmin(personOf(current).account, current.builtInAdmins));
    const at = new Date(now());
    const name = base.file_name.replace(/\.json$/i, '');
    await tx
      .insertInto('drafts')
      .values({
        id,
        owner_id: owner,
        begun_by: account.id,
        name,
        description: base.description,
        origin: 'visualization',
        base_id: base.id,
        branch: branch ?? null,
        state: 'queued',
        settings: JSON.stringify(settings),
        created_at: at,
        touched_at: at,
      })
      .execute();
    await queueClustering(tx, id);
    const details = { draft: id, visualization: base.id, name };
    await audit(tx, { actor: account.id, action: 'import', target: owner, details }, now());
    await announceDraft(tx, { owner_id: owner, begun_by: account.id, lease_by: null });
  });
  return id;
}
