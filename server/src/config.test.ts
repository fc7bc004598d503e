import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, readEnvironment } from './config.ts';
import { secretVariables, variables } from './variables.ts';

const read = (environment: Record<string, string>) => readConfig(environment, '/srv/kc');

// Shows P19.1.
test('without settings the server listens on the loopback and uses its own services', () => {
  const config = read({});
  expect(config).toMatchObject({
    production: false,
    host: '127.0.0.1',
    port: 3000,
    dataDir: '/srv/kc/data',
    databaseUrl: undefined,
    storage: { kind: 'disk' },
    adminEmails: ['admin@example.com'],
    sample: true,
    google: undefined,
    logLevel: 'INFO',
    slowRequestMs: 1_000,
    role: 'all',
    metricsPort: undefined,
    diskAlarmBytes: 2 * 1024 ** 3,
    avatarLookup: false,
    trustedProxies: [],
    strictEnumeration: false,
    secureCookies: false,
    secureContext: true,
    hstsSubdomains: false,
    dbOsUser: 'nobody',
    postgresBin: undefined,
  });
  expect([...config.ownOrigins]).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']);
});

/** An invalid value for each variable that can be invalid. */
const wrong: [string, Record<string, string>][] = [
  ['NODE_ENV', { NODE_ENV: 'staging' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '3e3' }],
  ['BASE_URL', { BASE_URL: 'example.com' }],
  ['BASE_URL', { BASE_URL: 'https://example.com/app' }],
  ['BASE_URL', { BASE_URL: 'http://example.com' }],
  ['BASE_URL', { NODE_ENV: 'production' }],
  ['ALLOW_HTTP', { ALLOW_HTTP: 'perhaps' }],
  ['HSTS_SUBDOMAINS', { BASE_URL: 'https://kc.example.com', HSTS_SUBDOMAINS: 'some' }],
  ['HSTS_SUBDOMAINS', { HSTS_SUBDOMAINS: 'on' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://db' }],
  ['STORAGE_URL', { STORAGE_URL: 'file:///tmp' }],
  ['ADMIN_EMAILS', { ADMIN_EMAILS: 'admin@example.com, nobody' }],
  ['ADMIN_EMAILS', { ADMIN_EMAILS: ',' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'short-one' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'password123456' }],
  ['SAMPLE', { SAMPLE: 'maybe' }],
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'id' }],
  ['GOOGLE_CLIENT_ID', { GOOGLE_CLIENT_SECRET: 'secret' }],
  ['GOOGLE_ISSUER', { GOOGLE_ISSUER: 'http://issuer.example.com' }],
  ['OIDC_TRUSTED_DOMAINS', { OIDC_TRUSTED_DOMAINS: 'no domain' }],
  ['OIDC_NAME', { OIDC_NAME: 'Our Google' }],
  ['OIDC_NAME', { GOOGLE_ISSUER: 'https://id.example.com', OIDC_NAME: 'x'.repeat(41) }],
  ['SMTP_URL', { SMTP_URL: 'mail.example.com' }],
  ['MAIL_FROM', { MAIL_FROM: 'me' }],
  ['SUPPORT_EMAIL', { SUPPORT_EMAIL: 'help' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'info' }],
  ['AWS_ACCESS_KEY_ID', { STORAGE_URL: 's3://maps', AWS_SECRET_ACCESS_KEY: 'secret' }],
  ['AWS_SECRET_ACCESS_KEY', { STORAGE_URL: 's3://maps', AWS_ACCESS_KEY_ID: 'id' }],
  ['PACK_CACHE', { STORAGE_URL: 's3://maps', AWS_ACCESS_KEY_ID: 'i', AWS_SECRET_ACCESS_KEY: 's', PACK_CACHE: 'all' }],
  ['ADOPT_STORAGE', { ADOPT_STORAGE: 'yes' }],
  ['SWEEP_AT_MOST', { SWEEP_AT_MOST: 'all' }],
  ['ROLE', { ROLE: 'both' }],
  ['ROLE', { ROLE: 'ingest' }],
  ['INGEST_MEMORY', { INGEST_MEMORY: 'lots' }],
  ['VECTOR_CACHE', { VECTOR_CACHE: 'none' }],
  ['METRICS_PORT', { METRICS_PORT: '0' }],
  ['ACTIVITY_DAYS', { ACTIVITY_DAYS: '29' }],
  ['ACTIVITY_LOG', { ACTIVITY_LOG: 'on', LOG_LEVEL: 'WARN' }],
  ['BACKUP_AT', { BACKUP_AT: '3:00' }],
  ['BACKUP_AT', { BACKUP_DIR: '/backups', BACKUP_AT: '24:00' }],
  ['BACKUP_KEEP', { BACKUP_KEEP: '0' }],
  ['BACKUP_DIR', { DATA_DIR: '/data', BACKUP_DIR: '/data/backups' }],
  ['IMPORT_DIR', { DATA_DIR: '/data', IMPORT_DIR: '/data/lists' }],
  ['DISK_ALARM', { DISK_ALARM: '5 %' }],
  ['SLOW_REQUEST', { SLOW_REQUEST: '1 s' }],
  ['AVATAR_LOOKUP', { AVATAR_LOOKUP: 'gravatar' }],
  ['WEBHOOK_ALLOW', { WEBHOOK_ALLOW: 'hooks.internal, https://n8n.internal' }],
  ['WEBHOOK_ALLOW', { WEBHOOK_ALLOW: 'hooks.internal:8080' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'load-balancer' }],
  ['ENUMERATION_PROTECTION', { ENUMERATION_PROTECTION: 'none' }],
  ['SECRET', { SECRET: 'too short' }],
  ['SECRET', { NODE_ENV: 'production', BASE_URL: 'https://kc.example.com', DATABASE_URL: 'postgres://kc@db/kc' }],
];

