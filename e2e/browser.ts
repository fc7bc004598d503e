import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

export const installHint =
  'No browser: browser tests are skipped. Install Chromium ("apt-get install chromium") or set CHROMIUM_PATH.';

const headlessShell = '/usr/bin/chromium-headless-shell';
const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * A Chromium that starts on this machine, or `undefined`. In this order: `CHROMIUM_PATH`, the system's headless shell,
 * the headless shell from npm (which needs libraries that a bare machine lacks), the system's full browser, and
 * Debian's, installed if permitted. A headless shell takes a third less CPU time per page.
 *
 * @throws Error if `CHROMIUM_PATH` is set and does not start
 */
export async function findBrowser(): Promise<string | undefined> {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) {
    if (!starts(wanted)) throw new Error(`CHROMIUM_PATH is ${wanted}, which does not start`);
    return wanted;
  }
  if (starts(headlessShell)) return headlessShell;
  return (await shipped()) ?? systemPaths.find(starts) ?? installed();
}

const starts = (path: string): boolean =>
  existsSync(path) && spawnSync(path, ['--version', '--no-sandbox'], { timeout: 60_000 }).status === 0;

async function shipped(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const { default: packaged } = await import('@sparticuz/chromium');
  const path = await packaged.executablePath();
  return starts(path) ? path : undefined;
}

function installed(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('Installing Chromium for the browser tests ...');
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core');
  return systemPaths.find(starts);
}

/** What a browser of tests is started with. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser that is not shared. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: browserArgs });

/** One browser for the whole run. A client sees only the contexts that it opened. */
export const launchForAll = (executablePath: string): Promise<BrowserServer> =>
  chromium.launchServer({ executablePath, args: browserArgs, host: '127.0.0.1' });

/** @param endpoint of {@link launchForAll}. Closing the connection closes its contexts, not the browser. */
export const connect = (endpoint: string): Promise<Browser> => chromium.connect(endpoint);
