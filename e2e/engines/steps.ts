import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { bodyThatFinds, bodyThatReaches, type Wanted } from './find.ts';
import type { Handle, Tab } from './tab.ts';

/** Timeout of a step, in ms: it only bounds a hang. */
const timeoutMs = 60_000;

/** What a user does and expects, in the same words for every engine. Each step waits until it is possible. */
export type Steps = {
  /** Opens a path of the server. */
  goto(path: string): Promise<void>;
  click(role: string, name: string | RegExp): Promise<void>;
  /** Replaces the content of a field. */
  fill(name: string | RegExp, text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Selects a file in the page's only file input. */
  upload(path: string): Promise<void>;
  /** Waits for an element by role and name. */
  see(role: string, name: string | RegExp): Promise<void>;
  /** Waits for a text on the page. */
  read(text: string | RegExp): Promise<void>;
  /** The value of a field. */
  valueOf(name: string | RegExp): Promise<string>;
  /** Waits until the canvas of a selector has at least this many colours. */
  seeColours(selector: string, atLeast: number): Promise<void>;
  /** Waits until the address matches, and returns it. */
  at(isExpected: (address: URL) => boolean): Promise<URL>;
  /** Waits for a download whose name matches, and returns its bytes. */
  downloaded(name: RegExp): Promise<Buffer>;
};

/** @param base address of the server, without a trailing slash */
export function stepsIn(tab: Tab, base: string): Steps {
  const find = (wanted: Wanted, body: string): Promise<Handle> =>
    until(`${wanted.role} ${wanted.name}`, async () => {
      if (!(await tab.run<boolean>('return typeof axe === "object"'))) await tab.run(axe.source);
      return tab.element(body);
    });
  const reach = (wanted: Wanted) => find(wanted, bodyThatReaches(wanted));
  const address = async () => new URL(await tab.run<string>('return location.href'));

  return {
    goto: (path) => tab.goto(base + path),
    click: async (role, name) => (await reach({ role, name })).click(),
    async fill(name, text) {
      const field = await reach({ role: 'field', name });
      // What opens may still take the focus.
      await until(`the focus in ${name}`, async () => {
        await field.click();
        return tab.run<boolean>('const box = document.activeElement; box.select?.(); return Boolean(box.select)');
      });
      await field.type(text);
      await until(`${text} in ${name}`, async () => (await tab.run('return document.activeElement.value')) === text);
    },
    press: (key) => tab.press(key),
    async upload(path) {
      const input = await until('file input', () => tab.element('return document.querySelector("input[type=file]")'));
      await input.choose(path);
    },
    async see(role, name) {
      try {
        await find({ role, name }, bodyThatFinds({ role, name }));
      } catch (failure) {
        const text = await tab.run<string>('return document.body.innerText');
        throw new Error(`Not seen at ${await address()}, which reads:\n${text}`, { cause: failure });
      }
    },
    async read(text) {
      const isOnPage = (content: string) => (typeof text === 'string' ? content.includes(text) : text.test(content));
      await until(String(text), async () => isOnPage(await tab.run<string>('return document.body.innerText')));
    },
    async valueOf(name) {
      const body = bodyThatFinds({ role: 'field', name });
      await find({ role: 'field', name }, body);
      return tab.run<string>(`return (() => {${body}})().value`);
    },
    async seeColours(selector, atLeast) {
      await until(
        `${atLeast} colours in ${selector}`,
        async () => (await tab.run<number>(colours(selector))) >= atLeast,
      );
    },
    async at(isExpected) {
      await until(String(isExpected), async () => isExpected(await address()));
      return address();
    },
    downloaded: (name) =>
      until(`download ${name}`, async () => {
        const file = readdirSync(tab.downloads).find((entry) => name.test(entry));
        const bytes = file && readFileSync(join(tab.downloads, file));
        return bytes && bytes.length > 0 ? bytes : undefined;
      }),
  };
}

/**
 * Polls until there is a value.
 *
 * @throws Error with what was expected and the last failure, on timeout
 */
async function until<T>(what: string, look: () => Promise<T | undefined | null | false>): Promise<T> {
  const end = performance.now() + timeoutMs;
  let lastFailure: unknown;
  while (performance.now() < end) {
    const begun = performance.now();
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      // Navigation may interrupt a query; the next one runs in the new page.
      lastFailure = error;
    }
    // The page that is looked at needs the processor more than the look does.
    const lookMs = performance.now() - begun;
    await new Promise((resolve) => setTimeout(resolve, Math.max(50, 3 * lookMs)));
  }
  throw new Error(`Timed out waiting for ${what}`, { cause: lastFailure });
}

/**
 * The body of a function that counts the different colours of a canvas. It reads them from a copy, because the browser
 * warns about repeated reads from a canvas on screen.
 */
const colours = (selector: string): string => `
  const canvas = document.querySelector(${JSON.stringify(selector)});
  if (!canvas || canvas.width === 0 || canvas.height === 0) return 0;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;`;
