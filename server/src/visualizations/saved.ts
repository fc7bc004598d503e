import { randomUUID } from 'node:crypto';
import { readScore, writeScore } from '@kc/pack/score/score';
import { can } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import type { MessageCode } from '@kc/rules/messages';
import { done, type Result, refuse } from '@kc/rules/result';
import type { SavedView } from '@kc/rules/saved-api';
import { cleanViewName, ordered } from '@kc/rules/saved-view';
import { type Selectable, sql } from 'kysely';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { changesRow, inTransaction, isId, type Queryable } from '../database/open.ts';
import type { PresetRow, SavedViewRow } from '../database/schema.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { published } from './access.ts';
import { findVisualization, lockOwners, type OwnedRecord, type VisualizationRecord } from './queries.ts';
import type { FilterCache } from './query/filter-cache.ts';

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

type Deps = Pick<ServerParts, 'db' | 'now'> & { readonly filterOf: Pick<FilterCache, 'saved'> };

/** The contract's calls about saved filters and scores. Each person has their own, for all data. */
export function presetRoutes(deps: Deps) {
  const filters = presetsOf(deps, 'filter');
  const scores = presetsOf(deps, 'score');
  const asFilter = ({ id, name, text }: PresetRecord) => ({ id, name, filter: text });
  const asScore = ({ id, name, text }: PresetRecord) => ({ id, name, score: text });
  return {
    filterPresets: {
      list: api.filterPresets.list.handler(async ({ context }) => (await filters.list(context)).map(asFilter)),
      save: api.filterPresets.save.handler(async ({ input, context }) =>
        asFilter(await filters.save(context, input.name, input.filter)),
      ),
      change: api.filterPresets.change.handler(async ({ input, context }) =>
        asFilter(await filters.change(context, input.id, { name: input.name, text: input.filter })),
      ),
      remove: api.filterPresets.remove.handler(({ input, context }) => filters.remove(context, input.id)),
    },
    scores: {
      list: api.scores.list.handler(async ({ context }) => (await scores.list(context)).map(asScore)),
      save: api.scores.save.handler(async ({ input, context }) =>
        asScore(await scores.save(context, input.name, input.score)),
      ),
      change: api.scores.change.handler(async ({ input, context }) =>
        asScore(await scores.change(context, input.id, { name: input.name, text: input.score })),
      ),
      remove: api.scores.remove.handler(({ input, context }) => scores.remove(context, input.id)),
    },
  };
}

type Rules = {
  readonly action: 'filter-presets/change' | 'scores/change';
  readonly missing: MessageCode;
  readonly unnamed: MessageCode;
  readonly full: MessageCode;
  /** The canonical text, never empty. @throws the refusal of what cannot be read */
  readonly read: (text: string, deps: Deps) => Promise<string> | string;
};

const rules: Readonly<Record<PresetKind, Rules>> = {
  filter: {
    action: 'filter-presets/change',
    missing: 'filter/preset-not-found',
    unnamed: 'filter/preset-unnamed',
    full: 'filter/presets-full',
    read: filterIn,
  },
  score: {
    action: 'scores/change',
    missing: 'score/not-found',
    unnamed: 'score/unnamed',
    full: 'score/full',
    read: scoreIn,
  },
};

function presetsOf(deps: Deps, kind: PresetKind) {
  const { db, now } = deps;
  const { action, missing, unnamed, full, read } = rules[kind];
  const notFound = () => asError({ code: missing });

  async function own(context: RequestContext, id: string): Promise<PresetRecord> {
    const named = db.selectFrom('presets').selectAll().where('id', '=', id).where('kind', '=', kind);
    const preset = isId(id) ? await named.executeTakeFirst() : undefined;
    if (!preset) throw notFound();
    allowed(can(personOf(context).account, { do: action, accountId: preset.account_id }, context.builtInAdmins));
    return preset;
  }

  function nameIn(text: string): string {
    const name = cleanViewName(text);
    if (name === '') throw asError({ code: unnamed });
    return name;
  }

  return {
    list: (context: RequestContext) => listPresets(db, personOf(context).account.id, kind),

    /** Waits for its turn among requests of the same account, so that two of them cannot exceed the limit. */
    async save(context: RequestContext, name: string, text: string): Promise<PresetRecord> {
      const accountId = personOf(context).account.id;
      const values = { name: nameIn(name), text: await read(text, deps) };
      const saved = await inTransaction(db, async (tx): Promise<Result<PresetRecord>> => {
        if ((await lockOwners(tx, [accountId]))(accountId) === undefined) return refuse('session/required');
        const { length } = await listPresets(tx, accountId, kind);
        if (length >= limits.maxPresets) return refuse(full, { max: limits.maxPresets });
        const preset = { id: randomUUID(), account_id: accountId, kind, ...values, created_at: new Date(now()) };
        await insertPreset(tx, preset);
        return done(preset);
      });
      return allowed(saved);
    },

    /** What is absent stays, also if another request, or a branch that moves, changes it meanwhile. */
    async change(
      context: RequestContext,
      id: string,
      { name, text }: { readonly name: string | undefined; readonly text: string | undefined },
    ): Promise<PresetRecord> {
      const preset = await own(context, id);
      const values = {
        ...(name !== undefined && { name: nameIn(name) }),
        ...(text !== undefined && { text: await read(text, deps) }),
      };
      const changing = db.updateTable('presets').set(values).where('id', '=', preset.id).returningAll();
      const changed = await changing.executeTakeFirst();
      if (!changed) throw notFound();
      return changed;
    },

    async remove(context: RequestContext, id: string): Promise<{ id: string }> {
      const preset = await own(context, id);
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

export async function insertPreset(db: Queryable, preset: PresetRecord): Promise<void> {
  await db.insertInto('presets').values(preset).execute();
}

/** Changes the text of a preset that still has the one before. Its name may have changed meanwhile, and stays. */
export async function replacePresetText(db: Queryable, id: string, before: string, text: string): Promise<void> {
  await db.updateTable('presets').set({ text }).where('id', '=', id).where('text', '=', before).execute();
}
