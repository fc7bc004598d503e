import { randomUUID } from 'node:crypto';
import { readScore, writeScore } from '@kc/pack/score/score';
import { can } from '@kc/rules/access';
import type { SavedView } from '@kc/rules/saved-api';
import { cleanViewName, ordered, type SavedKind, savedKinds } from '@kc/rules/saved-view';
import { type Selectable, sql } from 'kysely';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { inTransaction, isId, type Queryable } from '../database/open.ts';
import type { PresetRow, SavedViewRow } from '../database/schema.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { published } from './access.ts';
import { findVisualization, lockOwners, type OwnedRecord, type VisualizationRecord } from './queries.ts';
import type { FilterCache } from './query/filter-cache.ts';

type Deps = Pick<ServerParts, 'db' | 'now'> & { readonly filterOf: Pick<FilterCache, 'saved'> };

/**
 * The contract's calls about what people save under names. It belongs to the account that saved it. A view refers to the data
 * that a visualization shows and is listed with each of the owner's visualizations with the same root; filters and scores
 * are for all data. Source: docs/decisions/031.
 */
export function savedRoutes(deps: Deps) {
  const filters = presetsOf(deps, 'filter', ({ id, name, text }) => ({ id, name, filter: text }));
  const scores = presetsOf(deps, 'score', ({ id, name, text }) => ({ id, name, score: text }));
  return {
    views: viewRoutes(deps),
    filterPresets: {
      list: api.filterPresets.list.handler(({ context }) => filters.list(context)),
      save: api.filterPresets.save.handler(({ input, context }) => filters.save(context, input.name, input.filter)),
      change: api.filterPresets.change.handler(({ input, context }) => filters.change(context, input, input.filter)),
      remove: api.filterPresets.remove.handler(({ input, context }) => filters.remove(context, input.id)),
    },
    scores: {
      list: api.scores.list.handler(({ context }) => scores.list(context)),
      save: api.scores.save.handler(({ input, context }) => scores.save(context, input.name, input.score)),
      change: api.scores.change.handler(({ input, context }) => scores.change(context, input, input.score)),
      remove: api.scores.remove.handler(({ input, context }) => scores.remove(context, input.id)),
    },
  };
}

const notFound = (kind: SavedKind) => asError({ code: savedKinds[kind].missing });

/** What somebody saved. @throws the refusal if there is no such row, or it belongs to somebody else */
function own<Row extends { readonly account_id: string }>(
  kind: SavedKind,
  context: RequestContext,
  row: Row | undefined,
): Row {
  if (!row) throw notFound(kind);
  const action = { do: 'saved/change', of: kind, accountId: row.account_id } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
  return row;
}

function nameIn(kind: SavedKind, text: string): string {
  const name = cleanViewName(text);
  if (name === '') throw asError({ code: savedKinds[kind].unnamed });
  return name;
}

/** @param count how many there are. @throws the refusal if one more is too many */
function demandRoom(kind: SavedKind, count: number): void {
  const { full, max } = savedKinds[kind];
  if (count >= max) throw asError({ code: full, params: { max } });
}

function viewRoutes({ db, now }: Deps) {
  const ownView = async (context: RequestContext, id: string): Promise<SavedViewRecord> => {
    const named = db.selectFrom('saved_views').selectAll().where('id', '=', id);
    return own('view', context, isId(id) ? await named.executeTakeFirst() : undefined);
  };
  return {
    list: api.views.list.handler(async ({ input, context }) => {
      const record = await published(db, context, input.id);
      return (await listViews(db, personOf(context).account.id, record)).map(asView);
    }),
    save: api.views.save.handler(async ({ input, context }) => {
      const record = await published(db, context, input.id);
      const name = nameIn('view', input.name);
      const saved = await inTransaction(db, async (tx) => {
        const { requesterId: account_id, data } = await lockBoth(tx, context, record);
        const ids = (await listViews(tx, account_id, data)).map(({ id }) => id);
        demandRoom('view', ids.length);
        const of = { account_id, owner_id: data.user_id, root_name: data.root_name, created_at: new Date(now()) };
        const view = { id: randomUUID(), ...of, name, state: input.state, position: ids.length };
        await tx.insertInto('saved_views').values(view).execute();
        await placeViews(tx, ids.toSpliced(input.at ?? ids.length, 0, view.id));
        return view;
      });
      return asView(saved);
    }),
    order: api.views.order.handler(async ({ input, context }) => {
      const record = await published(db, context, input.id);
      const views = await inTransaction(db, async (tx) => {
        const { requesterId, data } = await lockBoth(tx, context, record);
        const ids = (await listViews(tx, requesterId, data)).map(({ id }) => id);
        await placeViews(tx, ordered(ids, input.ids));
        return listViews(tx, requesterId, data);
      });
      return views.map(asView);
    }),
    rename: api.views.rename.handler(async ({ input, context }) => {
      const { id } = await ownView(context, input.id);
      const name = nameIn('view', input.name);
      const renaming = db.updateTable('saved_views').set({ name }).where('id', '=', id).returningAll();
      const renamed = await renaming.executeTakeFirst();
      if (!renamed) throw notFound('view');
      return asView(renamed);
    }),
    remove: api.views.remove.handler(async ({ input, context }) => {
      const { id } = await ownView(context, input.id);
      await db.deleteFrom('saved_views').where('id', '=', id).execute();
      return { id };
    }),
  };
}

