import { spawnSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { isStale } from '../tools/web-bundle.ts';
import { findBrowser, installHint, launchForAll } from './browser.ts';
import { type Databases, startDatabases } from './database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of a Chromium; '' if there is none and the browser tests are skipped. */
    browser: string;
    /** Endpoint of the browser that all stories share. Absent without a browser. */
    browserEndpoint: string;
    /** Absent without a browser. */
    databases: Databases;
  }
}

/** Once for the whole run: builds the web bundle if it is stale, starts one browser and one PostgreSQL. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const browser = await findBrowser();
  if (browser === undefined) {
    if (process.env.CI) throw new Error(installHint);
    console.log(installHint);
  }
  project.provide('browser', browser ?? '');
  if (isStale()) build();
  if (browser === undefined) return undefined;
  const { databases, stop } = await startDatabases();
  const shared = await launchForAll(browser);
  project.provide('databases', databases);
  project.provide('browserEndpoint', shared.wsEndpoint());
  return async () => {
    await shared.close();
    await stop();
  };
}

function build(): void {
  const { status } = spawnSync(process.execPath, ['tools/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('The web bundle could not be built');
}
