import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg, { type ClientConfig } from 'pg';
import {
  cloneDatabase,
  createDatabase,
  dropDatabase,
  sealTemplate,
  startTestCluster,
  type TestCluster,
} from '../server/test/support/cluster.ts';
import { newDataDir, type RunningServer, removeDataDir, type StartOptions, startServer } from './server.ts';

/** Where a run's servers get their databases and, in one folder, their data directories. */
export type Databases = { readonly cluster: TestCluster; readonly folder: string };

const template = 'template_server';

/** The resources of a starting server. */
export type Place = Pick<StartOptions, 'dataDir' | 'env'> & { remove(): Promise<void> };

/**
 * One PostgreSQL for the whole run, with a template database of a server that was started once, including its sample.
 * Creating the cluster, tables and sample takes several times as long as copying them.
 */
export async function startDatabases(): Promise<{ databases: Databases; stop: () => Promise<void> }> {
  const { cluster, stop } = await startTestCluster();
  const folder = newDataDir();
  const stopAll = async () => {
    await stop();
    removeDataDir(folder);
  };
  try {
    await createDatabase(cluster, template);
    const server = await startServer({
      dataDir: join(folder, template),
      env: { DATABASE_URL: urlOf(cluster.owner, template) },
    });
    await server.stop();
    await sealTemplate(cluster, template);
  } catch (error) {
    await stopAll();
    throw error;
  }
  return { databases: { cluster, folder }, stop: stopAll };
}

/**
 * A database and a data directory for one server. Servers with other built-in accounts or without the sample start
 * empty; the others start from the template.
 */
export async function makePlace({ cluster, folder }: Databases, env: StartOptions['env'] = {}): Promise<Place> {
  const name = `e2e_${randomBytes(8).toString('hex')}`;
  const dataDir = mkdtempSync(join(folder, 'server-'));
  if ('SAMPLE' in env || 'ADMIN_EMAILS' in env) await createDatabase(cluster, name);
  else {
    await cloneDatabase(cluster, name, template);
    cpSync(join(folder, template, 'files'), join(dataDir, 'files'), { recursive: true });
  }
  return {
    dataDir,
    env: { ...env, DATABASE_URL: urlOf(cluster.owner, name) },
    async remove() {
      await dropDatabase(cluster, name);
      removeDataDir(dataDir);
    },
  };
}

/**
 * Remembers the content of a running server's tables. The function that it returns puts it back, as the next file
 * expects it: accounts, settings, uploads, logs and used-up limits are those of now, and there are no mails. What the
 * server itself remembers has names that never occur again.
 */
export async function keepTables({ cluster }: Databases, server: RunningServer): Promise<() => Promise<void>> {
  const database = new URL(server.databaseUrl!).pathname.slice(1);
  const query = async (text: string): Promise<Record<string, string>[]> => {
    const client = new pg.Client({ ...cluster.superuser, database });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const tables = (await query(`select tablename from pg_tables where schemaname = 'public'`)).map(
    (row) => row.tablename,
  );
  await query(`create schema kept; ${tables.map((name) => `create table kept.${name} as table ${name}`).join(';')}`);
  const putBack = `
    set session_replication_role = replica;
    begin;
    lock table ${tables.join()} in share row exclusive mode;
    ${tables.map((name) => `delete from ${name}; insert into ${name} overriding system value table kept.${name};`).join('\n')}
    commit;`;
  return async () => {
    await query(putBack);
    rmSync(join(server.dataDir, 'mail'), { recursive: true, force: true });
  };
}

/** A `DATABASE_URL`. */
export function urlOf({ host, port, user, password }: ClientConfig, database: string): string {
  const at = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgresql://${user}:${encodeURIComponent(String(password))}@localhost/${database}?${at}`;
}
