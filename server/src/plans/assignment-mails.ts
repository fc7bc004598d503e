import { randomBytes } from 'node:crypto';
import { addressOf } from '@kc/pack/plan/node-paths';
import { type BuiltInAdmins, effective, isAdmin } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import { cleanLine, ownerAccount } from '@kc/rules/plan';
import { sql } from 'kysely';
import { wantsMail } from '../accounts/mail-settings.ts';
import { toAccount } from '../accounts/responses.ts';
import type { Config } from '../config.ts';
import type { Queryable, Tx } from '../database/open.ts';
import type { Jobs, Queue } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { assignmentLetter } from '../mail/mail-texts.ts';
import type { Mailer } from '../mail/mailer.ts';
import { dataSetOf } from '../visualizations/data-sets.ts';
import { workingLinks } from './plan-people.ts';
import { namesOf } from './plan-queries.ts';

type AssignmentMailDeps = {
  readonly db: Queryable;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly sender: Pick<Config, 'baseUrl' | 'supportEmail'>;
  readonly builtInAdmins: BuiltInAdmins;
  readonly log: Log;
  now(): number;
};

type AssignmentMail = { readonly accountId: string };

/** Mails to the owners of entries, sent by jobs. Source: docs/decisions/090. */
export const assignmentQueue = (deps: AssignmentMailDeps): Queue<AssignmentMail> => ({
  name: 'assignment-mails',
  expireSeconds: 120,
  retrySeconds: 60,
  run: ({ accountId }) => sendAssignments(deps, accountId),
});

/**
 * Queues a job for each assignment. It begins a few minutes later and mails everything that is unsent by then: the first job
 * of several sends one mail and the others find nothing left, so that no assignment stays without a mail.
 */
export const notifyOwnersBy =
  (jobs: Jobs, queue: Queue<AssignmentMail>): NotifyOwners =>
  (tx, accountId, at) =>
    jobs.enqueue(
      tx,
      queue,
      randomBytes(16).toString('hex'),
      { accountId },
      new Date(at + limits.assignmentMailDelayMs),
    );

/**
 * Notifies an account of the entries that it was made the owner of, if it still is and can open them. What cannot be sent stays,
 * and the job runner tries again until it is a day old.
 *
 * @throws Error if another server is mailing this account, perhaps without the newest entries: the job is then repeated
 */
