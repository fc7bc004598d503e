import { randomUUID } from 'node:crypto';
import { readScore, writeScore } from '@kc/pack/score/score';
import { can } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import type { MessageCode } from '@kc/rules/messages';
import { done, type Result, refuse } from '@kc/rules/result';
import { cleanViewName } from '@kc/rules/saved-view';
import type { Selectable } from 'kysely';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { inTransaction, isId, type Queryable } from '../database/open.ts';
import type { PresetRow } from '../database/schema.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { lockOwners } from './queries.ts';
import type { FilterCache } from './query/filter-cache.ts';

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
