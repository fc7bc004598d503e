import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'playwright-core';
import { inject } from 'vitest';
import { installHint, launch } from '../browser.ts';
import type { RunningServer } from '../server.ts';
import { asCall, type Engine, type Handle, type How, reportViolations, type Tab, viewport } from './tab.ts';

/** Chromium, driven by Playwright. */
export const chromium: Engine = {
  name: 'Chromium',
  isInstalled: inject('browser') !== '',
  installHint,
  open,
};

async function open(_server: RunningServer, { hasMotion }: How): Promise<Tab> {
  const downloads = mkdtempSync(join(tmpdir(), 'kc-chromium-'));
  const browser = await launch(inject('browser'));
  const context = await browser.newContext({
    viewport,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: hasMotion ? 'no-preference' : 'reduce',
  });
  const problems: string[] = [];
  await context.addInitScript({ content: reportViolations });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error()}`));
  const page = await context.newPage();
  page.on('download', (download) => void download.saveAs(join(downloads, download.suggestedFilename())));
  return {
    goto: async (address) => void (await page.goto(address)),
    run: (body) => page.evaluate(asCall(body)),
    async element(body) {
      const element = (await page.evaluateHandle(asCall(body))).asElement();
      return element ? handleOf(element as ElementHandle) : undefined;
    },
    press: (key) => page.keyboard.press(key),
    downloads,
    problems: async () => problems,
    async close() {
      await browser.close();
      rmSync(downloads, { recursive: true, force: true });
    },
  };
}

const handleOf = (element: ElementHandle): Handle => ({
  click: () => element.click(),
  type: (text) => element.type(text),
  choose: (path) => element.setInputFiles(path),
});
