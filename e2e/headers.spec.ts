import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleFolder } from '../tools/web-bundle.ts';
import { story, useStage } from './app.ts';
import { adminPerson } from './visitor.ts';

const policy = (scripts = "'self'") =>
  `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; ` +
  "font-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; " +
  "object-src 'none'; require-trusted-types-for 'script'; trusted-types kc";

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

story('SEC-10: every kind of response carries the whole policy', () => {
  const stage = useStage();
  const head = (path: string) => fetch(stage.server.url + path, { redirect: 'manual' });

  test.each([
    '/',
    '/login',
    '/admin',
    '/no/such/page',
    '/api/session',
    '/api/users',
    '/api/attic',
    '/healthz',
    '/readyz',
  ])('%s', async (path) => {
    const { headers } = await head(path);
    const found = Object.fromEntries(headers);
    expect(found).toMatchObject({ ...always, 'content-security-policy': policy() });
    expect(found['permissions-policy']).toMatch(/camera=\(\).*microphone=\(\)/);
    for (const absent of ['x-powered-by', 'server', 'access-control-allow-origin', 'strict-transport-security']) {
      expect(found).not.toHaveProperty([absent]);
    }
  });

  test('worker scripts may run WebAssembly, page scripts may not', async () => {
    const { page } = await stage.visitor();
    const policies = new Map<string, string | undefined>();
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) policies.set(response.url(), response.headers()['content-security-policy']);
    });
    const loaded = page.waitForResponse((response) => /worker[^/]*\.js$/.test(response.url()));
    await page.reload();
    await loaded;
    await page.getByRole('heading', { name: 'Keyword Clustering' }).waitFor();
    const workers = [...policies].filter(([url]) => /worker[^/]*\.js$/.test(url)).map(([, value]) => value);
    const others = [...policies].filter(([url]) => !/worker[^/]*\.js$/.test(url)).map(([, value]) => value);
    expect(new Set(workers)).toEqual(new Set([policy("'self' 'wasm-unsafe-eval'")]));
    expect(new Set(others)).toEqual(new Set([policy()]));
  });

  test('an uploaded file is sandboxed, an attachment, and not stored by any cache', async () => {
    const { page } = await stage.signedIn('approved');
    const response = await page.evaluate(async () => {
      const answer = await fetch('/api/visualizations/sample/original');
      return { status: answer.status, headers: Object.fromEntries(answer.headers) };
    });
    expect(response).toMatchObject({
      status: 200,
      headers: {
        ...always,
        'content-security-policy': `${policy()}; sandbox`,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      },
    });
    expect(response.headers['content-disposition']).toMatch(/^attachment;/);
  });

  test('API responses are not stored by any cache', async () => {
    const { headers } = await head('/api/session');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toContain('Cookie');
  });

  test('the page has no inline script or style', async () => {
    const html = await (await head('/login')).text();
    expect(html).toContain('<script');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  });

  test('a change requested by another site is refused', async () => {
    const response = await fetch(`${stage.server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' },
      body: JSON.stringify({ email: 'admin@example.com', password: 'x', remember: false }),
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('request/cross-site');
  });

  test('S12 nothing that a signed-out visitor can fetch names a built-in admin', async () => {
    const files = readdirSync(bundleFolder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.length).toBeGreaterThan(5);
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), 'latin1');
      expect(text.includes(adminPerson.email), name).toBe(false);
    }
    for (const path of ['/', '/login', '/api/session', '/api/openapi.json', '/healthz', '/readyz']) {
      const text = await (await head(path)).text();
      expect(text, path).not.toContain(adminPerson.email);
    }
  });
});
