import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { whyNoSwift } from '../../server/test/support/swift.ts';
import { connect, installHint } from '../browser.ts';
import { arrive, blankPage, claim, makeAccount, type Person, signIn, type Visitor } from '../visitor.ts';
import type { Deployment, Replica } from './deployment.ts';

/** Who asks for these tests wants to know whether they pass: nothing is skipped. */
export function demandTools(): void {
  const reason = whyNoSwift() ?? (inject('browser') === '' ? installHint : undefined);
  if (reason) throw new Error(reason);
}

/**
 * What people do at two servers, one of which dies.
 *
 * @param isOneVersion whether what only this version does is told, too
 */
export function tellStories(start: () => Promise<Deployment>, isOneVersion: boolean): void {
  const mebibyte = 2 ** 20;
  const folder = mkdtempSync(join(tmpdir(), 'kc-replicas-file-'));
  const file = join(folder, 'garden.json');
  let browser: Browser;
  let deployment: Deployment;
  let admin: Visitor;
  let person: Person & { readonly id: string };
  beforeAll(async () => {
    deployment = await start();
    browser = await connect(inject('browserEndpoint'));
    admin = await visitor();
    // Both printed a claim link; the later one counts.
    await claim(admin, { ...deployment.startedLast.server, url: deployment.balancer.url });
    person = await makeAccount(admin, 'ann', 'approved');
    writeFileSync(file, mapFile(64 * mebibyte));
  });
  afterAll(async () => {
    await browser?.close();
    await deployment?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Whoever meets a server that has just died, or a database that is down, sees that in the console. */
  async function visitor(): Promise<Visitor> {
    const arrived = await arrive(browser, { url: deployment.balancer.url }, {}, blankPage);
    arrived.expectProblem(/50[0-9]|ERR_|Failed to load/);
    return arrived;
  }

  /** A small map in a file of `size` bytes: most of it is a note that no reader keeps. */
  function mapFile(size: number): string {
    const keywords = ['rake', 'spade'].map((keyword) => ({ keyword, search_volume: 90 }));
    const children = [{ name: 'Tools', children: ['rake', 'spade'] }];
    return JSON.stringify({
      note: randomBytes(size / 2).toString('hex'),
      keywords,
      hierarchy: { name: 'Garden', children },
    });
  }
  const picture = (page: Page) => page.getByRole('application', { name: /^Treemap of Garden/ });
  /** The user, looking at the map. */
  async function atTheMap(): Promise<Visitor> {
    const ann = await visitor();
    await signIn(ann, person);
    await ann.page.goto('/visualization');
    await picture(ann.page).waitFor();
    return ann;
  }

  async function beginUpload(): Promise<void> {
    const { page } = admin;
    await page.goto('/admin?tab=upload');
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: person.email }).click();
    await page.locator('input[type=file]').setInputFiles(file);
  }
  const received = async () => {
    const newest = 'select received from uploads order by created_at desc limit 1';
    const [row] = await deployment.query<{ received: string }>(newest);
    return Number(row?.received ?? 0);
  };
  /** Some bytes of a new upload are there, and others are missing. */
  async function inMidUpload(): Promise<void> {
    const [before] = await deployment.query<{ count: string }>('select count(*) from uploads');
    await beginUpload();
    const began = async () => (await deployment.query<{ count: string }>('select count(*) from uploads'))[0];
    await expect.poll(began, { interval: 20 }).not.toEqual(before);
    await expect.poll(received, { interval: 20 }).toBeGreaterThan(4 * mebibyte);
  }
  const uploaded = () =>
    admin.page.getByText(`File uploaded and processed successfully for ${person.email}`).waitFor({ timeout: 90_000 });

  // Shows P19.10.
  test('an upload survives the death of the server that receives it', async () => {
    await inMidUpload();
    await deployment.replicas[0]!.kill();
    expect(await received()).toBeLessThan(64 * mebibyte);
    await uploaded();
    await deployment.replicas[0]!.revive();
    await deployment.balancer.awaitReady(2);
  });

  // Shows P19.10.
  test('a user reads the map at both servers in turn', async () => {
    const ann = await visitor();
    await signIn(ann, person);
    for (const _ of Array(6)) {
      await ann.page.goto('/visualization');
      await picture(ann.page).waitFor();
    }
    for (const { server } of deployment.replicas)
      expect(deployment.balancer.passed.get(server.url)).toBeGreaterThan(20);
    await ann.context.close();
  });

  test('a restart of the database interrupts requests, and nobody has to sign in again', async () => {
    const ann = await atTheMap();
    await deployment.restartDatabase();
    await deployment.balancer.awaitReady(2);
    await ann.page.reload();
    await picture(ann.page).waitFor();
    await ann.context.close();
  });

  test.runIf(isOneVersion)(
    'an upload waits for a store that is away, and both servers say that they are not ready',
    async () => {
      const ann = await atTheMap();
      await inMidUpload();
      await deployment.store.pause();
      expect(await received()).toBeLessThan(64 * mebibyte);
      const statusesOf = (path: string) =>
        Promise.all(deployment.replicas.map(async ({ server }) => (await fetch(`${server.url}${path}`)).status));
      expect(await statusesOf('/readyz')).toEqual([503, 503]);
      expect(await statusesOf('/healthz')).toEqual([200, 200]);
      await deployment.store.resume();
      await deployment.balancer.awaitReady(2);
      await uploaded();
      await ann.page.reload();
      await picture(ann.page).waitFor();
      await ann.context.close();
    },
  );

  test.runIf(isOneVersion)(
    'with split roles one server takes an upload, and the other one reads it and serves nobody',
    async () => {
      const [serving, reading] = deployment.replicas as [Replica, Replica];
      await Promise.all([serving.kill(), reading.kill()]);
      await Promise.all([serving.revive('serve'), reading.revive('ingest')]);
      await deployment.balancer.awaitReady(1);
      await beginUpload();
      await uploaded();
      const reads = ({ server }: Replica) => server.said().includes('"event":"upload-reading-began"');
      expect([reads(serving), reads(reading)]).toEqual([false, true]);
      expect((await fetch(`${reading.server.url}/api/session`)).status).toBe(404);
      await (await atTheMap()).context.close();
      await Promise.all([serving.kill(), reading.kill()]);
      await Promise.all([serving.revive('all'), reading.revive('all')]);
      await deployment.balancer.awaitReady(2);
    },
  );

  test('whoever is denied at one server leaves the page that the other one serves', async () => {
    const ann = await atTheMap();
    await admin.page.goto(blankPage);
    await admin.call('PUT', `/users/${person.id}/status`, { status: 'denied' });
    await ann.page.waitForURL('**/access-denied');
    await ann.context.close();
  });
}
