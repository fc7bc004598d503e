import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEvents } from '../../test/support/events.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';

let server: TestServer;
let address: string;
beforeAll(async () => {
  server = await testServer();
  address = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

type Opened = { readonly server: string; readonly at: number; readonly changed: Readonly<Record<string, number>> };

/** What a stream says first. */
async function openingOf(cookie: string): Promise<Opened> {
  const stream = await openEvents(address, cookie);
  const opened = (await stream.first) as Opened;
  stream.close();
  return opened;
}

async function readAt(path: string, cookie: string): Promise<readonly [server: string, at: number]> {
  const [name, at] = `${(await server.call('GET', path, { cookie })).headers['read-at']}`.split(' ');
  return [name!, Number(at)];
}

const rename = (cookie: string, displayName: string) =>
  server.call('PUT', '/api/session/name', { cookie, body: { displayName } });

test('an answer that was read after the last change is newer than what a stream begins with', async () => {
  const ann = await server.person({});
  const listening = await openEvents(address, ann.cookie);
  await listening.first;
  const told = listening.next('session');
  await rename(ann.cookie, 'Ann');
  await told;
  listening.close();
  const [name, at] = await readAt('/api/session', ann.cookie);
  const opened = await openingOf(ann.cookie);
  expect(opened.server).toBe(name);
  expect(opened.changed.session).toBeLessThan(at);
  expect(at).toBeLessThan(opened.at);
});

test('a change between an answer and the opening of a stream is newer than the answer; other kinds are not', async () => {
  const ann = await server.person({});
  const [, at] = await readAt('/api/session', ann.cookie);
  const listening = await openEvents(address, ann.cookie);
  await listening.first;
  const told = listening.next('session');
  await rename(ann.cookie, 'Ann');
  await told;
  listening.close();
  const { changed } = await openingOf(ann.cookie);
  expect(changed.session).toBeGreaterThan(at);
  expect(changed.visualizations).toBeLessThan(at);
});

// Shows P17.11.
test('a change at the moment of opening is either in the first event or comes after it', async () => {
  const ann = await server.person({});
  for (let round = 0; round < 20; round++) {
    const [, at] = await readAt('/api/session', ann.cookie);
    const [stream] = await Promise.all([openEvents(address, ann.cookie), rename(ann.cookie, `Ann ${round}`)]);
    const { changed } = (await stream.first) as Opened;
    if (changed.session! < at && !stream.heard.includes('session')) await stream.next('session');
    expect(changed.session! > at || stream.heard.includes('session')).toBe(true);
    stream.close();
  }
});

test('a stream says nothing of what its person may not hear of', async () => {
  const [waiting, user, admin] = [
    await server.person({ status: 'pending' }),
    await server.person({}),
    await server.person({ role: 'admin' }),
  ];
  const kinds = async (cookie: string) => Object.keys((await openingOf(cookie)).changed);
  expect(await kinds(waiting.cookie)).toEqual(['session']);
  expect(await kinds(user.cookie)).not.toContain('accounts');
  expect(await kinds(admin.cookie)).toContain('accounts');
});
