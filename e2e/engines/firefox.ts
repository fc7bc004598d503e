import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type ElementHandle, type KeyInput, type Page } from 'puppeteer-core';
import type { RunningServer } from '../server.ts';
import { asCall, type Engine, type Handle, type How, reportViolations, type Tab, viewport } from './tab.ts';

const executablePath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path)) ?? '';

/** Firefox, driven by Puppeteer over WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  isInstalled: executablePath !== '',
  installHint: 'No Firefox: its stories are skipped. Install it ("apt-get install firefox-esr").',
  open,
};

async function open(_server: RunningServer, { hasMotion }: How): Promise<Tab> {
  const downloads = mkdtempSync(join(tmpdir(), 'kc-firefox-'));
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    timeout: 90_000,
    defaultViewport: viewport,
    extraPrefsFirefox: {
      // 2: the folder named by `browser.download.dir`.
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
      'ui.prefersReducedMotion': hasMotion ? 0 : 1,
      'browser.download.alwaysOpenPanel': false,
    },
  });
  const page = await browser.newPage();
  const problems = await watch(page);
  return {
    goto: async (address) => void (await page.goto(address)),
    run: async <T>(body: string) => (await page.evaluate(asCall(body))) as T,
    async element(body) {
      const element = (await page.evaluateHandle(asCall(body))).asElement();
      return element ? handleOf(element) : undefined;
    },
    press: (key) => press(page, key.split('+') as KeyInput[]),
    downloads,
    problems: async () => problems,
    async close() {
      await browser.close();
      rmSync(downloads, { recursive: true, force: true });
    },
  };
}

/**
 * Errors that only Firefox reports and that mean nothing: a font that was still loading when the page was left
 * (`NS_BINDING_ABORTED`), and a page transition skipped by the next navigation, although the page handles that
 * rejection.
 */
const harmlessErrors = /downloadable font: download failed .* status=2152398850 |AbortError: Skipped ViewTransition/;
/**
 * Writes errors as texts: over WebDriver BiDi, an error that is logged as an object has none. Leaves out the imports
 * that Firefox fails because the page is being left.
 */
const writeErrors = `{
  const log = console.error.bind(console);
  let isLeft = false;
  addEventListener('beforeunload', () => { isLeft = true; });
  console.error = (...values) => {
    const texts = values.map((value) => (value instanceof Error ? String(value) : value));
    if (isLeft && texts.some((text) => /error loading dynamically imported module/.test(text))) return;
    log(...texts);
  };
}`;

async function watch(page: Page): Promise<readonly string[]> {
  const problems: string[] = [];
  await page.evaluateOnNewDocument(reportViolations);
  await page.evaluateOnNewDocument(writeErrors);
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => {
    if (!harmlessErrors.test(String(error))) problems.push(`uncaught: ${error}`);
  });
  return problems;
}

async function press(page: Page, [key, ...others]: readonly KeyInput[]): Promise<void> {
  if (key === undefined) return;
  if (others.length === 0) return page.keyboard.press(key);
  await page.keyboard.down(key);
  await press(page, others);
  await page.keyboard.up(key);
}

const handleOf = (element: ElementHandle): Handle => ({
  click: () => element.click(),
  type: (text) => element.type(text),
  choose: (path) => element.uploadFile(path),
});
