/**
 * `npm run prove -- accounts 50000 60`: a proof that the test run only tastes, at length: what it is about, how many
 * cases, and after how many minutes random histories stop. It says how far it is and, for histories, the seed of each
 * batch; `PROVE_SEED=…` begins with that one. Exit status 1 when a case breaks a rule.
 *
 * `accounts`: histories of people against a model. `races`: two admins against each other at two servers.
 * `one-second`: what is taken from somebody at one server is gone at the other within a second.
 */
import { runStepInView } from './step.ts';

const proofs: Readonly<Record<string, { readonly files: string; readonly runs: number }>> = {
  accounts: { files: 'server/src/account-machine', runs: 50_000 },
  races: { files: 'server/src/accounts/races', runs: 200 },
  'one-second': { files: 'server/src/accounts/two-servers', runs: 200 },
};

const [name = '', runs, minutes = '60'] = process.argv.slice(2);
const chosen = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (!chosen) {
  console.error(`Say which: ${Object.keys(proofs).join(', ')}`);
  process.exit(1);
}
const step = {
  name: `proof of ${name}`,
  command: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', '--testTimeout=0', chosen.files],
} as const;
const env = { ...process.env, PROVE_RUNS: runs ?? String(chosen.runs), PROVE_MINUTES: minutes };
process.exitCode = (await runStepInView(step, env)).passed ? 0 : 1;
