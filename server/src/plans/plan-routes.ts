import type { StatusCoverage } from '@kc/pack/plan/status-roll-up';
import { limits } from '@kc/rules/limits';
import {
  checkChange,
  coveredShare,
  deletedOwner,
  leadMonths,
  ownerAccount,
  ownerOf,
  type PlanChange,
  statusRank,
} from '@kc/rules/plan';
import type { PlanAnswer, PlanEntry, PlanFigures, PlanOffer } from '@kc/rules/plan-shapes';
import { sql } from 'kysely';
import { api, onlyVisualization, personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import { notify } from '../database/notifications.ts';
import { type Db, findsRow, inTransaction, isId, type Queryable, type Tx } from '../database/open.ts';
import type { KeptAnswer } from '../database/plan-tables.ts';
import { consume } from '../http/rate-limits.ts';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { rootHash } from '../visualizations/data-sets.ts';
import type { PackQueries } from '../visualizations/query/pack-queries.ts';
import type { PlannedPlace } from '../visualizations/query/plan-queries.ts';
import type { NotifyOwners } from './assignment-mails.ts';
import { changeEntries, checkPlaces, moveEntries, setLead, undoBatch } from './change-plan.ts';
import { entriesToLookAt } from './entries-to-look-at.ts';
import { accountWriter, currentPlanData, linkWriter, type PlanData, planData } from './plan-data.ts';
import { peopleFor } from './plan-people.ts';
import {
  changedSince,
  countEntries,
  type EntryRecord,
  entriesById,
  findPlan,
  historyOf,
  lockPlan,
  namesOf,
  type PlanRecord,
  placesOf,
  planFull,
} from './plan-queries.ts';
import { type PlanWrite, type Written, writePlan } from './plan-write.ts';
import { sharedPlanAnswer, sharedPlanPage } from './shared-plan.ts';

type PlanRouteDeps = Pick<ServerParts, 'db' | 'packQueries' | 'filterOf' | 'mayDo' | 'announce' | 'now'> & {
  readonly notifyOwners: NotifyOwners;
};

/** The contract's calls about plans. Source: docs/decisions/059. */
export function planRoutes({ db, packQueries, filterOf, mayDo, notifyOwners, announce, now }: PlanRouteDeps) {
  return {
    plans: {
      read: api.plans.read.handler(async ({ input, context, signal }) => {
        const data = await planData(db, context, input.id);
        const plan = await findPlan(db, data.set);
        const visitor = visitorOf(context);
        const you = visitor ? '' : personOf(context).account.id;
        if (!plan) return { revision: 0, matching: 0, entries: [], more: false, people: [], you, lead: leadMonths };
        const { entries, upTo } = await changedSince(db, plan.id, input.since ?? 0, new Date(now()));
        const page = {
          revision: upTo ?? plan.revision,
          matching: plan.matching,
          more: upTo !== undefined,
          you,
          lead: plan.lead_months,
          ...(await present(data, plan.id, entries, signal)),
        };
        return visitor ? sharedPlanPage(page, visitor, input.since ?? 0) : page;
      }),
      change: api.plans.change.handler(async ({ input, context }) => {
        const data = await writable(context, input.id);
        const { targets, base, batch } = input;
        const change = changeIn(input);
        const nodes = targets.flatMap((target) => ('node' in target ? [target.node] : []));
        const facts = await packQueries.planFacts({ packKey: data.packKey, addresses: nodes });
        if (facts.length < new Set(nodes).size) throw asError({ code: 'visualization/node-not-found' });
        const there = nodes.length === 0 ? new Map<string, string>() : await entriesByNode(data);
        const answer = await write(data, context, batch, async (writing) => {
          await checkOwner(writing, context, data, change);
          const written = await changeEntries(
            writing,
            {
              entries: [...new Set(targets.flatMap((target) => ('entry' in target ? [target.entry] : [])))],
              nodes: facts.map((one) => ({ facts: one, entryId: there.get(one.address) })),
            },
            change,
            base,
          );
          await checkPlaces(writing, written);
          return written;
        });
        return respond(data, answer);
      }),
      undo: api.plans.undo.handler(async ({ input, context }) => {
        const data = await writable(context, input.id);
        // Taking back a change gives entries to those who had them before, and who know.
        const undoing = async (writing: PlanWrite) => {
          const written = await undoBatch(writing, input.undone);
          await checkPlaces(writing, written);
          return written;
        };
        const answer = await write(data, context, input.batch, undoing, false);
        return respond(data, answer);
      }),
      move: api.plans.move.handler(async ({ input, context }) => {
        const data = await writable(context, input.id);
        const addresses = input.moves.map(({ node }) => node);
        const facts = await packQueries.planFacts({ packKey: data.packKey, addresses });
        const byAddress = new Map(facts.map((one) => [one.address, one]));
        const moves = input.moves.map(({ entry, node }) => {
          const found = byAddress.get(node);
          if (!found) throw asError({ code: 'visualization/node-not-found' });
          return { entry, facts: found };
        });
        // An entry that this upload shows there by an earlier path is at the place, too.
        const there = await entriesByNode(data);
        const isOccupied = input.moves.some(({ entry, node }) => (there.get(node) ?? entry) !== entry);
        if (isOccupied) throw asError({ code: 'plan/place-taken' });
        return respond(data, await write(data, context, input.batch, (writing) => moveEntries(writing, moves)));
      }),
      history: api.plans.history.handler(async ({ input, context }) => {
        const data = await planData(db, context, input.id);
        const plan = await findPlan(db, data.set);
        const lines = plan ? await historyOf(db, plan.id, input.entry) : [];
        if (lines.length === 0) throw asError({ code: 'plan/entry-not-found' });
        const people = await namesOf(
          db,
          lines.flatMap(({ by_account, field, before, after }) => [
            by_account,
            ...(field === 'assignee' ? [before, after].flatMap((owner) => ownerAccount(String(owner)) ?? []) : []),
          ]),
        );
        return {
          lines: lines.map(({ revision, field, before, after, by_account: by, at }) => ({
            revision,
            field,
            before: field === 'assignee' ? ownerOf(String(before)) : before,
            after: field === 'assignee' ? ownerOf(String(after)) : after,
            by,
            at: at.getTime(),
          })),
          people,
        };
      }),
      people: api.plans.people.handler(async ({ input, context }) => {
        const data = await planData(db, context, input.id);
        return { people: await peopleFor(peopleDeps(context), data.set, writerIn(context)) };
      }),
      totals: api.plans.totals.handler(async ({ input, context, signal }) => {
        const data = await planData(db, context, input.id);
        const { revision, ...ranked } = await rankedEntries(data);
        const { packKey } = data;
        try {
          const totals = await packQueries.planTotals({ packKey, ...ranked, branch: input.branch, signal });
          return { revision, ...totals };
        } catch (error) {
          if (error instanceof RangeError) throw asError({ code: 'visualization/node-not-found' });
          throw error;
        }
      }),
      figures: api.plans.figures.handler(async ({ input, context, signal }) => {
        const data = await planData(db, context, input.id);
        const filter = await filterOf(context, { id: input.id }, input.filter);
        const { revision, ...ranked } = await rankedEntries(data);
        const found = await packQueries.planFigures({ packKey: data.packKey, filter, ...ranked, signal });
        return { revision, entries: found.map(({ id, coverage, peak }) => figuresOf(id, coverage, peak)) };
      }),
      suggestions: api.plans.suggestions.handler(async ({ input, context, signal }) => {
        const data = await planData(db, context, input.id);
        const plan = await findPlan(db, data.set);
        if (!plan) return { revision: 0, suggestions: [], changed: [] };
        const { packKey } = data;
        const { entries, missing, changed } = await entriesToLookAt({ db, packQueries }, plan.id, packKey, signal);
        const suggestions =
          missing.length === 0 ? [] : await packQueries.planSuggestions({ packKey, entries, missing, signal });
        return { revision: plan.revision, suggestions, changed };
      }),
      links: api.plans.links.handler(async ({ input, context, signal }) => {
        const data = await planData(db, context, input.id);
        const plan = await findPlan(db, data.set);
        if (!plan) return { revision: 0 };
        const entries = (await placesOf(db, plan.id)).map(({ id, paths, fields }) => {
          return { id, paths, primary: fields.primaryKeyword };
        });
        const links = await packQueries.planLinks({ packKey: data.packKey, entries, entry: input.entry, signal });
        return { revision: plan.revision, ...(links && { links }) };
      }),
      lead: api.plans.lead.handler(async ({ input: { id, lead }, context }) => {
        const data = await writable(context, id);
        await setLead({ db, mayDo, now }, data, personOf(context).account.id, lead);
        return { lead };
      }),
      offer: api.plans.offer.handler(async ({ input, context, signal }) => {
        const data = await planData(db, context, input.id);
        // A token of one visualization reveals nothing about others, and changes nothing of theirs.
        if (onlyVisualization(context) !== undefined) return {};
        const offer = await offeredPlan({ db, packQueries }, data, signal);
        return offer ? { offer } : {};
      }),
      choose: api.plans.choose.handler(async ({ input, context }) => {
        const data = await writable(context, input.id);
        if (input.plan !== null && onlyVisualization(context) !== undefined)
          throw asError({ code: 'plan/not-continued' });
        return { isContinued: await choosePlan({ db, mayDo, now }, data, personOf(context).account.id, input.plan) };
      }),
    },
    /** What a colleague may change whose link allows editing the plan. */
    plansByLink: {
      change: api.shared.changePlan.handler(async ({ input, context }) => {
        const { targets, base, batch, id } = input;
        const data = await writable(context, id);
        const change = changeIn(input);
        const entries = [...new Set(targets.map(({ entry }) => entry))];
        await mustSee(data, entries);
        const answer = await write(data, context, batch, async (writing) => {
          await checkOwner(writing, context, data, change);
          // An entry that was removed meanwhile is not theirs to change, or to see.
          const there = await entriesById(writing.tx, writing.plan.id, entries);
          if (there.some(({ is_planned }) => !is_planned)) throw asError({ code: 'plan/entry-not-found' });
          return changeEntries(writing, { entries, nodes: [] }, change, base);
        });
        return sharedPlanAnswer(await respond(data, answer), visitorOf(context)!);
      }),
    },
  };

  function peopleDeps({ builtInAdmins }: RequestContext) {
    return { db, builtInAdmins, now };
  }

  /** Refuses entries without a node in the upload of a link, which does not show them. */
  async function mustSee(data: PlanData, entries: readonly string[]): Promise<void> {
    const plan = await findPlan(db, data.set);
    const all = plan ? slim(await placesOf(db, plan.id)) : [];
    const seen = await packQueries.planPlaces({ packKey: data.packKey, entries: all, wanted: entries });
    if (seen.length < entries.length) throw asError({ code: 'plan/entry-not-found' });
  }

  /** Refuses an owner with an account here whom the writer was not, or is no longer, offered. */
  async function checkOwner({ tx }: PlanWrite, context: RequestContext, data: PlanData, { set }: PlanChange) {
    const account = ownerAccount(set.assignee ?? '');
    if (account === undefined) return;
    const offered = await peopleFor({ ...peopleDeps(context), db: tx }, data.set, writerIn(context));
    if (!offered.some(({ id }) => id === account)) throw asError({ code: 'plan/person-not-found' });
  }

  async function writable(context: RequestContext, id: string): Promise<PlanData> {
    const data = await planData(db, context, id);
    const wait = await consume(db, writeLimit, writerIn(context), now());
    if (wait > 0) throw asError({ code: 'plan/too-many-writes', params: { seconds: wait } });
    return data;
  }

  function write(
    data: PlanData,
    context: RequestContext,
    batch: string,
    work: (write: PlanWrite) => Promise<Written>,
    notifiesOwners = true,
  ): Promise<KeptAnswer> {
    const by = writerIn(context);
    const visitor = visitorOf(context);
    const writer = visitor ? linkWriter(context, visitor, by, data) : accountWriter(mayDo, by, data);
    return writePlan({ db, notifyOwners, announce, now }, data, { writer, batch, notifiesOwners }, work);
  }

  /** The entries that are in the plan with the ranks of their statuses, and a text that names this state of the plan. */
  async function rankedEntries(data: PlanData) {
    const plan = await findPlan(db, data.set);
    const places = plan ? await placesOf(db, plan.id) : [];
    const entries = places.map(({ id, paths, fields }) => ({ id, paths, rank: statusRank(fields.status) }));
    const revision = plan?.revision ?? 0;
    return { revision, version: `${plan?.id ?? ''}:${revision}`, entries };
  }

  /** The entries that are in the plan, by their node in this upload. */
  async function entriesByNode(data: PlanData): Promise<Map<string, string>> {
    const plan = await findPlan(db, data.set);
    if (!plan) return new Map();
    const entries = slim(await placesOf(db, plan.id));
    const places = await packQueries.planPlaces({ packKey: data.packKey, entries });
    return new Map(places.map(({ id, address }) => [address, id]));
  }

  async function respond(data: PlanData, { entries: ids, conflicts, isFull }: KeptAnswer): Promise<PlanAnswer> {
    const plan = await findPlan(db, data.set);
    if (!plan) throw asError({ code: 'visualization/not-found' });
    const entries = await entriesById(db, plan.id, ids);
    const answer = await present(data, plan.id, entries, undefined);
    return { revision: plan.revision, conflicts: [...conflicts], isFull, ...answer };
  }

  /** Entries with their nodes in this upload, and the people whom they name. */
  async function present(
    { packKey }: PlanData,
    planId: string,
    entries: readonly EntryRecord[],
    signal: AbortSignal | undefined,
  ) {
    const wanted = entries.map(({ id }) => id);
    const all = wanted.length === 0 ? [] : slim(await placesOf(db, planId));
    const places = await packQueries.planPlaces({ packKey, entries: all, wanted, signal });
    const byId = new Map(places.map((place) => [place.id, place]));
    const people = await namesOf(db, accountsIn(entries));
    const names = new Map(people.map(({ id, name }) => [id, name]));
    return { entries: entries.map((entry) => toEntryResponse(entry, byId.get(entry.id), names)), people };
  }
}

function figuresOf(entry: string, coverage: StatusCoverage, peak: number): PlanFigures['entries'][number] {
  const { keywords, volumeKnown, ofStatus } = coverage;
  const covered = coveredShare(coverage);
  return {
    entry,
    keywords,
    ...(volumeKnown > 0 && { volume: ofStatus.reduce((sum, one) => sum + one.volume, 0) }),
    ...(covered && { covered }),
    ...(peak >= 0 && { peak }),
  };
}

/** The account that writes: of the person, or of the colleague whose link is used. */
function writerIn(context: RequestContext): string {
  return visitorOf(context)?.accountId ?? personOf(context).account.id;
}

const writeLimit = { name: 'plan-writes', uses: limits.planWritesPerMinute, windowMs: 60_000 } as const;

/** Without what matching does not need, because it is sent to a thread. */
const slim = (entries: readonly Pick<EntryRecord, 'id' | 'paths'>[]) => entries.map(({ id, paths }) => ({ id, paths }));

function changeIn(input: {
  readonly set?: object | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}): PlanChange {
  const { set = {}, addTags = [], removeTags = [] } = input;
  const checked = checkChange({ set, addTags, removeTags });
  if ('code' in checked) throw asError({ code: checked.code });
  return checked.change;
}

/**
 * @param place the node of the entry in the visualization that is looked at
 * @param names of accounts by ID
 */
function toEntryResponse(
  entry: EntryRecord,
  place: PlannedPlace | undefined,
  names: ReadonlyMap<string, string>,
): PlanEntry {
  const { tags, ...fields } = entry.fields;
  const account = ownerAccount(fields.assignee);
  const lastKnown = { keywords: entry.keywords, ...(entry.volume !== null && { volume: entry.volume }) };
  const figures = place
    ? { node: place.address, keywords: place.keywords, ...(place.volume !== undefined && { volume: place.volume }) }
    : lastKnown;
  return {
    id: entry.id,
    kind: entry.kind,
    rev: entry.rev,
    path: entry.paths[0]!.map(([name]) => name),
    ...figures,
    ...fields,
    ...(account !== undefined && { assignee: names.get(account) ?? deletedOwner, assigneeId: account }),
    tags: [...tags],
    marks: { ...entry.marks } as PlanEntry['marks'],
    addedBy: entry.added_by,
    addedAt: entry.added_at.getTime(),
  };
}

/** The accounts that some entries name. */
const accountsIn = (entries: readonly EntryRecord[]): string[] =>
  entries.flatMap(({ marks, fields, added_by }) => [
    added_by,
    ...ownersOf(fields.assignee),
    ...Object.values(marks).map(({ by }) => by),
  ]);

const ownersOf = (assignee: string): string[] => {
  const account = ownerAccount(assignee);
  return account === undefined ? [] : [account];
};

/** How many plans are compared with an upload: those that began last. */
const maxCompared = 8;
/** A plan is offered if this share of its entries has a node in the upload. */
const minShare = 0.5;

type OfferDeps = { readonly db: Db; readonly packQueries: Pick<PackQueries, 'planPlaces'> };

/**
 * The plan of other data of the same owner that this upload could continue, because most of it is here under another root.
 * Undefined once a person has chosen.
 */
async function offeredPlan(
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
async function choosePlan(
  { db, mayDo, now }: Deps,
  data: PlanData,
  by: string,
  planId: string | null,
): Promise<boolean> {
  const at = new Date(now());
  return inTransaction(db, async (tx) => {
    const current = await currentPlanData(tx, await accountWriter(mayDo, by, data).hold(tx), data);
    if (data.set.of_sample) throw asError({ code: 'visualization/not-found' });
    const ownerId = current.set.owner_id;
    if (await isChosen(tx, ownerId, data.root)) return current.set.root_hash !== data.root;
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
