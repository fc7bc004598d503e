import { defaultThresholds } from '@kc/pack/vocabulary/warnings';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { untilOneWaits } from '../../test/support/database.ts';
import { fileOf, nodeAt, type PlannedServer, type Refused, startPlanned } from '../../test/support/planned.ts';

let server: PlannedServer;
let shop: string;
beforeAll(async () => {
  server = await startPlanned();
});
beforeEach(async () => {
  await server.people();
  shop = await server.upload(fileOf('shoes > trail: boots 30 | road: flats 2'));
});
afterAll(() => server.stop());

const node = nodeAt('shoes', 'trail');
const writes: Readonly<Record<string, () => Promise<{ status: number; body: unknown }>>> = {
  'plan a branch': () => server.change('admin', shop, { targets: [{ node }] }),
  'dismiss a warning': () => server.call('admin', 'PUT', `/visualizations/${shop}/dismissed`, { kind: 'single', node }),
  'change thresholds': () =>
    server.call('admin', 'PUT', `/visualizations/${shop}/warning-thresholds`, {
      thresholds: { ...defaultThresholds, oversized: 7 },
    }),
};

test.each(Object.keys(writes))(
  'REL-17 an admin who is demoted while the request to %s is open writes nothing',
  async (name) => {
    let answer: ReturnType<(typeof writes)[string]> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await tx.updateTable('accounts').set({ role: 'user' }).where('id', '=', 'admin').execute();
      answer = writes[name]!();
      await untilOneWaits(server.db);
    });
    const { status, body } = (await answer)!;
    expect([status, (body as Refused).data.code]).toEqual([404, 'visualization/not-found']);
    expect((await server.read('ann', shop)).entries).toEqual([]);
    for (const table of ['dismissed_warnings', 'warning_thresholds'] as const)
      expect(await server.db.selectFrom(table).selectAll().execute()).toEqual([]);
  },
);
