import { limits } from '@kc/rules/limits';
import { sql } from 'kysely';
import { inTransaction, type Queryable } from '../../database/open.ts';
import type { ServerParts } from '../../server-parts.ts';
import { databaseIdentity } from '../../storage/owner.ts';
import type { Storage } from '../../storage/storage.ts';
import { isLasting, madeHere } from '../../storage/stored-files.ts';
import { endGrace, referencedKeys } from '../queries.ts';
import { deleteForgotten, holdCreations } from '../upload/upload-queries.ts';

export type SweepDeps = Pick<ServerParts, 'db' | 'storage' | 'log' | 'now'> & {
  /** `SWEEP_AT_MOST`: how many files may be removed at a time. Default: a tenth of all, and {@link few} in any case. */
  readonly atMost?: number | undefined;
};

/** What was removed. */
export type Swept = { readonly uploads: readonly string[]; readonly objects: readonly string[] };

export const graceMs = 24 * 3_600_000;
const batch = 200;
/** In one transaction, which the database ends after a while. */
const removedAtOnce = 20;
/** A small installation has a few large drafts or uploads that nobody finished. */
const few = 20;
const share = 0.1;

/**
 * Removes what is no longer needed: uploads without activity for a day, drafts that nobody has touched for long, plan
 * entries that were removed long ago, and objects older than a day that no row refers to.
 *
 * A key is in `stored_files` before its object exists, and an object without a row stays without one. Packs under
 * construction have no row but are younger. Objects that this database has not made stay, and so do all if the storage
 * is another database's, or more than a tenth of the files would go: rows may be missing. Right before an object is
 * removed, it is checked again while no upload can begin.
 *
 * Source: SECURITY.md, REL-07.
 */
export async function sweep(deps: SweepDeps): Promise<Swept> {
  const { db, storage, now } = deps;
  if (!(await isOwn(deps))) return { uploads: [], objects: [] };
  await deleteForgottenDrafts(db, now());
  await deleteForgottenPlanEntries(db, now());
  const uploads = await deleteForgotten(db, new Date(now() - graceMs));
  const objects = await sweepObjects(deps, (await storage.now()) - graceMs);
  await endGrace(db, { before: new Date(now()) });
  return { uploads, objects };
}

async function isOwn({ db, storage, log }: SweepDeps): Promise<boolean> {
  if ((await storage.owner()) === (await databaseIdentity(db))) return true;
  log.error({ event: 'sweep-stopped' }, 'Nothing is swept: the storage does not say that it is this database’s');
  return false;
}

async function sweepObjects(deps: SweepDeps, before: number): Promise<string[]> {
  const { all, needless, unknown } = await findNeedless(deps, before);
  const { log } = deps;
  if (unknown > 0)
    log.info({ event: 'sweep', files: unknown }, 'Nothing refers to files that this database did not make');
  const files = needless.filter(isLasting).length;
  const atMost = deps.atMost ?? Math.max(few, Math.floor(all * share));
  if (files > atMost) {
    log.error(
      { event: 'sweep-stopped', files, of: all, atMost },
      'Nothing is swept: so many files have no row that rows may be missing. If they are not, set SWEEP_AT_MOST',
    );
    return [];
  }
  const swept: string[] = [];
  for (let at = 0; at < needless.length; at += removedAtOnce) {
    swept.push(...(await sweepKeys(deps, needless.slice(at, at + removedAtOnce), before)));
  }
  return swept;
}

/** Objects of this database that are old enough and that no row refers to, and the numbers of all files and of others'. */
async function findNeedless({ db, storage, now }: SweepDeps, before: number) {
  const needless: string[] = [];
  let [all, unknown] = [0, 0];
  const judge = async (keys: readonly string[]): Promise<void> => {
    const old = await oldOnes(storage, keys, before);
    const referenced = await referencedKeys(db, old, new Date(now()));
    const loose = old.filter((key) => !referenced.has(key));
    const made = await madeHere(db, loose);
    const own = loose.filter((key) => !isLasting(key) || made.has(key));
    all += keys.filter(isLasting).length;
    unknown += loose.length - own.length;
    needless.push(...own);
  };
  let keys: string[] = [];
  for await (const key of storage.list()) {
    keys.push(key);
    if (keys.length < batch) continue;
    await judge(keys);
    keys = [];
  }
  await judge(keys);
  return { all, needless, unknown };
}

async function sweepKeys(
  { db, storage, log, now }: SweepDeps,
  keys: readonly string[],
  before: number,
): Promise<string[]> {
  return inTransaction(db, async (transaction) => {
    await holdCreations(transaction);
    const stillOld = await oldOnes(storage, keys, before);
    const referenced = await referencedKeys(transaction, stillOld, new Date(now()));
    const unused = stillOld.filter((key) => !referenced.has(key));
    for (const key of unused) {
      await storage.remove(key);
      log.info({ event: 'sweep', key }, 'Removed an object that nothing refers to');
    }
    return unused;
  });
}

async function oldOnes(storage: Storage, keys: readonly string[], before: number): Promise<string[]> {
  const old: string[] = [];
  for (const key of keys) {
    const found = await storage.stat(key);
    if (found && found.modifiedAt < before) old.push(key);
  }
  return old;
}

/**
 * Deletes the entries that were removed from plans more than `limits.planRemovedKeptMs` ago. The database deletes their
 * history with them.
 */
export async function deleteForgottenPlanEntries(db: Queryable, now: number): Promise<void> {
  await db
    .deleteFrom('plan_entries')
    .where('is_planned', '=', false)
    .where('removed_at', '<', new Date(now - limits.planRemovedKeptMs))
    .execute();
}

const unfinishedKeptMs = 24 * 3_600_000;

/**
 * Deletes drafts that nobody has touched: those of whose lists nothing has arrived for a day, the others after
 * `limits.draftKeptMs`. Their objects are then swept, because no row refers to them. Storage that their lists reserved and did
 * not use no longer counts.
 */
async function deleteForgottenDrafts(db: Queryable, now: number): Promise<void> {
  const isOld = (age: number) => new Date(now - age);
  await db
    .with('gone', (cte) =>
      cte
        .deleteFrom('drafts')
        .where((e) =>
          e.or([
            e.and([
              e('state', '=', 'receiving'),
              e('touched_at', '<', isOld(unfinishedKeptMs)),
              sql<boolean>`not exists (
                select from uploads u where u.draft_id = drafts.id and u.touched_at >= ${isOld(unfinishedKeptMs)})`,
            ]),
            e.and([
              e('state', 'in', ['ready', 'stopped', 'failed', 'published']),
              e('touched_at', '<', isOld(limits.draftKeptMs)),
            ]),
          ]),
        )
        .returning('id'),
    )
    .updateTable('stored_files')
    .from(['uploads', 'gone'])
    .whereRef('gone.id', '=', 'uploads.draft_id')
    .whereRef('stored_files.key', '=', 'uploads.file_key')
    .set(({ ref }) => ({ bytes: ref('uploads.received') }))
    .execute();
}
