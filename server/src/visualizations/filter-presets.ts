import { randomUUID } from 'node:crypto';
import { can } from '@kc/rules/access';
import type { FilterPreset } from '@kc/rules/filter-preset-api';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { cleanViewName } from '@kc/rules/saved-view';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { type Db, inTransaction } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import {
  deletePreset,
  type FilterPresetRecord,
  findPreset,
  insertPreset,
  listPresets,
  setPreset,
} from './filter-preset-queries.ts';
import { lockOwner } from './queries.ts';
import { canonicalFilter } from './query/filter-cache.ts';

/** The contract's calls about saved filters. Each person has their own, for all data. */
export function filterPresetRoutes({ db, now }: { readonly db: Db; now(): number }) {
  return {
    filterPresets: {
      list: api.filterPresets.list.handler(async ({ context }) =>
        (await listPresets(db, personOf(context).account.id)).map(present),
      ),
      save: api.filterPresets.save.handler(async ({ input, context }) => {
        const values = { name: nameIn(input.name), filter: filterIn(input.filter) };
        return present(allowed(await save(personOf(context).account.id, values)));
      }),
      change: api.filterPresets.change.handler(async ({ input, context }) => {
        const preset = await ownPreset(context, input.id);
        const values = {
          name: input.name === undefined ? preset.name : nameIn(input.name),
          filter: input.filter === undefined ? preset.filter : filterIn(input.filter),
        };
        const changed = await setPreset(db, preset.id, values);
        if (!changed) throw notFound();
        return present(changed);
      }),
      remove: api.filterPresets.remove.handler(async ({ input, context }) => {
        const { id } = await ownPreset(context, input.id);
        await deletePreset(db, id);
        return { id };
      }),
    },
  };

  /** Waits for its turn among requests of the same account, so that two of them cannot exceed the limit. */
  function save(
    accountId: string,
    values: Pick<FilterPresetRecord, 'name' | 'filter'>,
  ): Promise<Result<FilterPresetRecord>> {
    return inTransaction(db, async (tx) => {
      if ((await lockOwner(tx, accountId)) === undefined) return refuse('session/required');
      const { length } = await listPresets(tx, accountId);
      if (length >= limits.maxFilterPresets) return refuse('filter/presets-full', { max: limits.maxFilterPresets });
      const preset = { id: randomUUID(), account_id: accountId, ...values, created_at: new Date(now()) };
      await insertPreset(tx, preset);
      return done(preset);
    });
  }

  async function ownPreset(context: RequestContext, id: string): Promise<FilterPresetRecord> {
    const preset = await findPreset(db, id);
    if (!preset) throw notFound();
    const action = { do: 'filter-presets/change', accountId: preset.account_id } as const;
    allowed(can(personOf(context).account, action, context.builtInAdmins));
    return preset;
  }
}

function nameIn(text: string): string {
  const name = cleanViewName(text);
  if (name === '') throw asError({ code: 'filter/preset-unnamed' });
  return name;
}

/** In canonical form. A filter without any condition is none. */
function filterIn(text: string): string {
  const filter = canonicalFilter(text);
  if (filter === '') throw asError({ code: 'visualization/filter-invalid' });
  return filter;
}

const present = ({ id, name, filter }: FilterPresetRecord): FilterPreset => ({ id, name, filter });
const notFound = () => asError({ code: 'filter/preset-not-found' });
