import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import {
  cloneDatabase,
  createDatabase,
  dropDatabase,
  sealTemplate,
  startTestCluster,
  type TestCluster,
} from '../server/test/support/cluster.ts';
import { newDataDir, removeDataDir, type StartOptions, startServer } from './server.ts';

/** Where a run's servers get their databases. */
export type Databases = { readonly cluster: TestCluster; readonly templateDir: string };

const template = 'template_server';

/** The resources of a starting server. */
export type Place = Pick<StartOptions, 'dataDir' | 'env'> & { remove(): Promise<void> };

/**
 * One PostgreSQL for the whole run, with a template database of a server that was started once, including its sample.
 * Creating the cluster, tables and sample takes several times as long as copying them.
 */
export async function startDatabases(): Promise<{ databases: Databases; stop: () => Promise<void> }> {
  const { cluster, stop } = await startTestCluster();
  const templateDir = newDataDir();
  const stopAll = async () => {
    removeDataDir(templateDir);
    await stop();
  };
  try {
    await createDatabase(cluster, template);
    const server = await startServer({ dataDir: templateDir, env: { DATABASE_URL: urlOf(cluster.owner, template) } });
    await server.stop();
    await sealTemplate(cluster, template);
  } catch (error) {
    await stopAll();
    throw error;
  }
  return { databases: { cluster, templateDir }, stop: stopAll };
}

/**
 * A database and a data directory for one server. Servers with other built-in accounts or without the sample start
 * empty; the others start from the template.
 */
export async function makePlace({ cluster, templateDir }: Databases, env: StartOptions['env'] = {}): Promise<Place> {
  const name = `e2e_${randomBytes(8).toString('hex')}`;
  const dataDir = newDataDir();
  if ('SAMPLE' in env || 'ADMIN_EMAILS' in env) await createDatabase(cluster, name);
  else {
    await cloneDatabase(cluster, name, template);
    cpSync(join(templateDir, 'files'), join(dataDir, 'files'), { recursive: true });
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

/** A `DATABASE_URL`. */
export function urlOf({ host, port, user, password }: ClientConfig, database: string): string {
  const at = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgresql://${user}:${encodeURIComponent(String(password))}@localhost/${database}?${at}`;
}
