import { afterAll, describe, expect, test } from 'vitest';
import {
  claimLink,
  freePort,
  newDataDir,
  type RunningServer,
  removeDataDir,
  spawnServer,
  startServer,
} from './server.ts';

/** These stories run everywhere, because they need no browser. */
describe('a data directory outlives its server', () => {
  const dataDir = newDataDir();
  const started: RunningServer[] = [];
  const start = async (port?: number) => {
    const server = await startServer({ dataDir, ...(port ? { port } : {}) });
    started.push(server);
    return server;
  };
  afterAll(async () => {
    await Promise.all(started.map((server) => server.stop()));
    removeDataDir(dataDir);
  });

  const post = (server: RunningServer, path: string, body: object) =>
    fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify(body),
    });

  // Shows P19.2.
  test('a second start is refused with a message, kill -9 loses nothing, Ctrl-C exits with 0', async () => {
    const first = await start();
    const token = new URL(claimLink(first)).hash.slice(1).replace(/^token=/, '');
    expect((await post(first, '/claim', { token, password: 'a long quiet evening' })).status).toBe(200);

    const second = spawnServer({ dataDir, port: await freePort() });
    expect(await second.ended).not.toBe(0);
    expect(second.said()).toContain(`Another server already uses ${dataDir}`);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);

    first.process.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');

    const next = await start(Number(new URL(first.url).port));
    const signIn = { email: 'admin@example.com', password: 'a long quiet evening', remember: false };
    expect((await post(next, '/session', signIn)).status).toBe(200);
    expect(next.said(), 'the admin has a credential, so no link is needed').not.toContain('/claim#');

    expect(await next.stop()).toBe(0);
    await expect(fetch(`${next.url}/healthz`)).rejects.toThrow();
  });
});
