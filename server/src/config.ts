import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { nearName } from '@kc/pack/formula/near-name';
import { canonicalEmail } from '@kc/rules/account';
import type { GroupRoles } from '@kc/rules/group-roles';
import { googleIssuer } from '@kc/rules/identity';
import { checkAdminPassword, checkEmail } from '@kc/rules/sign-in';
import { isWeak } from './accounts/passwords.ts';
import type { Schedule } from './backup/scheduled-backups.ts';
import { inNetworks } from './http/network.ts';
import type { StoragePlace } from './storage/storage.ts';
import { secretVariables, type Variable, variables } from './variables.ts';
import { memoryLimit } from './worker-process.ts';

/** A variable with an invalid value. The message names it and says what would be valid. */
export class ConfigError extends Error {
  readonly variable: string;
  constructor(variable: string, why: string) {
    super(`${variable} ${why}`);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The complete configuration, validated. */
export type Config = ReturnType<typeof readConfig>;

/**
 * The environment, supplemented by `.env` in `root` and by the files of `SECRET_FILE` and others. Variables that are set take
 * precedence over `.env`.
 *
 * @param root the repository root, for relative paths
 * @throws ConfigError if a file cannot be read, or a secret is given twice
 */
export function readEnvironment(root: string, environment: Environment): Environment {
  return withSecrets(root, { ...readEnvFile(root), ...environment });
}

function readEnvFile(root: string): Environment {
  try {
    return parseEnv(readFileSync(join(root, '.env'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError('.env', `cannot be read: ${(error as Error).message}`);
  }
}

function withSecrets(root: string, environment: Environment): Environment {
  const read = { ...environment };
  for (const name of secretVariables) {
    const variable = `${name}_FILE`;
    const file = read[variable]?.trim();
    delete read[variable];
    if (!file) continue;
    if (read[name]?.trim()) throw new ConfigError(variable, `is set, and so is ${name}: set one of them`);
    read[name] = readSecretFile(variable, resolve(root, file));
  }
  return read;
}

function readSecretFile(variable: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    throw new ConfigError(variable, `names ${file}, which this user cannot read: ${code}`);
  }
  if (text === '') throw new ConfigError(variable, `names ${file}, which is empty`);
  return text;
}

/**
 * Parses and validates every variable of {@link variables}.
 *
 * @param root the repository root, for relative paths
 * @throws ConfigError for the first invalid one
 */
export function readConfig(environment: Environment, root: string) {
  const read = reader(environment);
  const production = read.choice('NODE_ENV', ['development', 'production', 'test'], 'development') === 'production';
  const port = read.integer('PORT', 1, 65_535, 3000);
  const dataDir = resolve(root, read.text('DATA_DIR', 'data'));
  const modelFolder = read.optional('CLUSTER_MODEL_DIR');
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'])?.href;
  const adminEmails = read.list('ADMIN_EMAILS', 'admin@example.com').map((email) => checked('ADMIN_EMAILS', email));
  if (adminEmails.length === 0) throw new ConfigError('ADMIN_EMAILS', 'must name at least one email');
  return {
    production,
    port,
    host: read.text('HOST', '127.0.0.1'),
    ...readAddress(read, production, port),
    /** Absolute. */
    dataDir,
    databaseUrl,
    storage: readStorage(read, dataDir),
    adoptStorage: readAdoption(read),
    sweepAtMost: read.optional('SWEEP_AT_MOST') ? read.integer('SWEEP_AT_MOST', 0, 1e9, 0) : undefined,
    /** The built-in administrators in the configured order. */
    adminEmails,
    builtInAdmins: new Set(adminEmails),
    adminPassword: readAdminPassword(read, adminEmails[0]!),
    sample: read.switch('SAMPLE', !production),
    ...readProvider(read),
    ...readMail(read),
    logLevel: read.choice('LOG_LEVEL', ['DEBUG', 'INFO', 'WARN', 'ERROR'], 'INFO'),
    /** Requests that take longer, in milliseconds, are logged; infinite for none. */
    slowRequestMs:
      read.optional('SLOW_REQUEST') === 'off'
        ? Number.POSITIVE_INFINITY
        : read.integer('SLOW_REQUEST', 1, 3_600_000, 1_000, ', or off'),
    role: readRole(read, databaseUrl !== undefined),
    /** Absolute. */
    clusterModelFolder: modelFolder === undefined ? undefined : resolve(root, modelFolder),
    /** What the vectors of keywords may take on disk; 0 keeps none. */
    vectorCacheBytes:
      read.optional('VECTOR_CACHE') === 'off' ? 0 : (read.bytes('VECTOR_CACHE', ', or off') ?? 2 * 1024 ** 3),
    ingestMemoryBytes: read.bytes('INGEST_MEMORY') ?? Math.floor(memoryLimit() * 0.6),
    metricsPort: read.optional('METRICS_PORT') ? read.integer('METRICS_PORT', 1, 65_535, 0) : undefined,
    /** `undefined`: the activity is kept forever. */
    activityDays: read.optional('ACTIVITY_DAYS') ? read.integer('ACTIVITY_DAYS', 30, 36_500, 0) : undefined,
    /** Whether the activity is written to the log, too. */
    activityLog: readActivityLog(read),
    importFolder: readImportFolder(read, root, dataDir),
    backups: readBackups(read, root, dataDir),
    /** Free bytes below which somebody should make room. */
    diskAlarmBytes: read.bytes('DISK_ALARM') ?? 2 * 1024 ** 3,
    /** Hosts as `URL` writes them. */
    webhookHosts: new Set(read.list('WEBHOOK_ALLOW', '').map(checkedHost)),
    avatarLookup: read.switch('AVATAR_LOOKUP', false),
    trustedProxies: checkedProxies(read.list('TRUSTED_PROXIES', '')),
    strictEnumeration: read.choice('ENUMERATION_PROTECTION', ['budgeted', 'strict'], 'budgeted') === 'strict',
    /** `undefined`: to be generated into the data directory. */
    secret: secretOf(read, production && databaseUrl !== undefined),
    dbOsUser: read.text('DB_OS_USER', 'nobody'),
    /** The folder of PostgreSQL binaries to use instead of the packaged ones. */
    postgresBin: read.optional('POSTGRES_BIN'),
  };
}

type Reader = ReturnType<typeof reader>;

function reader(environment: Environment) {
  const optional = (name: Variable): string | undefined => environment[name]?.trim() || undefined;
  return {
    optional,
    text: (name: Variable, otherwise: string): string => optional(name) ?? otherwise,
    list: (name: Variable, otherwise: string): string[] =>
      (optional(name) ?? otherwise)
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    choice<T extends string>(name: Variable, choices: readonly T[], otherwise: T): T {
      const value = optional(name) ?? otherwise;
      const found = choices.find((choice) => choice === value);
      if (!found) throw new ConfigError(name, `must be one of ${choices.join(', ')}; it is "${value}"`);
      return found;
    },
    switch(name: Variable, otherwise: boolean): boolean {
      const value = optional(name)?.toLowerCase();
      if (value === undefined) return otherwise;
      if (['on', '1', 'true', 'yes'].includes(value)) return true;
      if (['off', '0', 'false', 'no'].includes(value)) return false;
      throw new ConfigError(name, `must be on or off; it is "${value}"`);
    },
    /** @param also what else the caller accepts, as the message says it */
    integer(name: Variable, low: number, high: number, otherwise: number, also = ''): number {
      const text = optional(name);
      if (text === undefined) return otherwise;
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      if (value >= low && value <= high) return value;
      throw new ConfigError(name, `must be a whole number from ${low} to ${high}${also}; it is "${text}"`);
    },
    url(name: Variable, protocols: readonly string[]): URL | undefined {
      const text = optional(name);
      if (text === undefined) return undefined;
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url && protocols.includes(url.protocol)) return url;
      // The value may contain a password: do not repeat it.
      throw new ConfigError(name, `must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    },
    /** @param also as for `integer` */
    bytes(name: Variable, also = ''): number | undefined {
      const text = optional(name);
      if (text === undefined) return undefined;
      const match = /^(\d+)\s*(MiB|GiB|M|G)?$/i.exec(text);
      const unit = match?.[2]?.[0]?.toUpperCase() === 'G' ? 1024 ** 3 : 1024 ** 2;
      const bytes = match ? Number(match[1]) * unit : 0;
      if (bytes >= 64 * 1024 ** 2) return bytes;
      throw new ConfigError(
        name,
        `must be an amount of memory of at least 64 MiB, like 2048 MiB or 2 GiB${also}; it is "${text}"`,
      );
    },
  };
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function readAddress(read: Reader, production: boolean, port: number) {
  const configured = read.url('BASE_URL', ['http:', 'https:']);
  if (production && !configured) throw new ConfigError('BASE_URL', 'is required with NODE_ENV=production');
  const baseUrl = configured ?? new URL(`http://localhost:${port}`);
  if (baseUrl.pathname !== '/' || baseUrl.search || baseUrl.hash || baseUrl.username) {
    throw new ConfigError('BASE_URL', 'must be an origin without a path, like https://keywords.example.com');
  }
  const local = loopback.has(baseUrl.hostname);
  const allowHttp = read.switch('ALLOW_HTTP', false);
  if (baseUrl.protocol === 'http:' && !local && !allowHttp) {
    throw new ConfigError(
      'BASE_URL',
      'must start with https:// unless it is a loopback address or ALLOW_HTTP=1 is set',
    );
  }
  const https = baseUrl.protocol === 'https:';
  const hstsSubdomains = read.switch('HSTS_SUBDOMAINS', false);
  if (hstsSubdomains && !https)
    throw new ConfigError('HSTS_SUBDOMAINS', 'requires a BASE_URL that starts with https://');
  return {
    baseUrl,
    /** Origins whose pages may change state. Both loopback names if `BASE_URL` is one of them. */
    ownOrigins: originsOf(baseUrl),
    /**
     * Whether cookies are `Secure` and prefixed: over https only. WebKit stores no `Secure` cookie over plain http, not
     * even on loopback.
     */
    secureCookies: https,
    /** Whether browsers treat the product's pages as a secure context: over https, and on loopback. */
    secureContext: https || local,
    /** Whether `Strict-Transport-Security` includes the subdomains of `BASE_URL`. */
    hstsSubdomains,
  };
}

/** The origin itself, and on loopback both of its usual names. */
function originsOf(baseUrl: URL): ReadonlySet<string> {
  if (!loopback.has(baseUrl.hostname)) return new Set([baseUrl.origin]);
  const port = baseUrl.port ? `:${baseUrl.port}` : '';
  return new Set([...loopback].map((host) => `${baseUrl.protocol}//${host}${port}`));
}

/** `DATA_DIR/files`, or the bucket of `STORAGE_URL`. */
function readStorage(read: Reader, dataDir: string): StoragePlace {
  const url = read.url('STORAGE_URL', ['s3:']);
  if (!url) return { kind: 'disk', directory: join(dataDir, 'files') };
  const wrong = (why: string) => new ConfigError('STORAGE_URL', `${why}, like s3://bucket/prefix?region=eu-central-1`);
  if (url.hostname === '' || url.username !== '') throw wrong('must name a bucket');
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(`has an unknown parameter "${unknown}"; it takes endpoint and region`);
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : ''))
    throw wrong('has an endpoint that does not start with http:// or https://');
  const folder = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, '');
  const sessionToken = read.optional('AWS_SESSION_TOKEN');
  const required = (name: 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY'): string => {
    const value = read.optional(name);
    if (value === undefined) throw new ConfigError(name, 'is required with STORAGE_URL');
    return value;
  };
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint,
    region: region ?? read.text('AWS_REGION', 'us-east-1'),
    credentials: {
      accessKeyId: required('AWS_ACCESS_KEY_ID'),
      secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    folder: join(dataDir, 'cache', 's3'),
    cacheBytes: read.bytes('PACK_CACHE') ?? 20 * 1024 ** 3,
  };
}

/** The owner of the storage that this database replaces: 32 hex digits, or `unmarked`. */
function readAdoption(read: Reader): string | undefined {
  const owner = read.optional('ADOPT_STORAGE');
  if (owner === undefined || /^(?:[0-9a-f]{32}|unmarked)$/.test(owner)) return owner;
  throw new ConfigError('ADOPT_STORAGE', 'must be what the message of a refused start says');
}

function readAdminPassword(read: Reader, email: string): string | undefined {
  const password = read.optional('ADMIN_PASSWORD');
  if (password === undefined) return undefined;
  if (!checkAdminPassword(password).ok) throw new ConfigError('ADMIN_PASSWORD', 'must be 12 to 1024 characters long');
  if (isWeak(password, email)) throw new ConfigError('ADMIN_PASSWORD', 'is too easy to guess: choose another one');
  return password;
}

function readProvider(read: Reader) {
  const clientId = read.optional('GOOGLE_CLIENT_ID');
  const clientSecret = read.optional('GOOGLE_CLIENT_SECRET');
  const issuer = read.url('GOOGLE_ISSUER', ['https:', 'http:']) ?? new URL('https://accounts.google.com');
  if (clientId && !clientSecret) throw new ConfigError('GOOGLE_CLIENT_SECRET', 'is required with GOOGLE_CLIENT_ID');
  if (clientSecret && !clientId) throw new ConfigError('GOOGLE_CLIENT_ID', 'is required with GOOGLE_CLIENT_SECRET');
  if (issuer.protocol === 'http:' && !loopback.has(issuer.hostname)) {
    throw new ConfigError('GOOGLE_ISSUER', 'must start with https:// unless it is a loopback address');
  }
  const trustedDomains = read.list('OIDC_TRUSTED_DOMAINS', '').map((domain) => domain.toLowerCase());
  for (const domain of trustedDomains) {
    if (!checkEmail(`someone@${domain}`).ok)
      throw new ConfigError('OIDC_TRUSTED_DOMAINS', `contains an invalid domain: "${domain}"`);
  }
  return {
    google: clientId && clientSecret ? { clientId, clientSecret, issuer } : undefined,
    providerName: readProviderName(read, issuer),
    groupRoles: readGroupRoles(read),
    trustedDomains,
  };
}

/** What people call the identity provider; `undefined` for Google. */
function readProviderName(read: Reader, issuer: URL): string | undefined {
  const name = read.optional('OIDC_NAME');
  if (name === undefined) return;
  if (issuer.origin === googleIssuer)
    throw new ConfigError('OIDC_NAME', 'is for other providers than Google: set GOOGLE_ISSUER to theirs');
  if (name.length > 40 || /\p{C}/u.test(name))
    throw new ConfigError('OIDC_NAME', 'must be a name of up to 40 characters');
  return name;
}

/** `undefined`: roles are given here alone. */
function readGroupRoles(read: Reader): GroupRoles | undefined {
  const [admins, users] = [read.list('OIDC_ADMIN_GROUPS', ''), read.list('OIDC_USER_GROUPS', '')];
  const claim = read.text('OIDC_GROUPS_CLAIM', 'groups');
  return admins.length + users.length > 0 ? { claim, admins, users } : undefined;
}

function readMail(read: Reader) {
  const support = read.optional('SUPPORT_EMAIL');
  const from = read.optional('MAIL_FROM');
  return {
    smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: from ? checked('MAIL_FROM', from) : 'keyword-clustering@localhost',
    supportEmail: support ? checked('SUPPORT_EMAIL', support) : '',
  };
}

/** Half of a server alone would leave the other half to nobody: the embedded database has no other server. */
function readRole(read: Reader, isShared: boolean) {
  const role = read.choice('ROLE', ['all', 'serve', 'ingest'], 'all');
  if (role !== 'all' && !isShared)
    throw new ConfigError('ROLE', `must be all without DATABASE_URL: no other server could do what ${role} leaves out`);
  return role;
}

function readActivityLog(read: Reader): boolean {
  const isOn = read.switch('ACTIVITY_LOG', false);
  if (isOn && ['WARN', 'ERROR'].includes(read.text('LOG_LEVEL', 'INFO')))
    throw new ConfigError('ACTIVITY_LOG', 'requires the LOG_LEVEL INFO or DEBUG');
  return isOn;
}

/** Where lists are put to be imported: absolute. */
function readImportFolder(read: Reader, root: string, dataDir: string): string | undefined {
  const folder = read.optional('IMPORT_DIR');
  if (folder === undefined) return undefined;
  const resolved = resolve(root, folder);
  if (!relative(dataDir, resolved).startsWith('..'))
    throw new ConfigError('IMPORT_DIR', 'must be outside of DATA_DIR, which is the server’s own');
  return resolved;
}

/** The backups that the server makes by itself; `undefined` for none. */
function readBackups(read: Reader, root: string, dataDir: string): Schedule | undefined {
  const folder = read.optional('BACKUP_DIR');
  const at = read.text('BACKUP_AT', '03:00');
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) ?? [];
  if (hour === undefined) throw new ConfigError('BACKUP_AT', `must be a time of day like 03:00; it is "${at}"`);
  const keep = read.integer('BACKUP_KEEP', 1, 1_000, 7);
  if (folder === undefined) return;
  const resolved = resolve(root, folder);
  if (!relative(dataDir, resolved).startsWith('..'))
    throw new ConfigError('BACKUP_DIR', 'must be outside of DATA_DIR, which is to be backed up');
  if (isFile(resolved)) throw new ConfigError('BACKUP_DIR', `names ${resolved}, which is a file: name a folder`);
  return { folder: resolved, atMinute: 60 * Number(hour) + Number(minute), keep };
}

/** False for what is not there, or cannot be looked at now. */
function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function secretOf(read: Reader, required: boolean): string | undefined {
  const secret = read.optional('SECRET');
  if (!secret && required) throw new ConfigError('SECRET', 'is required with NODE_ENV=production and DATABASE_URL');
  if (secret && secret.length < 32) throw new ConfigError('SECRET', 'must be at least 32 characters long');
  return secret;
}

function checked(variable: string, email: string): string {
  if (!checkEmail(email).ok) throw new ConfigError(variable, `holds no email address: "${email}"`);
  return canonicalEmail(email);
}

function checkedProxies(ranges: readonly string[]): readonly string[] {
  try {
    inNetworks(ranges);
    return ranges;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigError('TRUSTED_PROXIES', `must be addresses or ranges like 10.0.0.0/8; one is "${error.message}"`);
  }
}

/** A host without port and path, as `URL` writes it. */
function checkedHost(host: string): string {
  const text = `https://${isIPv6(host) ? `[${host}]` : host}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.href === `https://${url?.hostname}/`) return url.hostname;
  throw new ConfigError('WEBHOOK_ALLOW', `must be hosts like hooks.internal or 10.0.0.5; one is "${host}"`);
}

/** The product's version, from its package. */
export const version: string = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
).version;

const known = [...variables, ...secretVariables.map((name) => `${name}_FILE`)];
/** Variables of other programs whose names happen to resemble ours. */
const foreign = new Set(['HOSTNAME', 'HOSTS', 'PORTS', 'ROLES', 'PGHOST', 'PGPORT', 'CLUSTER_NAME', 'SSL_CERT_FILE']);

/**
 * A sentence for every variable whose name resembles one of {@link variables} but is none: a misspelled variable is
 * otherwise ignored in silence. Values are not repeated, because they may be secrets.
 */
export function nearMisses(environment: Environment): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = isCandidate(name) ? nearestTo(name) : undefined;
    return meant ? [`${name} is set, but there is no such variable. Did you mean ${meant}?`] : [];
  });
}

