import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guidePath, guides } from '@kc/rules/paths';
import { expect, test } from 'vitest';
import { bundleFolder } from '../tools/web-bundle.ts';
import { story, useStage } from './app.ts';
import { adminPerson } from './visitor.ts';

story('SEC-10 the headers and the content of the built page', () => {
  const stage = useStage();
  const get = (path: string) => fetch(stage.server.url + path, { redirect: 'manual' });
  const files = () =>
    readdirSync(bundleFolder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());

  test('worker scripts may run WebAssembly, page scripts may not', async () => {
    const scripts = files().filter(({ name }) => name.endsWith('.js'));
    const policies = await Promise.all(
      scripts.map(async ({ parentPath, name }) => {
        const { headers, status } = await get(join(parentPath, name).slice(bundleFolder.length));
        expect(status, name).toBe(200);
        return {
          name,
          mayRun: headers.get('content-security-policy')?.includes("script-src 'self' 'wasm-unsafe-eval';") ?? false,
        };
      }),
    );
    const mayRun = policies.filter((script) => script.mayRun).map(({ name }) => name);
    expect(mayRun.length).toBeGreaterThan(1);
    expect(mayRun).toEqual(scripts.map(({ name }) => name).filter((name) => /worker[^/]*\.js$/.test(name)));
  });

  test('the page has no inline script or style', async () => {
    const html = await (await get('/login')).text();
    expect(html).toContain('<script');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  });

  // Shows P2.12.
  test('the guides for those who write programs are plain text beside the pages', async () => {
    for (const guide of guides) {
      const answer = await get(guidePath(guide));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(await answer.text()).toBe(readFileSync(new URL(`../docs/${guide}.md`, import.meta.url), 'utf8'));
    }
  });

  test('the licences are plain text that any visitor may read and no browser runs', async () => {
    const { status, headers, body } = await get('/third-party-notices.txt').then(async (response) => ({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect(body).toContain('Third-party notices');
    expect(body).toMatch(/^react-dom \d/m);
    expect(body).toMatch(/^fastify \d/m);
    expect(body).toContain('SIL OPEN FONT LICENSE');
  });

  test('S12 nothing that a signed-out visitor can fetch names a built-in admin', async () => {
    expect(files().length).toBeGreaterThan(5);
    for (const { parentPath, name } of files()) {
      const text = readFileSync(join(parentPath, name), 'latin1');
      expect(text.includes(adminPerson.email), name).toBe(false);
    }
    for (const path of ['/', '/login', '/api/session', '/api/openapi.json', '/healthz', '/readyz']) {
      const text = await (await get(path)).text();
      expect(text, path).not.toContain(adminPerson.email);
    }
  });
});
