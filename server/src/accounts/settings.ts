import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import {
  changedSettings,
  type SavedSettings,
  type SettingsChange,
  saveSettings,
  screenSettings,
} from '@kc/rules/settings';
import { type Selectable, sql } from 'kysely';
import type { SettingsRow } from '../database/account-tables.ts';
import { type AuditLine, audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { batchLoader, inTransaction, isId, type Queryable, type Tx } from '../database/open.ts';
import { allowed } from '../http/refusals.ts';
import { listActivity } from './activity.ts';
import { wasDeleted } from './delete-account.ts';
import type { AccountDeps } from './deps.ts';
import { actingAdmin } from './may-do.ts';
import { api, personOf } from './require.ts';

export async function readSettings(db: Queryable): Promise<SavedSettings> {
  return toSettings(await db.selectFrom('settings').selectAll().executeTakeFirstOrThrow());
}

/** Like {@link readSettings}; nobody else can save settings until the transaction ends. */
export async function holdSettings(tx: Tx): Promise<SavedSettings> {
  return toSettings(await tx.selectFrom('settings').selectAll().forShare().executeTakeFirstOrThrow());
}

/**
 * Applies rule and change and writes the audit line and notification in one transaction. If two administrators save at
 * the same time, the second has not seen the first one's settings, and is refused.
 */
export function changeSettings(
  deps: AccountDeps,
  actor: string,
  change: SettingsChange,
): Promise<Result<SavedSettings>> {
  return inTransaction(deps.db, async (tx) => {
    const acting = await actingAdmin(tx, deps, actor);
    if (!acting.ok) return acting;
    const row = await tx.selectFrom('settings').selectAll().forUpdate().executeTakeFirstOrThrow();
    const before = toSettings(row);
    const answer = saveSettings(before, change);
    if (!answer.ok || answer.value.version === before.version) return answer;
    await tx.updateTable('settings').set(toRow(answer.value)).execute();
    const details = changesBetween(before, answer.value);
    await audit(tx, { actor, action: 'settings', target: 'settings', details }, deps.now());
    await notify(tx, { about: 'settings' });
    deps.log.info({ event: 'settings', actor, ...details }, 'Changed the settings');
    return answer;
  });
}

function changesBetween(before: SavedSettings, after: SavedSettings): NonNullable<AuditLine['details']> {
  const changes = changedSettings(before.settings, after.settings).map((name) => [
    name,
    `${before.settings[name]} → ${after.settings[name]}`,
  ]);
  const enforced = after.policyEnforced && !before.policyEnforced;
  return { ...Object.fromEntries(changes), ...(enforced ? { policyEnforced: true } : {}) };
}

function toSettings(row: Selectable<SettingsRow>): SavedSettings {
  return {
    version: row.version,
    settings: {
      defaultDepth: row.default_depth,
      autoExpand: row.auto_expand,
      openRegistration: row.open_registration,
      autoApprove: row.auto_approve,
      darkMode: row.dark_mode,
      dataRefreshInterval: row.data_refresh_interval,
      userImports: row.user_imports,
      maxUserVisualizations: row.max_user_visualizations,
      maxUserImportMb: row.max_user_import_mb,
      clientLinks: row.client_links,
    },
    themeChosen: row.theme_chosen,
    policyEnforced: row.policy_enforced,
  };
}

function toRow({ version, settings, themeChosen, policyEnforced }: SavedSettings): SettingsRow {
  return {
    version,
    default_depth: settings.defaultDepth,
    auto_expand: settings.autoExpand,
    open_registration: settings.openRegistration,
    auto_approve: settings.autoApprove,
    dark_mode: settings.darkMode,
    data_refresh_interval: settings.dataRefreshInterval,
    user_imports: settings.userImports,
    max_user_visualizations: settings.maxUserVisualizations,
    max_user_import_mb: settings.maxUserImportMb,
    client_links: settings.clientLinks,
    theme_chosen: themeChosen,
    policy_enforced: policyEnforced,
  };
}

/**
 * Removes the emails of a deleted user from the audit log, and from deliveries to webhooks. The lines keep only the
 * ID, and a new line records who did this. A second run changes nothing and adds no line.
 *
 * Refusals: those of {@link actingAdmin}; `account/not-found` if no deleted account had this ID.
 *
 * Source: docs/decisions/044-emails-of-deleted-accounts.md
 *
 * @returns the number of lines changed
 */
function forgetDeleted(
  deps: Pick<AccountDeps, 'config' | 'db' | 'log' | 'now'>,
  actorId: string,
  accountId: string,
): Promise<Result<number>> {
  return inTransaction(deps.db, async (tx): Promise<Result<number>> => {
    const actor = await actingAdmin(tx, deps, actorId);
    if (!actor.ok) return actor;
    if (!isId(accountId) || !(await wasDeleted(tx, accountId))) return refuse('account/not-found');
    // Deliveries to webhooks name people, too.
    await sql`delete from webhook_deliveries where strpos(data::text, ${accountId}) > 0`.execute(tx);
    const { rows } = await sql<{ lines: number }>`select forget_deleted(${accountId}) as lines`.execute(tx);
    const lines = Number(rows[0]?.lines);
    if (lines === 0) return done(0);
    await audit(tx, { actor: actorId, action: 'forget', target: accountId, details: { lines } }, deps.now());
    deps.log.info({ event: 'forget', actor: actorId, account: accountId, lines }, 'Removed a deleted email');
    return done(lines);
  });
}

/** The contract's calls about the settings and the audit log. */
export function settingsRoutes(deps: AccountDeps) {
  const { db } = deps;
  const readNow = batchLoader(async (requests: readonly 'screen'[]) => {
    const settings = await readSettings(db);
    return requests.map(() => settings);
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
