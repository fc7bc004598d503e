import { expect, test } from 'vitest';
import { nearMisses } from './config.ts';
import { variables } from './variables.ts';

const meantBy = (name: string) => /mean (\w+)\?/.exec(nearMisses({ [name]: 'secret-value' })[0] ?? '')?.[1];

test.each([
  ['BASE_ULR', 'BASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['ADMIN_EMAIL', 'ADMIN_EMAILS'],
  ['admin_password', 'ADMIN_PASSWORD'],
  ['STORAGE-URL', 'STORAGE_URL'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['SMTP_URI', 'SMTP_URL'],
  ['METRIC_PORT', 'METRICS_PORT'],
  ['SECRET_FLIE', 'SECRET_FILE'],
])('%s is taken for a misspelled %s', (written, meant) => {
  expect(meantBy(written)).toBe(meant);
});

test('a sentence names the variable and not its value', () => {
  expect(nearMisses({ BASE_ULR: 'secret-value' })).toEqual([
    'BASE_ULR is set, but there is no such variable. Did you mean BASE_URL?',
  ]);
});

test('variables of the product and of other programs are no near misses', () => {
  const environment = Object.fromEntries(variables.map((name) => [name, 'x']));
  const others = [
    'HOME',
    'HOSTNAME',
    'SSL_CERT_FILE',
    'PATH',
    'LANG',
    'SHELL',
    'USER',
    'TERM',
    'PWD',
    'LOGNAME',
    'MAIL',
    'EDITOR',
    'TZ',
  ];
  const tools = [
    'PGHOST',
    'PGPORT',
    'PGUSER',
    'PGPASSWORD',
    'NODE_OPTIONS',
    'NODE_PATH',
    'AWS_REGION',
    'SSH_AUTH_SOCK',
  ];
  for (const name of [...others, ...tools, 'DEBIAN_FRONTEND', 'XDG_DATA_DIRS', 'npm_config_cache', 'INIT_CWD', 'CI'])
    environment[name] = 'x';
  expect(nearMisses(environment)).toEqual([]);
});
