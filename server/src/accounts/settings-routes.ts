import { limits } from '@kc/rules/limits';
import { screenSettings } from '@kc/rules/settings';
import { batchLoader } from '../database/open.ts';
import { allowed } from '../http/refusals.ts';
import { listActivity } from './activity.ts';
import type { AccountDeps } from './deps.ts';
import { api, personOf } from './require.ts';
import { changeSettings, forgetDeleted, readSettings } from './settings.ts';

/** The contract's calls about the settings and the audit log. */
export function settingsRoutes(deps: AccountDeps) {
  const { db } = deps;
  const readNow = batchLoader(async (askers: readonly 'screen'[]) => {
    const settings = await readSettings(db);
    return askers.map(() => settings);
  });
  return {
    settings: {
      get: api.settings.get.handler(() => readSettings(db)),
      save: api.settings.save.handler(async ({ input, context }) =>
        allowed(await changeSettings(deps, personOf(context).account.id, input)),
      ),
      screen: api.settings.screen.handler(async () => screenSettings(await readNow('screen'))),
    },
    activity: {
      forget: api.activity.forget.handler(async ({ input, context }) => ({
        lines: allowed(await forgetDeleted(deps, personOf(context).account.id, input.id)),
      })),
      list: api.activity.list.handler(async ({ input }) => {
        const { before, ...filter } = input;
        const lines = await listActivity(db, filter, { before }, limits.activityPageLines + 1);
        const page = lines.slice(0, limits.activityPageLines);
        const next = lines.length > page.length ? page.at(-1)?.id : undefined;
        return { lines: page, ...(next === undefined ? {} : { next }) };
      }),
    },
  };
}
