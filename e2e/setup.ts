import { spawnSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { isStale } from '../tools/web-bundle.ts';
import { findBrowser, howToGetOne } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of a Chromium; '' when there is none and the browser tests are to be skipped. */
    browser: string;
  }
}

/** Once for the whole run: the web bundle as the sources are now, and a browser. */
export default async function setup(project: TestProject): Promise<void> {
  const browser = await findBrowser();
  if (browser === undefined) {
    if (process.env.CI) throw new Error(howToGetOne);
    console.log(howToGetOne);
  }
  project.provide('browser', browser ?? '');
  if (!isStale()) return;
  const build = spawnSync(process.execPath, ['tools/build.ts'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (build.status !== 0) throw new Error('The web bundle could not be built');
}
