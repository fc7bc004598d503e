import type { TestServer } from './server.ts';

/** A save that an admin could make now: settings that are not the stored ones, by their version. */
export async function changedSettings({ server }: { readonly server: TestServer }) {
  const row = await server.database.db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  const settings = {
    defaultDepth: row.default_depth === '1' ? '3' : '1',
    autoExpand: true,
    openRegistration: true,
    autoApprove: false,
    darkMode: false,
    dataRefreshInterval: '30',
  };
  return { version: row.version, settings, enforce: false };
}
