import { limits } from '@kc/rules/limits';
import type { PlanOffer } from '@kc/rules/plan-shapes';
import { sql } from 'kysely';
import { notify } from '../database/notifications.ts';
import { type Db, findsRow, inTransaction, isId, type Queryable, type Tx } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { rootHash } from '../visualizations/data-sets.ts';
import type { PackQueries } from '../visualizations/query/pack-queries.ts';
import { accountWriter, heldPlanData, type PlanData } from './plan-data.ts';
import { countEntries, findPlan, lockPlan, type PlanRecord, placesOf, planFull } from './plan-queries.ts';

/** How many plans are compared with an upload: those that began last. */
const maxCompared = 8;
/** A plan is offered if this share of its entries has a node in the upload. */
const minShare = 0.5;

type OfferDeps = { readonly db: Db; readonly packQueries: Pick<PackQueries, 'planPlaces'> };

/**
 * The plan of other data of the same owner that this upload could continue, because most of it is here under another root.
 * Undefined once a person has chosen.
 */
export async function offeredPlan(
  { db, packQueries }: OfferDeps,
  data: PlanData,
  signal: AbortSignal | undefined,
): Promise<PlanOffer | undefined> {
  const { owner_id, of_sample, root_hash } = data.set;
  if (of_sample || (await isChosen(db, owner_id, data.root))) return undefined;
  const others = await db
    .selectFrom('plans')
    .selectAll()
    .where('owner_id', '=', owner_id)
    .where('of_sample', '=', false)
    .where('root_hash', '!=', root_hash)
    .orderBy('created_at', 'desc')
    .limit(maxCompared)
    .execute();
  let best: { readonly plan: PlanRecord; readonly entries: number; readonly matched: number } | undefined;
  for (const plan of others) {
    const entries = (await placesOf(db, plan.id)).map(({ id, paths }) => ({ id, paths }));
    if (entries.length === 0) continue;
    const { length: matched } = await packQueries.planPlaces({ packKey: data.packKey, entries, signal });
    if (matched >= minShare * entries.length && matched > (best?.matched ?? 0)) {
      best = { plan, entries: entries.length, matched };
    }
  }
  if (!best) return undefined;
  const own = await findPlan(db, data.set);
  const root = await nameOfRoot(db, owner_id, best.plan.root_hash);
  return {
    plan: best.plan.id,
    ...(root !== undefined && { root }),
    entries: best.entries,
    matched: best.matched,
    own: own ? await countEntries(db, own.id) : 0,
  };
}

/** The name of a root, while the owner has an upload under it. */
async function nameOfRoot(db: Queryable, ownerId: string, hash: string): Promise<string | undefined> {
  const named = await db
    .selectFrom('visualizations')
    .select('root_name')
    .distinct()
    .where('user_id', '=', ownerId)
    .execute();
  return named.find(({ root_name }) => rootHash(root_name) === hash)?.root_name;
}

async function isChosen(db: Queryable, ownerId: string, root: string): Promise<boolean> {
  return findsRow(
    db.selectFrom('continued_roots').select('data_hash').where('owner_id', '=', ownerId).where('root_hash', '=', root),
  );
}

type Deps = Pick<ServerParts, 'db' | 'mayDo' | 'now'>;

/**
 * Lets uploads under the root of these data share a plan that began under another one, with its judgements of warnings; or
 * keeps a plan of their own. The choice is made once.
 *
 * What was planned and judged under this root joins. An entry whose place has one in the continued plan is removed there, with
 * its fields and history, as if a person had removed it.
 *
 * @param planId the plan to continue; null to keep an own one
 * @returns whether a plan is continued: somebody else may have chosen before
 * @throws the refusal as the contract's error if there is no such plan, or both together would be too large
 */
export async function choosePlan(
  { db, mayDo, now }: Deps,
  data: PlanData,
  by: string,
  planId: string | null,
): Promise<boolean> {
  const at = new Date(now());
  return inTransaction(db, async (tx) => {
    const held = await heldPlanData(tx, await accountWriter(mayDo, by, data).hold(tx), data);
    if (data.set.of_sample) throw asError({ code: 'visualization/not-found' });
    const ownerId = held.set.owner_id;
    if (await isChosen(tx, ownerId, data.root)) return held.set.root_hash !== data.root;
    const target = planId === null ? undefined : await lockedPlan(tx, ownerId, planId);
    if (planId !== null && !target) throw asError({ code: 'plan/not-continued' });
    if (target) await join(tx, await lockPlan(tx, { ...data.set, owner_id: ownerId }, at), target, at);
    await tx
      .insertInto('continued_roots')
      .values({
        owner_id: ownerId,
        root_hash: data.root,
        data_hash: target?.root_hash ?? data.set.root_hash,
        chosen_by: by,
        chosen_at: at,
      })
      .execute();
    await notify(tx, { about: 'plans', accountId: ownerId });
    return target !== undefined;
  });
}

async function lockedPlan(tx: Queryable, ownerId: string, id: string): Promise<PlanRecord | undefined> {
  if (!isId(id)) return undefined;
  return tx
    .selectFrom('plans')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('of_sample', '=', false)
    .forUpdate()
    .executeTakeFirst();
}

/** Moves everything of one data set to another. The empty plan stays, because it has the history of its entries. */
async function join(tx: Tx, own: PlanRecord, target: PlanRecord, at: Date): Promise<void> {
  if (own.id === target.id) throw asError({ code: 'plan/not-continued' });
  // Pages of both have seen other revisions. Entries that did not change may have other nodes.
  const revision = Math.max(own.revision, target.revision) + 1;
  const matching = Math.max(own.matching, target.matching) + 1;
  await sql`
    update plan_entries e set is_planned = false, removed_at = ${at},
      fields = jsonb_set(fields, '{isPlanned}', 'false')
    where plan_id = ${own.id} and is_planned and exists (
      select from plan_entries t
      where t.plan_id = ${target.id} and t.is_planned and t.path_hashes[1] = e.path_hashes[1])`.execute(tx);
  await tx
    .updateTable('plan_entries')
    .set({ plan_id: target.id, rev: revision })
    .where('plan_id', '=', own.id)
    .execute();
  if ((await countEntries(tx, target.id)) > limits.maxPlanEntries) {
    throw planFull();
  }
  await tx.updateTable('plans').set({ revision, matching }).where('id', '=', target.id).execute();
  const [ofOwner, from, to] = [target.owner_id, own.root_hash, target.root_hash];
  await sql`
    update dismissed_warnings w set root_hash = ${to}
    where owner_id = ${ofOwner} and not of_sample and root_hash = ${from} and not exists (
      select from dismissed_warnings o where o.owner_id = w.owner_id and not o.of_sample
        and o.root_hash = ${to} and o.subject_hash = w.subject_hash)`.execute(tx);
  await sql`
    insert into warning_thresholds (owner_id, of_sample, root_hash, thresholds)
    select owner_id, of_sample, ${to}, thresholds from warning_thresholds
    where owner_id = ${ofOwner} and not of_sample and root_hash = ${from}
    on conflict do nothing`.execute(tx);
  await tx
    .updateTable('continued_roots')
    .set({ data_hash: to })
    .where('owner_id', '=', ofOwner)
    .where('data_hash', '=', from)
    .execute();
}