test.each(wrong)('an error names %s for %j', (variable, environment) => {
  expect(() => read(environment)).toThrow(ConfigError);
  expect(() => read(environment)).toThrow(new RegExp(`^${variable} `));
});

test('every variable that can be invalid is tested here', () => {
  // The server looks into the folder of the model when it starts.
  const text = ['HOST', 'DATA_DIR', 'DB_OS_USER', 'POSTGRES_BIN', 'AWS_SESSION_TOKEN', 'AWS_REGION'];
  const groups = ['OIDC_GROUPS_CLAIM', 'OIDC_ADMIN_GROUPS', 'OIDC_USER_GROUPS'];
  const free = [...text, ...groups, 'CLUSTER_MODEL_DIR'];
  const tried = new Set([...wrong.map(([variable]) => variable), ...free]);
  expect([...tried].sort()).toEqual(variables.toSorted());
});

test('an error about an amount says where off is possible, too', () => {
  const why = (environment: Record<string, string>) => expect(() => read(environment));
  why({ SLOW_REQUEST: 'no' }).toThrow('SLOW_REQUEST must be a whole number from 1 to 3600000, or off; it is "no"');
  why({ VECTOR_CACHE: 'no' }).toThrow(/^VECTOR_CACHE must be .* like 2048 MiB or 2 GiB, or off; it is "no"$/);
  why({ DISK_ALARM: 'no' }).toThrow(/ 2 GiB; it is "no"$/);
});

test('a folder of backups that is a file is refused', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'kc-backups-')), 'file');
  expect(read({ BACKUP_DIR: file }).backups).toMatchObject({ folder: file });
  writeFileSync(file, '');
  expect(() => read({ BACKUP_DIR: file })).toThrow(`BACKUP_DIR names ${file}, which is a file: name a folder`);
});

test('an error never contains a URL that may include a password', () => {
  expect(() => read({ DATABASE_URL: 'mysql://me:hunter2@db' })).not.toThrow(/hunter2/);
  expect(() => read({ ADMIN_PASSWORD: 'hunter2' })).not.toThrow(/hunter2/);
});

test('production runs without the sample and on https', () => {
  const config = read({ NODE_ENV: 'production', BASE_URL: 'https://kc.example.com' });
  expect(config).toMatchObject({ production: true, sample: false, secureCookies: true, hstsSubdomains: false });
  expect(read({ BASE_URL: 'https://kc.example.com', HSTS_SUBDOMAINS: 'on' }).hstsSubdomains).toBe(true);
  expect([...config.ownOrigins]).toEqual(['https://kc.example.com']);
});

test('SEC-08 cookies are Secure over https only; plain http requires ALLOW_HTTP except on the loopback', () => {
  const told = (environment: Record<string, string>) => {
    const { secureCookies, secureContext } = read(environment);
    return { secureCookies, secureContext };
  };
  expect(told({ BASE_URL: 'http://kc.lan:3000', ALLOW_HTTP: '1' })).toEqual({
    secureCookies: false,
    secureContext: false,
  });
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    expect(told({ BASE_URL: `http://${host}:3000` })).toEqual({ secureCookies: false, secureContext: true });
    expect(told({ BASE_URL: `https://${host}:3000` })).toEqual({ secureCookies: true, secureContext: true });
  }
});

test('amounts of memory are parsed with their unit', () => {
  expect(read({ INGEST_MEMORY: '2 GiB' }).ingestMemoryBytes).toBe(2 * 1024 ** 3);
  expect(read({ INGEST_MEMORY: '512' }).ingestMemoryBytes).toBe(512 * 1024 ** 2);
  expect(read({}).vectorCacheBytes).toBe(2 * 1024 ** 3);
  expect(read({ VECTOR_CACHE: '512 MiB' }).vectorCacheBytes).toBe(512 * 1024 ** 2);
  expect(read({ VECTOR_CACHE: 'off' }).vectorCacheBytes).toBe(0);
});

test('an .env file is read, and the environment takes precedence over it', () => {
  const root = mkdtempSync(join(tmpdir(), 'kc-env-'));
  writeFileSync(join(root, '.env'), 'PORT=4000\nHOST=0.0.0.0\n');
  expect(readEnvironment(root, { PORT: '5000' })).toEqual({ PORT: '5000', HOST: '0.0.0.0' });
});