export async function sendAssignments(deps: AssignmentMailDeps, queuedFor: string): Promise<void> {
  const accountId = await standingFor(deps.db, queuedFor);
  const lock = sql`hashtextextended(${`assignment mails ${accountId}`}, 0)`;
  await deps.db.connection().execute(async (db) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${lock}) as free`.execute(db);
    if (rows[0]?.free !== true) throw new Error('Another server is sending a mail to this account');
    try {
      await send({ ...deps, db }, accountId);
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(db);
    }
  });
}

/** The account that has taken this one over since its job was queued; itself if none has. */
async function standingFor(db: Queryable, id: string): Promise<string> {
  const found = await db.selectFrom('accounts').select('migrated_to').where('id', '=', id).executeTakeFirst();
  return found?.migrated_to ?? id;
}

async function send(deps: AssignmentMailDeps, accountId: string): Promise<void> {
  const { db, mailer, sender, log, now } = deps;
  const found = await assignmentsOf(db, accountId);
  if (found.length === 0) return;
  const recent = found.filter(({ at }) => at.getTime() > now() - limits.assignmentMailKeptMs);
  const linkOf = await linksFor(deps, accountId, recent);
  const items = recent.flatMap((entry) => {
    const link = entry.is_planned && entry.owner === accountId ? linkOf(entry) : undefined;
    return link === undefined ? [] : [{ ...entry, link }];
  });
  if (items.length > 0 && (await wantsMail(db, accountId, 'assignments'))) {
    const by = await namesOf(
      db,
      items.map(({ by_account }) => by_account),
    );
    const [{ email, display_name: displayName }] = items as [(typeof items)[number]];
    const letter = assignmentLetter(
      { email, displayName },
      {
        by: by.map(({ name }) => name),
        entries: items.map(({ root_name, paths: [path], link }) => ({
          map: cleanLine(root_name),
          path: path!.map(([name]) => cleanLine(name)),
          link,
        })),
      },
      sender,
    );
    const what = { event: 'mail', kind: 'assignment', account: accountId };
    try {
      await mailer.send(letter);
    } catch (error) {
      log.warn({ ...what, result: 'failed', err: error }, 'A mail could not be sent yet');
      throw error;
    }
    log.info({ ...what, entries: items.length, result: 'ok' }, 'A mail was sent');
  }
  // An entry that was assigned again meanwhile has another time, and a job of its own.
  const [entries, times] = [found.map(({ entry_id }) => entry_id), found.map(({ at }) => at)];
  await sql`
    delete from plan_assignments w
    using unnest(${sql.val(entries)}::text[], ${sql.val(times)}::timestamptz[]) as told (entry, at)
    where w.account_id = ${accountId} and w.entry_id = told.entry and w.at = told.at`.execute(db);
}

type Assignment = Awaited<ReturnType<typeof assignmentsOf>>[number];

/**
 * The assignments that an account is to be notified of, the heaviest entries first, each with the account that its owner is now: a
 * plan keeps the one that was taken over.
 */
async function assignmentsOf(db: Queryable, accountId: string) {
  const rows = await db
    .selectFrom('plan_assignments as w')
    .innerJoin('plan_entries as e', 'e.id', 'w.entry_id')
    .innerJoin('visualizations as v', 'v.id', 'w.visualization_id')
    .innerJoin('accounts as a', 'a.id', 'w.account_id')
    .select(['w.entry_id', 'w.visualization_id', 'w.by_account', 'w.at'])
    .select(['e.is_planned', 'e.fields', 'e.paths', 'v.user_id', 'v.is_sample', 'v.root_name'])
    .select(['a.email', 'a.display_name'])
    .where('w.account_id', '=', accountId)
    .orderBy('v.root_name')
    .orderBy((e) => e.fn.coalesce('e.volume', e.lit(-1)), 'desc')
    .orderBy('e.id')
    .execute();
  const merged = await db.selectFrom('accounts').select('id').where('migrated_to', '=', accountId).execute();
  const ids = new Set(merged.map(({ id }) => id));
  return rows.map((row) => {
    const owner = ownerAccount(row.fields.assignee);
    return { ...row, owner: owner !== undefined && ids.has(owner) ? accountId : owner };
  });
}

/** The address at which an account opens an entry: in the upload where it was assigned, or in another one shared with it; undefined if in none. */
async function linksFor(
  deps: AssignmentMailDeps,
  accountId: string,
  assignments: readonly Assignment[],
): Promise<(assignment: Assignment) => string | undefined> {
  const { db, sender, builtInAdmins } = deps;
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
  if (!row || row.migrated_to !== null || effective(toAccount(row), builtInAdmins).status !== 'approved') {
    return () => undefined;
  }
  /** By visualization; undefined where the account cannot open any upload of its data. */
  const addresses = new Map<string, string | undefined>();
  const opensAll = isAdmin(toAccount(row), builtInAdmins);
  for (const { visualization_id: id, user_id: ownerId, is_sample, root_name } of assignments) {
    if (addresses.has(id)) continue;
    if (opensAll || ownerId === accountId) {
      addresses.set(id, `${paths.visualization}?v=${encodeURIComponent(id)}`);
      continue;
    }
    const root_hash = await dataSetOf(db, ownerId, is_sample, root_name);
    const working = await workingLinks(deps, { owner_id: ownerId, root_hash });
    const links = working.filter((link) => link.openedBy === accountId);
    const link = links.find(({ visualizationId }) => visualizationId === id) ?? links[0];
    addresses.set(id, link && `${paths.shared}?v=${encodeURIComponent(link.id)}`);
  }
  return ({ visualization_id, root_name, paths: [path] }) => {
    const address = addresses.get(visualization_id);
    return address && new URL(`${address}&panel=plan&sel=${addressOf(root_name, path!)}`, sender.baseUrl).href;
  };
}

/** Queues a mail about what an account was made the owner of, within the transaction that does so. @param at ms since 1970 */
export type NotifyOwners = (tx: Tx, accountId: string, at: number) => Promise<void>;

/** What a write changes of an entry. */
type Change = { readonly entryId: string; readonly field: string; readonly after: unknown };
/** Who assigned something, where and when. */
type Done = { readonly by: string; readonly visualizationId: string; readonly at: Date };

/**
 * Records what a write assigns to people with an account here, other than the writer.
 *
 * @returns the accounts to notify
 */
export async function recordAssignments(
  tx: Tx,
  changes: readonly Change[],
  { by, visualizationId, at }: Done,
): Promise<string[]> {
  const assigned = changes.flatMap(({ field, after, entryId }) => {
    const account = field === 'assignee' ? ownerAccount(String(after)) : undefined;
    return account === undefined || account === by ? [] : [{ account, entryId }];
  });
  if (assigned.length === 0) return [];
  const accounts = assigned.map(({ account }) => account);
  const entries = assigned.map(({ entryId }) => entryId);
  await sql`
    insert into plan_assignments (account_id, entry_id, visualization_id, by_account, at)
    select a.account, a.entry, ${visualizationId}, ${by}, ${at}
    from unnest(${sql.val(accounts)}::text[], ${sql.val(entries)}::text[]) as a (account, entry)
    join accounts on accounts.id = a.account
    on conflict (account_id, entry_id) do update set
      visualization_id = excluded.visualization_id, by_account = excluded.by_account, at = excluded.at`.execute(tx);
  return [...new Set(accounts)];
}