const isCandidate = (name: string): boolean => !known.includes(name) && !foreign.has(name);

/** Compared without underscores, so that `DATABASEURL` and `BASE-URL` are found too. */
function nearestTo(name: string): string | undefined {
  const bare = bareName(name);
  const near = nearName(bare, known.map(bareName));
  const meant = known.find((variable) => bareName(variable) === near);
  // In a short name one letter makes another word: HOME is not HOST.
  if (meant === undefined || (near !== bare && bare.length < 6)) return undefined;
  return meant;
}

const bareName = (name: string): string => name.replaceAll(/[^A-Za-z]/g, '').toUpperCase();

/** The file with the secret that a server generates for itself; `undefined` if `SECRET` is set. */
export const secretFile = ({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): string | undefined =>
  secret ? undefined : join(dataDir, 'secret', 'server.key');

/**
 * The key with which this server signs: `SECRET`, otherwise 256 bits in a file of the data directory, readable only by
 * the server's user and written at the first start.
 *
 * @throws ConfigError if that file contains no secret
 */
export function readSecret({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): string {
  if (secret) return secret;
  const folder = join(dataDir, 'secret');
  const file = join(folder, 'server.key');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stored = readFileSync(file, 'utf8').trim();
  if (stored.length < 32) throw new ConfigError('DATA_DIR', 'contains an invalid secret/server.key: remove it');
  return stored;
}