const asView = ({ id, name, state }: SavedViewRecord): SavedView => ({ id, name, state });

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

/** @param shown a preset as the contract has it */
function presetsOf<Shown>(deps: Deps, kind: PresetKind, shown: (preset: PresetRecord) => Shown) {
  const { db, now } = deps;
  const read = kind === 'filter' ? filterIn : scoreIn;

  async function ownPreset(context: RequestContext, id: string): Promise<PresetRecord> {
    const named = db.selectFrom('presets').selectAll().where('id', '=', id).where('kind', '=', kind);
    return own(kind, context, isId(id) ? await named.executeTakeFirst() : undefined);
  }

  return {
    async list(context: RequestContext): Promise<Shown[]> {
      return (await listPresets(db, personOf(context).account.id, kind)).map(shown);
    },

    /** Waits for its turn among requests of the same account, so that two of them cannot exceed the limit. */
    async save(context: RequestContext, name: string, text: string): Promise<Shown> {
      const accountId = personOf(context).account.id;
      const values = { name: nameIn(kind, name), text: await read(text, deps) };
      const saved = await inTransaction(db, async (tx) => {
        const account_id = (await lockOwners(tx, [accountId]))(accountId);
        if (account_id === undefined) throw asError({ code: 'session/required' });
        demandRoom(kind, (await listPresets(tx, account_id, kind)).length);
        const preset = { id: randomUUID(), account_id, kind, ...values, created_at: new Date(now()) };
        await tx.insertInto('presets').values(preset).execute();
        return preset;
      });
      return shown(saved);
    },

    /** What is absent stays, also if another request, or a branch that moves, changes it meanwhile. */
    async change(
      context: RequestContext,
      { id, name }: { readonly id: string; readonly name?: string | undefined },
      text: string | undefined,
    ): Promise<Shown> {
      const preset = await ownPreset(context, id);
      const values = {
        ...(name !== undefined && { name: nameIn(kind, name) }),
        ...(text !== undefined && { text: await read(text, deps) }),
      };
      const changing = db.updateTable('presets').set(values).where('id', '=', preset.id).returningAll();
      const changed = await changing.executeTakeFirst();
      if (!changed) throw notFound(kind);
      return shown(changed);
    },

    async remove(context: RequestContext, id: string): Promise<{ id: string }> {
      const preset = await ownPreset(context, id);
      await db.deleteFrom('presets').where('id', '=', preset.id).execute();
      return { id };
    },
  };
}

/** A filter without any condition is none. */
async function filterIn(text: string, { filterOf }: Deps): Promise<string> {
  const filter = await filterOf.saved(text);
  if (filter === '') throw asError({ code: 'visualization/filter-invalid' });
  return filter;
}

function scoreIn(text: string): string {
  const score = readScore(text);
  if (!score) throw asError({ code: 'score/invalid' });
  return writeScore(score);
}

type PresetRecord = Selectable<PresetRow>;
type PresetKind = PresetRecord['kind'];

/** An account's presets of a kind in the order of their names. */
export function listPresets(db: Queryable, accountId: string, kind: PresetKind): Promise<PresetRecord[]> {
  return db
    .selectFrom('presets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** Changes the text of a preset that still has the one before. Its name may have changed meanwhile, and stays. */
export async function replacePresetText(db: Queryable, id: string, before: string, text: string): Promise<void> {
  await db.updateTable('presets').set({ text }).where('id', '=', id).where('text', '=', before).execute();
}
