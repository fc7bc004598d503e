import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Builder, Capabilities, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePort, type RunningServer } from '../server.ts';
import { startPageProxy } from './page-proxy.ts';
import { type Engine, type Handle, type Tab, viewport } from './tab.ts';

const [miniBrowser = ''] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** WebKitGTK, driven by Selenium on a virtual screen. */
export const webkit: Engine = {
  name: 'WebKit',
  isInstalled: miniBrowser !== '' && isOnPath('WebKitWebDriver') && isOnPath('xvfb-run'),
  installHint: 'No WebKit: its stories are skipped. Install it ("apt-get install webkit2gtk-driver xvfb").',
  open,
};

async function open(server: RunningServer): Promise<Tab> {
  // Downloads go to the home folder unless another one is configured.
  const home = mkdtempSync(join(tmpdir(), 'kc-webkit-'));
  const proxy = await startPageProxy(server.url);
  const port = await freePort();
  const service = startService(port, home);
  const driver = await connect(port, proxy.address, service);
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...viewport });
  return {
    goto: (address) => driver.get(address),
    run: (body) => driver.executeScript(body),
    async element(body) {
      const element = await driver.executeScript<WebElement | null>(body);
      return element ? handleOf(element) : undefined;
    },
    press: (key) => press(driver, key),
    downloads: home,
    problems: async () => proxy.problems,
    async close() {
      await driver.quit();
      await stop(service);
      await proxy.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Starts the driver's service. It leads a process group that includes its virtual screen. */
const startService = (port: number, home: string): ChildProcess =>
  spawn('xvfb-run', ['-a', '-s', '-screen 0 1600x1100x24', 'WebKitWebDriver', `--port=${port}`], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      TZ: 'UTC',
      // There is no GPU here, and WebKitGTK 2.50 sometimes crashes when Skia's GPU cache frees a texture twice.
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
    },
    detached: true,
    stdio: 'ignore',
  });

async function connect(port: number, proxy: string, service: ChildProcess): Promise<WebDriver> {
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation', `--proxy=http://${proxy}`] },
  });
  await waitUntilReady(port, service);
  return new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
}

/** Polls the driver's service. @throws Error if the service ends first */
async function waitUntilReady(port: number, service: ChildProcess): Promise<void> {
  while (service.exitCode === null) {
    const isReady = await fetch(`http://127.0.0.1:${port}/status`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`WebKitWebDriver ended with ${service.exitCode}`);
}

async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.pid === undefined) return;
  const ended = new Promise((resolve) => service.once('close', resolve));
  process.kill(-service.pid, 'SIGTERM');
  await ended;
}

async function press(driver: WebDriver, keys: string): Promise<void> {
  const names = keys.split('+').map(keyOf);
  const last = names.pop() ?? '';
  const actions = driver.actions();
  for (const held of names) actions.keyDown(held);
  actions.sendKeys(last);
  for (const held of names.toReversed()) actions.keyUp(held);
  await actions.perform();
}

/** WebDriver has a code for each key without a character. */
const special: Readonly<Record<string, string>> = {
  Control: Key.CONTROL,
  Shift: Key.SHIFT,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  ArrowDown: Key.ARROW_DOWN,
};
const keyOf = (name: string): string => special[name] ?? name;

const handleOf = (element: WebElement): Handle => ({
  click: () => element.click(),
  type: (text) => element.sendKeys(text),
  choose: (path) => element.sendKeys(path),
});
