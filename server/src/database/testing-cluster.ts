import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import type { TestProject } from 'vitest/node';
import { createLog } from '../log.ts';
import { startCluster } from './cluster.ts';
import { prepareHome } from './cluster-home.ts';

/** How tests reach the cluster of their run, as each role. */
export type TestCluster = Readonly<Record<'superuser' | 'owner' | 'app', ClientConfig>>;

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

/** One embedded PostgreSQL for the whole run, on a folder of its own; it goes with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'kc-test-'));
  const cluster = await startCluster(prepareHome(folder, 'nobody', createLog('ERROR')));
  project.provide('cluster', {
    superuser: cluster.connect('superuser'),
    owner: cluster.connect('owner'),
    app: cluster.connect('app'),
  });
  return async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
