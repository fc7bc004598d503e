import { randomUUID } from 'node:crypto';
import { noFilter, parentIn, placesIn } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { MovedAddress } from '@kc/pack/plan/moved-nodes';
import { can } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { cleanViewName, ordered } from '@kc/rules/saved-view';
import type { SavedView } from '@kc/rules/view-api';
import { type Selectable, sql } from 'kysely';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { changesRow, inTransaction, isId, type Queryable, type Tx } from '../database/open.ts';
import type { SavedViewRow } from '../database/schema.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { published } from './access.ts';
import { listPresets, replacePresetText } from './presets.ts';
import { findVisualization, lockOwners, type OwnedRecord, type VisualizationRecord } from './queries.ts';
import type { PlanQueries } from './query/plan-queries.ts';

type SavedViewDeps = Pick<ServerParts, 'db' | 'now'>;

/**
 * The contract's calls about saved views. A view belongs to the account that saved it. It refers to the data that a
 * visualization shows and is listed with each of the owner's visualizations with the same root. Source:
 * docs/decisions/031.
 */
export function savedViewRoutes({ db, now }: SavedViewDeps) {
  return {
    views: {
      list: api.views.list.handler(async ({ input, context }) => {
        const record = await published(db, context, input.id);
        return (await listViews(db, personOf(context).account.id, record)).map(present);
      }),
      save: api.views.save.handler(async ({ input, context }) => {
        const record = await published(db, context, input.id);
        const name = nameIn(input.name);
        return present(allowed(await save(context, record, { name, state: input.state, at: input.at })));
      }),
      order: api.views.order.handler(async ({ input, context }) => {
        const record = await published(db, context, input.id);
        const views = await inTransaction(db, async (tx) => {
          const { requesterId, data } = await lockBoth(tx, context, record);
          const ids = (await listViews(tx, requesterId, data)).map(({ id }) => id);
          await placeViews(tx, ordered(ids, input.ids));
          return listViews(tx, requesterId, data);
        });
        return views.map(present);
      }),
      rename: api.views.rename.handler(async ({ input, context }) => {
        const view = await ownView(context, input.id);
        const name = nameIn(input.name);
        const isThere = await changesRow(db.updateTable('saved_views').set({ name }).where('id', '=', view.id));
        if (!isThere) throw notFound();
        return present({ ...view, name });
      }),
      remove: api.views.remove.handler(async ({ input, context }) => {
        const { id } = await ownView(context, input.id);
        await db.deleteFrom('saved_views').where('id', '=', id).execute();
        return { id };
      }),
    },
  };

  function save(
    context: RequestContext,
    record: OwnedRecord,
    { name, state, at }: { readonly name: string; readonly state: string; readonly at: number | undefined },
  ): Promise<Result<SavedViewRecord>> {
    return inTransaction(db, async (tx) => {
      const { requesterId, data } = await lockBoth(tx, context, record);
      const ids = (await listViews(tx, requesterId, data)).map(({ id }) => id);
      if (ids.length >= limits.maxSavedViews) return refuse('visualization/views-full', { max: limits.maxSavedViews });
      const { user_id: owner_id, root_name } = data;
      const view = {
        id: randomUUID(),
        account_id: requesterId,
        owner_id,
        root_name,
        name,
        state,
        position: ids.length,
      };
      const saved = { ...view, created_at: new Date(now()) };
      await insertView(tx, saved);
      await placeViews(tx, ids.toSpliced(at ?? ids.length, 0, view.id));
      return done(saved);
    });
  }

  async function ownView(context: RequestContext, id: string): Promise<SavedViewRecord> {
    const named = db.selectFrom('saved_views').selectAll().where('id', '=', id);
    const view = isId(id) ? await named.executeTakeFirst() : undefined;
    if (!view) throw notFound();
    allowed(can(personOf(context).account, { do: 'views/change', accountId: view.account_id }, context.builtInAdmins));
    return view;
  }
}

/**
 * Waits for its turn among requests that save views as this user, or change the visualization's owner or existence.
 *
 * @throws the refusal if either was deleted meanwhile
 */
async function lockBoth(
  tx: Queryable,
  context: RequestContext,
  record: OwnedRecord,
): Promise<{ readonly requesterId: string; readonly data: OwnedRecord }> {
  const accountId = personOf(context).account.id;
  const requesterId = (await lockOwners(tx, [accountId, record.user_id]))(accountId);
  const data = await findVisualization(tx, record.id);
  if (requesterId === undefined || !data) throw asError({ code: 'visualization/not-found' });
  return { requesterId, data };
}

function nameIn(text: string): string {
  const name = cleanViewName(text);
  if (name === '') throw asError({ code: 'visualization/view-unnamed' });
  return name;
}

