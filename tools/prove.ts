/**
 * `npm run prove -- accounts 50000 60`: the long version of a test that the test run only samples. Arguments: the
 * topic, how many cases, and after how many minutes random histories stop. It prints its progress and, for random
 * tests, the seed; `PROVE_SEED=…` begins with that one. Exit status 1 if a case breaks a rule. Ended by Ctrl-C or
 * SIGTERM, it also ends every server and database that it started.
 *
 * `npm run prove -- all`: every topic, one after the other, each with its own number of cases, for a night. It ends with
 * one line per topic. Exit status 1 if one of them failed.
 *
 * `access`: every call of the API by every kind of caller about every kind of object, with invalid IDs, and by every
 * visitor of a link. `columns`: every question about every column that a link hides. `answers`: what each call answers to every stranger. `odd-texts` and `injection`: every odd text,
 * and every text that would become SQL, in every place of every call. `sorted-marks`: lists sorted by every column of
 * plan and changes, after each of many changes. `cross-site`: every unsafe call with the headers and bodies that other
 * sites can send. `migrations`: databases of every released schema are brought up to date. `accounts`: histories of
 * users against a model. `races`: two administrators against each other at two servers. `replicas`: what clients do at
 * two server processes at once, each answer explained by one order of all calls. `one-second`: a right removed at one
 * server is gone at the other within a second. `hostile`: files that are harmful by their length, read completely;
 * `--size 3GiB` is the length. `properties`: every random test of the data engine, that many times as many cases.
 * `filter`: random trees under random filters, every figure compared with a naive computation. `changes` and `matches`:
 * the same for what changed between two trees, and for which node is which. `damage`: a pack of which any byte is
 * another one. `plan-writes`: what two people write into a plan at once. `pictures`: random changes of the explorer,
 * every chart compared with the one that its address opens. `figures`: every figure of every node of all real files.
 * `differential`: random and damaged files through every tokenizer, compared with JSON.parse. `lists`: damaged CSV
 * files, compared with another parser. `real-lists`: every keyword of real lists, compared with another reader.
 * `ten-lists`: ten real lists become maps with the figures of their files. `year-of-lists`:
 * so many exports of next month, imported without anybody. `hostile-lists`: the same as `hostile` for
 * keyword lists. `hostile-workbooks`: spreadsheets of which one part is that long. `crash`: the server is killed at
 * every step of an upload and of its clean-up, for that many rounds, every second one together with its database; then,
 * if strace is installed, at the N-th system call. `disk-faults`: no space, and then read and write errors, at every
 * step. `kills`: a server, its database or both are killed at random, in containers and outside, and every account that
 * was acknowledged is there. `store-faults`: an S3 store that hangs for longer than a server waits. `memory-cap`: a file
 * of `--size` is read where all processes have 2 GiB of memory, which only root on Linux can limit. `fuzz`: requests
 * made from the API's document, and requests of agents, none of which may have a fault. `questions`: what
 * agents ask, about that many generated keywords: every figure compared with the file, and what it costs.
 * `fairness`: every query of maps with that many nodes,
 * none of which may keep the thread that answers everybody for 200 ms. `upload`: a file of `--size` over an unreliable
 * connection.
 * `axe` (also `npm run axe`): the accessibility of every screen in every size, every theme, with more contrast and in
 * forced colours. `engines`: the main stories in Chromium, too.
 */
import { endGroup, proofPlace } from './proof-place.ts';
import { type Proof, proofs } from './proofs.ts';
import { runStepInView, type Step } from './step.ts';

const [name = '', ...asked] = process.argv.slice(2);
const chosen = name === 'all' ? Object.keys(proofs) : Object.hasOwn(proofs, name) ? [name] : [];
if (chosen.length === 0) {
  console.error(`Say which: all, ${Object.keys(proofs).join(', ')}`);
  process.exit(1);
}
const [runs, minutes = '60'] = asked[0] === '--size' ? [mebibytes(asked[1]), asked[2]] : asked;
if (name === 'all' && runs !== undefined) {
  console.error('Every topic has its own number of cases: say nothing after all');
  process.exit(1);
}
const place = proofPlace();
let leader: number | undefined;
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isEnding = true;
    if (leader !== undefined) void endGroup(leader);
  });
}
const outcomes: { readonly topic: string; readonly passed: boolean; readonly minutes: number }[] = [];
for (const topic of chosen) {
  if (isEnding) break;
  const began = performance.now();
  const passed = await prove(topic, proofs[topic]!);
  outcomes.push({ topic, passed: passed && !isEnding, minutes: (performance.now() - began) / 60_000 });
}
await place.clear();
if (name === 'all') {
  console.log('');
  for (const { topic, passed, minutes: took } of outcomes)
    console.log(`${passed ? 'passed' : 'FAILED'}  ${topic}, ${took.toFixed(1)} min`);
}
process.exitCode = outcomes.length === chosen.length && outcomes.every(({ passed }) => passed) ? 0 : 1;

async function prove(topic: string, { files, project, runs: usual }: Proof): Promise<boolean> {
  const step: Step = {
    name: `proof of ${topic}`,
    command: ['node_modules/vitest/vitest.mjs', 'run', '--project', project ?? 'server', '--testTimeout=0', files],
  };
  const env = {
    ...process.env,
    PROVE_RUNS: runs ?? String(usual),
    PROVE_MINUTES: minutes,
    TMPDIR: place.folder,
  };
  const { passed } = await runStepInView(step, env, (pid) => {
    leader = pid;
  });
  if (leader !== undefined) await endGroup(leader);
  leader = undefined;
  return passed;
}

/** Proofs about a size take it in MiB as their number of cases. */
function mebibytes(size = ''): string {
  const [, number, unit] = /^(\d+)(MiB|GiB)$/.exec(size) ?? [];
  if (!number) throw new Error(`A size is written like 300MiB or 3GiB, not ${JSON.stringify(size)}`);
  return String(Number(number) * (unit === 'GiB' ? 1024 : 1));
}
