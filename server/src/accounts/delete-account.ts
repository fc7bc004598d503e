import { checkDeletion } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { sayRefusal } from '@kc/rules/messages';
import { type ForceDeleteAnswer, forceDeleteRequest } from '@kc/rules/raw-routes';
import { done, type Refusal, type Result, refuse } from '@kc/rules/result';
import type { FastifyError, FastifyPluginAsync, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { audit } from '../database/audit.ts';
import { notify, stopUpload } from '../database/notifications.ts';
import { changesRow, findsRow, inTransaction, isId, type Queryable, type Tx } from '../database/open.ts';
import { refusalOfRequest } from '../http/json-bodies.ts';
import { consume } from '../http/rate-limits.ts';
import { allowed, kindOf, refusalOfFault } from '../http/refusals.ts';
import { emailAvailability } from './availability.ts';
import type { AccountDeps } from './deps.ts';
import { deletionLimit } from './limits.ts';
import { lockAccounts, type StoredAccount } from './queries.ts';
import { api, mayCall, type Person, personOf } from './require.ts';
import { toAccount } from './responses.ts';
import { consumeIdToken, mintIdToken } from './step-up.ts';

type DeletionRequest = { readonly userId: string; readonly idToken: string };

/**
 * Deletes a user in one transaction: account, credential, sessions, tokens, running uploads and visualizations. It
 * queues a job that removes the stored files once running backups no longer need them. The email is free after the
 * commit. Deleting a deleted account has the same result.
 *
 * Source: SECURITY.md, S8, REL-32.
 */
export async function forceDelete(deps: AccountDeps, person: Person, request: DeletionRequest): Promise<Result<true>> {
  return deleteOnce(deps, person, request, async (tx, account, removeAfter) => {
    const keys = await noteDeletedFiles(tx, account.id, removeAfter);
    await deps.queueFileDeletion(tx, keys, removeAfter);
    await tx.deleteFrom('credentials').where('account_id', 'in', recordsOf(account.id)).execute();
    return { action: 'delete', files: keys.length };
  });
}

/**
 * The fallback if {@link forceDelete} fails: it needs neither the job queue nor the removal of the credential. The
 * credential is locked permanently; the sweep removes the files once their retention is over.
 *
 * @returns whether a locked credential is left for {@link deleteUserAuth}
 */
export async function deleteRecords(
  deps: AccountDeps,
  person: Person,
  request: DeletionRequest,
): Promise<Result<{ authRemains: boolean }>> {
  const deleted = await deleteOnce(deps, person, request, async (tx, account, removeAfter) => {
    const keys = await noteDeletedFiles(tx, account.id, removeAfter);
    await lockCredentials(tx, account.id, new Date(deps.now()));
    return { action: 'delete-records', files: keys.length };
  });
  if (!deleted.ok) return deleted;
  const credential = deps.db.selectFrom('credentials').select('account_id').where('account_id', '=', request.userId);
  return done({ authRemains: await findsRow(credential) });
}

/** The last step of the fallback: deletes the locked credential. */
export async function deleteUserAuth(
  deps: AccountDeps,
  person: Person,
  userId: string,
): Promise<{ success: boolean; error?: string }> {
  if (!isId(userId)) return { success: false, error: sayRefusal({ code: 'account/not-found' }) };
  return inTransaction(deps.db, async (tx) => {
    const account = tx.selectFrom('accounts').select('id').where('id', '=', userId);
    if (await findsRow(account)) return { success: false, error: sayRefusal({ code: 'account/auth-remains' }) };
    const locked = tx.deleteFrom('credentials').where('account_id', '=', userId).where('locked_at', 'is not', null);
    if (await changesRow(locked)) {
      await audit(tx, { actor: person.account.id, action: 'delete-auth', target: userId }, deps.now());
    }
    return { success: true };
  });
}

/** What a kind of deletion does before it deletes the account, and its name in the audit log. */
type Way = (
  tx: Tx,
  account: StoredAccount,
  removeAfter: Date,
) => Promise<{ action: 'delete' | 'delete-records'; files: number }>;

/**
 * Checks the token and the rule, and deletes. Actor and account are locked together, so that of two administrators who
 * delete each other one remains: the actor of a committed deletion is still an administrator.
 */
async function deleteOnce(
  deps: AccountDeps,
  person: Person,
  request: DeletionRequest,
  way: Way,
): Promise<Result<true>> {
  const { userId } = request;
  const now = deps.now();
  const wait = await consume(deps.db, deletionLimit, person.account.id, now);
  if (wait > 0) return refuse('sign-in/too-many', { seconds: wait });
  if (!isId(userId)) return refuse('account/not-found');
  if (await wasDeleted(deps.db, userId)) return done(true);
  const spent = await consumeIdToken(deps.db, person, request.idToken, now);
  if (!spent.ok) return spent;
  return inTransaction(deps.db, async (tx) => {
    const rows = await lockAccounts(tx, [person.account.id, userId]);
    const actor = rows.find((row) => row.id === person.account.id);
    const account = rows.find((row) => row.id === userId);
    if (!actor) return refuse('session/required');
    if (!account) return (await wasDeleted(tx, userId)) ? done(true) : refuse('account/not-found');
    const target = { ...toAccount(account), isSample: account.is_sample };
    const allowed = checkDeletion(toAccount(actor), target, deps.config.builtInAdmins);
    if (!allowed.ok) return allowed;
    await stopUploads(tx, userId);
    const { action, files } = await way(tx, account, new Date(now + limits.deletedFilesMs));
    await deleteAccount(tx, userId);
    // The ID alone would mean nothing to later readers of the log: its account was deleted.
    await audit(tx, { actor: actor.id, action, target: userId, details: { email: account.email, files } }, now);
    await notify(tx, { about: 'session', accountId: userId });
    await notify(tx, { about: 'accounts' });
    deps.log.info({ event: action, actor: actor.id, account: userId, files }, 'Deleted an account');
    return done(true);
  });
}

/** The contract's calls for deletion other than {@link forceDeleteRoute}. */
export function deletionCalls(deps: AccountDeps) {
  const { db, now } = deps;
  return {
    session: {
      idToken: api.session.idToken.handler(async ({ input, context }) => ({
        idToken: allowed(await mintIdToken(db, personOf(context), input.stepUp, now())),
      })),
    },
    accounts: {
      availability: api.accounts.availability.handler(({ input }) => emailAvailability(db, input.email, now())),
      deleteRecords: api.accounts.deleteRecords.handler(async ({ input, context }) =>
        allowed(await deleteRecords(deps, personOf(context), { userId: input.id, idToken: input.idToken })),
      ),
      deleteUserAuth: api.accounts.deleteUserAuth.handler(({ input, context }) =>
        deleteUserAuth(deps, personOf(context), input.userId),
      ),
    },
  };
}

/**
 * `POST /api/forceDeleteUser {userId, idToken}`: `{ok: true}`, or a status with the text in `error`. The specification
 * fixes the format of this one call.
 */
export function forceDeleteRoute(deps: AccountDeps): FastifyPluginAsync {
  return async (scope) => {
    scope.removeContentTypeParser('text/plain');
    scope.setErrorHandler((error: FastifyError, _request, reply) => {
      const refused = refusalOfRequest(error);
      if (refused) return sendError(reply, refused.refusal, refused.status);
      return sendError(reply, refusalOfFault(error, 'POST /api/forceDeleteUser', deps.log));
    });
    scope.post('/api/forceDeleteUser', async (request, reply) => {
      const permission = mayCall('admin', request.requestContext);
      if (!permission.ok) await request.requestContext.reportRefused(permission.refusal.code);
      const answer = permission.ok
        ? await parseAndDelete(deps, personOf(request.requestContext), request.body)
        : permission;
      if (!answer.ok) return sendError(reply, answer.refusal);
      return reply.header('Cache-Control', 'no-store').send({ ok: true } satisfies ForceDeleteAnswer);
    });
  };
}

async function parseAndDelete(deps: AccountDeps, person: Person, body: unknown): Promise<Result<true>> {
  const parsed = forceDeleteRequest.safeParse(body ?? {});
  if (!parsed.success) return refuse('request/invalid');
  const { userId, idToken = '' } = parsed.data;
  if (!userId) return refuse('account/delete-missing');
  if (userId === person.account.id) return refuse('account/own-delete');
  return forceDelete(deps, person, { userId, idToken });
}

function sendError(reply: FastifyReply, refusal: Refusal, status = kindOf(refusal.code).status): FastifyReply {
  const answer: ForceDeleteAnswer = { error: sayRefusal(refusal), data: refusal };
  return reply.code(status).type('application/json; charset=utf-8').header('Cache-Control', 'no-store').send(answer);
}

/** The account and what was merged into it: records of the same person that are marked as migrated to it. */
const recordsOf = (id: string) => sql<string>`(select id from accounts where id = ${id} or migrated_to = ${id})`;

/** Whether this account was deleted before. */
export async function wasDeleted(db: Queryable, id: string): Promise<boolean> {
  return findsRow(
    db
      .selectFrom('audit_log')
      .select('id')
      .where('target', '=', id)
      .where('action', 'in', ['delete', 'delete-records']),
  );
}

/**
 * Lists the stored files that a deletion leaves behind: of the user's visualizations, and of uploads and drafts for or
 * by the user, except files that another user's visualization uses. Nothing removes them before `removeAfter`.
 *
 * @returns their storage keys
 */
export async function noteDeletedFiles(tx: Tx, id: string, removeAfter: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    insert into deleted_files (key, remove_after)
    select key, ${removeAfter} from (
      select unnest(array[file_key, pack_key]) as key from visualizations where user_id in ${recordsOf(id)}
      union
      select unnest(array[file_key, pack_key]) from uploads
        where user_id in ${recordsOf(id)} or uploader_id in ${recordsOf(id)}
      union
      select unnest(array[graph_key, file_key, pack_key]) from drafts
        where owner_id in ${recordsOf(id)} or begun_by in ${recordsOf(id)}
      union
      select l.file_key from visualization_lists l join visualizations v on v.id = l.visualization_id
        where v.user_id in ${recordsOf(id)}
    ) as files
    where files.key is not null and not exists (
      select from visualizations v where files.key in (v.file_key, v.pack_key) and v.user_id not in ${recordsOf(id)}
    )
    on conflict (key) do update set remove_after = excluded.remove_after
    returning key`.execute(tx);
  return rows.map((row) => row.key);
}

/** Aborts the requests that are sending files for this user or as this user. */
export async function stopUploads(tx: Tx, id: string): Promise<void> {
  const uploads = await tx
    .selectFrom('uploads')
    .select('id')
    .where('state', '=', 'receiving')
    .where((e) => e.or([e('user_id', 'in', recordsOf(id)), e('uploader_id', 'in', recordsOf(id))]))
    .execute();
  for (const upload of uploads) await stopUpload(tx, upload.id);
}

/** Locks credentials: from now on no password opens them, even if the rest fails. */
async function lockCredentials(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('credentials').set({ locked_at: now }).where('account_id', 'in', recordsOf(id)).execute();
}

/** Deletes the account, and with it its sessions, tokens, streams, uploads and visualizations. */
export async function deleteAccount(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('accounts').where('id', 'in', recordsOf(id)).execute();
}