const present = ({ id, name, state }: SavedViewRecord): SavedView => ({ id, name, state });
const notFound = () => asError({ code: 'visualization/view-not-found' });

type SavedViewRecord = Selectable<SavedViewRow>;
/** The data that views belong to: all data of a user under one root, whichever upload it came from. */
type ViewedData = Pick<VisualizationRecord, 'user_id' | 'root_name'>;

/** A user's saved views of some data, in their order. */
function listViews(db: Queryable, accountId: string, data: ViewedData): Promise<SavedViewRecord[]> {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('owner_id', '=', data.user_id)
    .where('root_name', '=', data.root_name)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function insertView(db: Queryable, view: SavedViewRecord): Promise<void> {
  await db.insertInto('saved_views').values(view).execute();
}

/** Orders views as their IDs are ordered in the list. */
async function placeViews(db: Queryable, ids: readonly string[]): Promise<void> {
  await sql`
    update saved_views v set position = placed.position
    from unnest(${sql.val([...ids])}::text[]) with ordinality as placed (id, position)
    where v.id = placed.id`.execute(db);
}

/** Deletes all views of data that no visualization shows any more. */
export async function dropViewsOf(db: Queryable, { user_id, root_name }: ViewedData): Promise<void> {
  await db
    .deleteFrom('saved_views')
    .where('owner_id', '=', user_id)
    .where('root_name', '=', root_name)
    .where((e) =>
      e.not(
        e.exists(
          e.selectFrom('visualizations').select('id').where('user_id', '=', user_id).where('root_name', '=', root_name),
        ),
      ),
    )
    .execute();
}

/**
 * Lets saved views of some data, and the owner's saved filters, follow branches, and the keywords in them, to their addresses
 * in a new map. Filters of others stay: they belong to a person, and may be about other data whose root has the same name.
 */
export async function moveViews(
  { movedKeywords }: Pick<PlanQueries, 'movedKeywords'>,
  tx: Tx,
  record: Pick<VisualizationRecord, 'user_id' | 'root_name' | 'pack_key'>,
  moves: readonly MovedAddress[],
): Promise<void> {
  const views = await tx
    .selectFrom('saved_views')
    .selectAll()
    .where('owner_id', '=', record.user_id)
    .where('root_name', '=', record.root_name)
    .orderBy('id')
    .forUpdate()
    .execute();
  const filters = await listPresets(tx, record.user_id, 'filter');
  const branches = new Map(moves);
  const named = new Set([
    ...views.flatMap(({ state }) => addressesIn(state)),
    ...filters.flatMap(({ text }) => branchesIn(text)),
  ]);
  const wanted = [...named].filter((address) => !branches.has(address));
  const keywords = wanted.length === 0 ? [] : await movedKeywords({ packKey: record.pack_key, moves, wanted });
  const all = new Map([...keywords, ...branches]);
  for (const { id, state } of views) {
    const now = withMoves(state, all);
    if (now !== state) await tx.updateTable('saved_views').set({ state: now }).where('id', '=', id).execute();
  }
  for (const { id, text } of filters) {
    const now = filterWithMoves(text, all);
    if (now !== text) await replacePresetText(tx, id, text, now);
  }
}

/** An address, wherever a parameter has it: it may be one of several, or part of a filter. */
const address = /(?<![0-9A-Za-z])[0-9a-f]{16}(?![0-9A-Za-z])/g;

const addressesIn = (state: string): string[] =>
  [...new URLSearchParams(state).values()].flatMap((value) => value.match(address) ?? []);

/** The state of a view with other addresses; the same text if it names none of them. */
function withMoves(state: string, moves: ReadonlyMap<string, string>): string {
  if (!addressesIn(state).some((one) => moves.has(one))) return state;
  const parameters = [...new URLSearchParams(state)].map(([name, value]): [string, string] => [
    name,
    value.replaceAll(address, (one) => moves.get(one) ?? one),
  ]);
  return new URLSearchParams(parameters).toString();
}

const branchesIn = (filter: string): readonly string[] => placesIn(readFilter(filter) ?? noFilter);

/** A filter with other branches; the same text if it names none of them. */
function filterWithMoves(text: string, moves: ReadonlyMap<string, string>): string {
  const filter = readFilter(text);
  if (!filter || !branchesIn(text).some((one) => moves.has(one))) return text;
  const moved = (addresses: readonly string[]) => addresses.map((one) => moves.get(one) ?? one);
  const areas = filter.areas.map((part) => {
    const parent = moves.get(parentIn(part.level) ?? '');
    return parent === undefined ? part : { ...part, level: `children.${parent}` as const };
  });
  return writeFilter({ ...filter, within: moved(filter.within), outside: moved(filter.outside), areas });
}
