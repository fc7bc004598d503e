import type { TestServer } from './server.ts';

/** A valid request body to save settings: changed values with the current version. */
export async function changedSettings({ server }: { readonly server: TestServer }) {
  const row = await server.database.db.selectFrom('settings').selectAll().executeTakeFirstOrThrow();
  const settings = {
    defaultDepth: row.default_depth === '1' ? '3' : '1',
    autoExpand: true,
    openRegistration: true,
    autoApprove: false,
    darkMode: false,
    dataRefreshInterval: '30',
    userImports: false,
    maxUserVisualizations: 5,
    maxUserImportMb: 100,
    clientLinks: false,
  };
  return { version: row.version, settings, enforce: false };
}
