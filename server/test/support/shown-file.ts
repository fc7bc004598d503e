import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { cookieOf, startTestApp } from './app.ts';
import { testDatabase } from './database.ts';
import { insertAccount } from './rows.ts';
import { tusClient } from './tus.ts';

/** A server with one file as the active visualization of a user. */
export type ShownFile = {
  /** Requests a path below the visualization's address, as its owner. */
  get(path: string): Promise<Response>;
  /** Sends bytes to a path below it. */
  post(path: string, body: Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Sends a JSON body to such a path. */
  send(path: string, body: object): Promise<Response>;
  stop(): Promise<void>;
};

export async function showFile(file: object): Promise<ShownFile> {
  const database = await testDatabase(prepareJobs);
  const directory = await mkdtemp(join(tmpdir(), 'kc-shown-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'ann');
  const app = await startTestApp(database, directory);
  const cookie = await cookieOf(database, 'ann');
  const client = tusClient(app.url, await cookieOf(database, 'admin'));
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const { visualizationId } = await client.settled(await client.send(bytes, { filename: 'shop.json', userId: 'ann' }));
  return {
    get: (path) => fetch(`${app.url}/api/visualizations/${visualizationId}/${path}`, { headers: { cookie } }),
    post: (path, body) =>
      fetch(`${app.url}/api/visualizations/${visualizationId}/${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/octet-stream' },
        body,
      }),
    send: (path, body) =>
      fetch(`${app.url}/api/visualizations/${visualizationId}/${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async stop() {
      await app.stop();
      expect(app.faults).toEqual([]);
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}
