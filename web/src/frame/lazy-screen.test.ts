import { expect, test } from 'vitest';
import { buildOfServer } from './lazy-screen.ts';

const entry = '/assets/start-a1b2.js';
const buildOf = (body: string, status = 200) => buildOfServer(entry, async () => new Response(body, { status }));

test('a server has the same build if its page starts with the same script', async () => {
  expect(await buildOf(`<script type="module" src="${entry}"></script>`)).toBe('same');
  expect(await buildOf('<script type="module" src="/assets/start-c3d4.js"></script>')).toBe('other');
});

test('nothing is known of a server that is not ready or cannot be reached', async () => {
  expect(await buildOf('', 503)).toBeUndefined();
  expect(await buildOfServer(entry, () => Promise.reject(new TypeError('Failed to fetch')))).toBeUndefined();
});
