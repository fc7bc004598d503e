import { randomUUID } from 'node:crypto';
import type { PlanHistory } from '@kc/rules/plan-shapes';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { proof } from '../../test/support/proof.ts';

let server: PlannedServer;
let shop: string;

beforeAll(async () => {
  server = await startPlanned();
  await server.people();
  shop = await server.upload(fileOf('shoes > a: one 1 | b: two 2 | c: three 3'));
});
afterAll(() => server.stop());

const set = fc.record(
  {
    isPlanned: fc.boolean(),
    status: fc.constantFrom('idea', 'planned', 'written', 'live'),
    assignee: fc.constantFrom('', 'Lena', 'Tom'),
  },
  { requiredKeys: [] },
);
const write = fc.record({
  who: fc.constantFrom('ann', 'admin'),
  at: fc.subarray([0, 1, 2], { minLength: 1 }),
  set,
  addTags: fc.subarray(['x', 'y']),
  removeTags: fc.subarray(['x', 'z']),
  isRepeated: fc.boolean(),
});

const { runs, seed } = proof(2);

// Shows P24.2.
test('whatever two people write at once, every accepted value is in the history and the last of them is shown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 2, maxLength: 8 }), async (writes) => {
      await server.db.deleteFrom('plans').execute();
      await server.db.deleteFrom('rate_limits').execute();
      const targets = ['a', 'b', 'c'].map((name) => ({ node: nodeAt('shoes', name) }));
      const begun = await server.change('ann', shop, { targets });
      const ids = begun.body.entries.map(({ id }) => id);
      const base = begun.body.revision;
      const answers = await Promise.all(
        writes.flatMap(({ who, at, isRepeated, ...change }) => {
          const body = { batch: randomUUID(), base, targets: at.map((one) => ({ entry: ids[one]! })), ...change };
          return [server.change(who, shop, body), ...(isRepeated ? [server.change(who, shop, body)] : [])];
        }),
      );
      expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
      const { entries } = await server.read('ann', shop);
      for (const entry of entries) {
        const path = `/visualizations/${shop}/plan/history?entry=${entry.id}`;
        const { lines } = (await server.call<PlanHistory>('ann', 'GET', path)).body;
        for (const field of ['isPlanned', 'status', 'assignee', 'tags'] as const) {
          const own = lines.filter((line) => line.field === field).reverse();
          for (const [at, line] of own.entries()) if (at > 0) expect(line.before).toEqual(own[at - 1]!.after);
          if (own.length > 0) expect(entry[field]).toEqual(own.at(-1)!.after);
          // All wrote on one revision: whoever changed a field first is the only one who did.
          const writers = new Set(own.flatMap(({ revision, by }) => (revision > base ? [by] : [])));
          if (field !== 'tags') expect(writers.size).toBeLessThanOrEqual(1);
        }
      }
      // Each wanted value was set, was there, or is told as a conflict.
      const last = new Map(entries.map((entry) => [entry.id, entry]));
      for (const { body } of answers) {
        for (const { entry, field } of body.conflicts) expect(last.get(entry)!.marks[field]!.rev).toBeGreaterThan(base);
      }
    }),
    { numRuns: runs, seed },
  );
});
