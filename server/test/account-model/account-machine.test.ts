import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proof, report } from '../support/proof.ts';
import { type History, histories, tell } from './histories.ts';
import { Watch } from './invariants.ts';
import { modelOf } from './start.ts';
import { deliverLetters } from './step.ts';
import { World } from './world.ts';

/** Number of histories that are run with one seed. */
const batch = 100;
/** Worlds that run in parallel, so that neither the server nor the database waits for the other. */
const abreast = 3;

let worlds: readonly World[] = [];
beforeAll(async () => {
  worlds = await Promise.all(Array.from({ length: abreast }, World.open));
});
afterAll(() => Promise.all(worlds.map((world) => world.close())));

async function live({ start, steps }: History, world: World): Promise<void> {
  const begun = modelOf(start, world.nextBeginning());
  const { model } = begun;
  await world.begin(begun);
  const watch = new Watch();
  await watch.begin(model, world);
  for (const step of steps) {
    await watch.through(step, model, world);
    await deliverLetters(model, world);
  }
  await watch.end(model, world);
}

/** The history that broke a rule, with the seed that reproduces it, or `undefined`. */
async function findBreach(world: World, seed: number, numRuns: number): Promise<string | undefined> {
  const property = fc.asyncProperty(histories, (history) => live(history, world));
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed, numRuns });
  return failed ? `${errorInstance}\n${counterexample ? tell(counterexample[0]) : ''}\nPROVE_SEED=${seed}` : undefined;
}

// Shows P18.7.
test(
  'SEC-05 SEC-06 no history gives a user more rights than a proof, an admin or the policy did',
  async () => {
    const { runs, endsAt, seed } = proof(100);
    let begun = 0;
    let lived = 0;
    const breaches: string[] = [];
    const go = async (world: World): Promise<void> => {
      while (begun < runs && breaches.length === 0 && Date.now() < endsAt) {
        const first = begun;
        begun += batch;
        const breach = await findBreach(world, seed + first, Math.min(batch, runs - first));
        if (breach) breaches.push(breach);
        lived += Math.min(batch, runs - first);
        report(`${lived} of ${runs} histories; this batch had seed ${seed + first}`);
      }
    };
    await Promise.all(worlds.map(go));
    expect(breaches.join('\n\n')).toBe('');
    expect(lived).toBeGreaterThan(0);
  },
  2 ** 31 - 1,
);
