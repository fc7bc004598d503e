/**
 * Who may import whom, as data. A place is a folder or a file without its ending; the longest place that holds a file
 * decides. A place always reaches into itself and into nothing that is not listed. `npm:name` is a package, `npm:*` any,
 * `node:*` any builtin. Test files are exempt.
 *
 * Read it as the architecture: `ARCHITECTURE.md` says why each line is so.
 */
export const importMap: Readonly<Record<string, readonly string[]>> = {
  'rules/src': ['npm:zod', 'npm:@orpc/contract'],

  'pack/src': [],
  'pack/src/arrow': ['pack/src', 'npm:apache-arrow'],
  'pack/src/testing-tables': ['pack/src', 'npm:fast-check'],

  'server/src': ['rules/src', 'pack/src', 'npm:*', 'node:*'],
  'server/src/config': [
    'server/src/variables',
    'server/src/log',
    'server/src/accounts/password-strength',
    'rules/src',
    'node:*',
  ],
  'server/src/variables': [],
  'server/src/log': ['npm:pino', 'node:*'],
  'server/src/database': ['server/src/log', 'rules/src', 'npm:*', 'node:*'],
  'server/src/storage': ['server/src/log', 'pack/src/byte-source', 'npm:*', 'node:*'],
  'server/src/jobs': ['server/src/log', 'server/src/database', 'npm:*', 'node:*'],
  'server/src/http': [
    'server/src/log',
    'server/src/config',
    'server/src/database/open',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/mail': ['server/src/log', 'server/src/config', 'rules/src', 'npm:*', 'node:*'],
  'server/src/accounts': [
    'server/src/log',
    'server/src/config',
    'server/src/mail',
    'server/src/http',
    'server/src/jobs',
    'server/src/database',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/avatars': [
    'server/src/log',
    'server/src/config',
    'server/src/http',
    'server/src/jobs',
    'server/src/database',
    'server/src/accounts/require',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/account-machine': [
    'server/src/log',
    'server/src/mail',
    'server/src/accounts',
    'server/src/testing-server',
    'server/src/testing-proof',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/visualizations': [
    'server/src/log',
    'server/src/config',
    'server/src/http',
    'server/src/jobs',
    'server/src/database',
    'server/src/storage',
    'server/src/accounts/require',
    'rules/src',
    'pack/src',
    'npm:*',
    'node:*',
  ],

  'web/src': ['rules/src', 'npm:*'],
  'web/src/ui': ['npm:*'],
  'web/src/api': ['rules/src', 'pack/src/slice', 'pack/src/slice-wire', 'npm:*'],
  'web/src/session': ['rules/src', 'web/src/api', 'npm:*'],
  'web/src/frame': ['rules/src', 'web/src/ui', 'web/src/api', 'web/src/session', 'npm:*'],
  'web/src/screens': ['rules/src', 'web/src/ui', 'web/src/api', 'web/src/session', 'web/src/trusted-worker', 'npm:*'],
  'web/src/screens/admin': [
    'rules/src',
    'pack/src/upload-reader',
    'web/src/ui',
    'web/src/api',
    'web/src/session',
    'web/src/trusted-worker',
    'npm:*',
  ],
  'web/src/screens/visualization': [
    'rules/src',
    'web/src/ui',
    'web/src/api',
    'web/src/session',
    'web/src/explore',
    'npm:*',
  ],
  'web/src/explore': ['rules/src', 'pack/src/slice', 'web/src/ui', 'npm:*'],
  'web/src/explore/store': ['rules/src', 'pack/src/slice', 'pack/src/slice-wire', 'web/src/api', 'npm:*'],
  'web/src/explore/store/held-tree': [
    'pack/src/slice',
    'web/src/explore/store/columns',
    'web/src/explore/store/index-children',
  ],
  'web/src/explore/store/index-children': ['pack/src/slice', 'web/src/explore/store/columns'],
  'web/src/explore/layouts': ['pack/src/slice', 'web/src/explore/store/held-tree', 'npm:d3-hierarchy'],
  'web/src/explore/draw': ['pack/src/slice', 'web/src/explore/store/held-tree', 'web/src/explore/layouts'],
};

/** Imports that the map refuses and the house lives with for now, each with its reason. The list only gets shorter. */
export const exceptions: readonly { readonly from: string; readonly to: string; readonly why: string }[] = [];