test.each(secretVariables)('%s can be in a file, whose name and line end are no part of it', (name) => {
  const root = mkdtempSync(join(tmpdir(), 'kc-secrets-'));
  writeFileSync(join(root, 'secret.txt'), ' correct horse\n');
  expect(readEnvironment(root, { [`${name}_FILE`]: join(root, 'secret.txt'), PORT: '5000' })).toEqual({
    [name]: 'correct horse',
    PORT: '5000',
  });
  expect(readEnvironment(root, { [`${name}_FILE`]: 'secret.txt' })).toEqual({ [name]: 'correct horse' });
  // As compose files pass a variable on that nobody has set.
  expect(readEnvironment(root, { [`${name}_FILE`]: '', [name]: 'direct' })).toEqual({ [name]: 'direct' });
});

test('a secret in a file that cannot be read, that is empty, or that is given twice is said, and not repeated', () => {
  const root = mkdtempSync(join(tmpdir(), 'kc-secrets-'));
  writeFileSync(join(root, 'empty'), '\n');
  writeFileSync(join(root, 'full'), 'canary');
  const why = (environment: Record<string, string>): string => {
    try {
      readEnvironment(root, environment);
      return '';
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return (error as Error).message;
    }
  };
  expect(why({ SECRET_FILE: 'missing' })).toBe(
    `SECRET_FILE names ${root}/missing, which this user cannot read: ENOENT`,
  );
  expect(why({ SECRET_FILE: '.' })).toBe(`SECRET_FILE names ${root}, which this user cannot read: EISDIR`);
  expect(why({ SECRET_FILE: 'empty' })).toBe(`SECRET_FILE names ${root}/empty, which is empty`);
  expect(why({ SMTP_URL_FILE: 'full', SMTP_URL: 'canary' })).toBe(
    'SMTP_URL_FILE is set, and so is SMTP_URL: set one of them',
  );
  writeFileSync(join(root, '.env'), 'SECRET=canary');
  expect(why({ SECRET_FILE: 'full' })).toBe('SECRET_FILE is set, and so is SECRET: set one of them');
});

test('files are in DATA_DIR, or in the bucket of STORAGE_URL', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'me', AWS_SECRET_ACCESS_KEY: 'canary' };
  expect(read({ DATA_DIR: '/data' }).storage).toEqual({ kind: 'disk', directory: '/data/files' });
  const url = 's3://maps/team/a/?endpoint=http://127.0.0.1:9000&region=eu-1';
  expect(read({ ...keys, STORAGE_URL: url, DATA_DIR: '/data', PACK_CACHE: '1 GiB' }).storage).toEqual({
    kind: 's3',
    bucket: 'maps',
    prefix: 'team/a/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-1',
    credentials: { accessKeyId: 'me', secretAccessKey: 'canary' },
    folder: '/data/cache/s3',
    cacheBytes: 1024 ** 3,
  });
  expect(read({ ...keys, STORAGE_URL: 's3://maps', AWS_REGION: 'us-2' }).storage).toMatchObject({
    prefix: '',
    region: 'us-2',
  });
  for (const wrong of ['s3://maps?bucket=x', 's3://maps?endpoint=127.0.0.1:9000', 's3:///maps'])
    expect(() => read({ ...keys, STORAGE_URL: wrong })).toThrow(/^STORAGE_URL /);
});

test('backups are made at 03:00 UTC and seven are kept, unless something else is said', () => {
  expect(read({}).backups).toBeUndefined();
  expect(read({ BACKUP_DIR: '/backups' }).backups).toEqual({ folder: '/backups', atMinute: 180, keep: 7 });
  const other = { BACKUP_DIR: 'backups', BACKUP_AT: '22:30', BACKUP_KEEP: '30' };
  expect(read(other).backups).toEqual({ folder: '/srv/kc/backups', atMinute: 1350, keep: 30 });
});

test('hosts of webhooks are compared as URLs write them', () => {
  const { webhookHosts } = read({ WEBHOOK_ALLOW: 'N8N.internal, 10.0.0.5, ::1, 0x7f.1' });
  expect([...webhookHosts]).toEqual(['n8n.internal', '10.0.0.5', '[::1]', '127.0.0.1']);
});

test('groups of an identity provider have rights here only if they are named', () => {
  expect(read({ OIDC_GROUPS_CLAIM: 'roles' }).groupRoles).toBeUndefined();
  expect(read({ OIDC_ADMIN_GROUPS: 'seo-leads, it' }).groupRoles).toEqual({
    claim: 'groups',
    admins: ['seo-leads', 'it'],
    users: [],
  });
  const issuer = { GOOGLE_ISSUER: 'https://id.example.com', OIDC_NAME: 'Acme ID' };
  expect([read({}).providerName, read(issuer).providerName]).toEqual([undefined, 'Acme ID']);
});
