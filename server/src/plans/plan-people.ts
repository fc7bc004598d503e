import { can } from '@kc/rules/access';
import { type BuiltInAdmins, effective, isAdmin } from '@kc/rules/account';
import { offeredOwners, type PlanCandidate } from '@kc/rules/plan';
import { toAccount } from '../accounts/responses.ts';
import type { Queryable } from '../database/open.ts';
import { type DataSet, uploadsOfDataSet } from '../visualizations/data-sets.ts';
import { nameFor } from './plan-queries.ts';

type PeopleDeps = { readonly db: Queryable; readonly builtInAdmins: BuiltInAdmins; now(): number };

/** A link that lets a colleague open one of the uploads of a data set, as the database knows it now. */
type ColleagueLink = { readonly id: string; readonly visualizationId: string; readonly openedBy: string };

/** The people whom an account may make owners of entries, as `offeredOwners` says. */
export async function peopleFor(
  deps: PeopleDeps,
  set: DataSet,
  requesterId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return offeredOwners(requesterId, await candidatesOf(deps, set)).map(({ id, name }) => ({ id, name }));
}

async function candidatesOf({ db, builtInAdmins, now }: PeopleDeps, set: DataSet): Promise<PlanCandidate[]> {
  // Nobody else can open somebody's plan of the sample.
  const links = set.of_sample ? [] : await workingLinks({ db, builtInAdmins, now }, set);
  const [colleagues, makers] = [new Set(links.map((one) => one.openedBy)), new Set(links.map((one) => one.makerId))];
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('migrated_to', 'is', null)
    .where('is_sample', '=', false)
    .where((e) =>
      e.or([
        e('id', 'in', [set.owner_id, ...colleagues]),
        ...(set.of_sample ? [] : [e('role', '=', 'admin'), e('email', 'in', ['', ...builtInAdmins])]),
      ]),
    )
    .execute();
  const known = rows.filter((row) => effective(toAccount(row), builtInAdmins).status === 'approved');
  const writers = await writersAmong(
    db,
    set,
    known.map(({ id }) => id),
  );
  return known.map((row) => ({
    id: row.id,
    name: nameFor(row),
    isOwner: row.id === set.owner_id,
    isAdmin: !set.of_sample && isAdmin(toAccount(row), builtInAdmins),
    isColleague: colleagues.has(row.id),
    takesPart: makers.has(row.id) || writers.has(row.id),
  }));
}

/** The links of colleagues to the uploads of a data set that work now, show the plan and were opened; the newest first. */
export async function workingLinks(
  { db, builtInAdmins, now }: PeopleDeps,
  { owner_id: ownerId, root_hash }: Omit<DataSet, 'of_sample'>,
): Promise<(ColleagueLink & { readonly makerId: string })[]> {
  const uploads = await uploadsOfDataSet(db, ownerId, root_hash);
  if (uploads.length === 0) return [];
  const rows = await db
    .selectFrom('share_links as l')
    .innerJoin('accounts as a', 'a.id', 'l.maker_id')
    .innerJoin('accounts as c', 'c.id', 'l.opened_by')
    .selectAll('a')
    .select(['l.id as link_id', 'l.visualization_id', 'l.opened_by'])
    // The address of an account may have changed since.
    .whereRef('c.email', '=', 'l.shared_with')
    .where('l.visualization_id', 'in', uploads)
    .where('l.kind', '=', 'colleague')
    .where('l.with_plan', '=', true)
    .where('l.revoked_at', 'is', null)
    .where('l.expires_at', '>', new Date(now()))
    .where('a.migrated_to', 'is', null)
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id')
    .execute();
  const view = { do: 'visualizations/view', ownerId, sample: false } as const;
  return rows
    .filter((row) => can(toAccount(row), view, builtInAdmins).ok)
    .map((row) => ({
      id: row.link_id,
      visualizationId: row.visualization_id,
      openedBy: row.opened_by!,
      makerId: row.id,
    }));
}

/** Those of some accounts who have written in the plan. */
async function writersAmong(db: Queryable, set: DataSet, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await db
    .selectFrom('plan_changes as c')
    .innerJoin('plans as p', 'p.id', 'c.plan_id')
    .select('c.by_account')
    .distinct()
    .where('p.owner_id', '=', set.owner_id)
    .where('p.of_sample', '=', set.of_sample)
    .where('p.root_hash', '=', set.root_hash)
    .where('c.by_account', 'in', [...ids])
    .execute();
  return new Set(found.map(({ by_account }) => by_account));
}
