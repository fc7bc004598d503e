import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';
import { filesUnder, readText } from '../source-files.ts';
import { equivalentMutants } from './equivalent-mutants.ts';
import { type Mutant, mutantsOf } from './guard-mutants.ts';
import { testsOf } from './guard-tests.ts';
import { changed } from './mutation.ts';
import type { Trials } from './trials.ts';

/** Files in which every statement decides about access. In all other files, only the guards are mutated. */
const mutatedWhole = new Set([
  'rules/src/access.ts',
  'rules/src/account.ts',
  'server/src/accounts/require.ts',
  'server/src/accounts/sessions.ts',
  'server/src/accounts/step-up.ts',
  'server/src/accounts/tokens.ts',
  'server/src/http/arrival.ts',
  'server/src/http/cross-site.ts',
  'server/src/http/network.ts',
  'server/src/http/rate-limits.ts',
  'server/src/visualizations/access.ts',
]);

/** The files of `rules` that decide about access, accounts, calls and settings. */
const rules = ['access', 'account', 'api', 'reading-api', 'settings'].map((name) => `rules/src/${name}.ts`);
/** Files that are not mutated: they serve no request, or run only behind the guards. */
const unguarded =
  /(\.test|\.conformance|\/testing-[\w-]+)\.ts$|^server\/src\/(storage|jobs|mail|commands|database)\/|ingest|^server\/src\/(account-machine|config|secret|unbuilt-parts)|\/sample\.ts$/;
const guarded = [...rules, ...filesUnder(['server/src'], /\.ts$/)].filter((file) => !unguarded.test(file));

const nameOf = ({ file, line, text, from, to }: Mutant): string =>
  `${file}:${line} ${text.slice(0, 90)}  [${from.trim().slice(0, 60)} → ${to.trim().slice(0, 30)}]`;

/**
 * Removes or weakens each guard in turn (SECURITY.md, SEC-03). Vitest gets the changed source in memory.
 *
 * @param isWanted says of a mutant's file and line whether it is tried; of an empty text, whether all are
 * @param most how many are tried, spread over the files; the same ones each time
 * @returns whether each is killed or excused, and each entry of `equivalentMutants` excuses exactly one
 */
export async function mutateGuards(
  trials: Trials,
  isWanted: (text: string) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const mutants = guarded
    .flatMap((file) => mutantsOf(file, readText(file), mutatedWhole.has(file)))
    .filter((mutant) => isWanted(nameOf(mutant)));
  const excuses = equivalentMutants.map((excuse) => ({
    excuse,
    mutants: mutants.filter(
      ({ file, text, from, to }) =>
        file === excuse.file && text.includes(excuse.line) && `${from} → ${to}`.includes(excuse.change),
    ),
  }));
  const stale = isWanted('') ? excuses.filter((excused) => excused.mutants.length !== 1) : [];
  for (const { excuse, mutants: found } of stale)
    console.log(`names ${found.length} mutants, not one: ${excuse.file} ${excuse.line}`);
  const excused = new Set(excuses.flatMap((one) => one.mutants));
  const tried = spread(
    mutants.filter((mutant) => !excused.has(mutant)),
    most,
  );

  const survivors: Mutant[] = [];
  let undecided = 0;
  const began = performance.now();
  for (const [index, mutant] of tried.entries()) {
    const { file, at, from, to } = mutant;
    // Every test would fail on a file that does not compile, which would prove nothing.
    stripTypeScriptTypes(changed(mutant, readText(file)));
    const { by, isSure } = await trials.killer({ file, at, from, to }, testsOf(file));
    if (by === undefined) survivors.push(mutant);
    if (!isSure) undecided++;
    const verdict = by === undefined ? 'SURVIVED' : isSure ? 'killed' : 'UNDECIDED';
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${index + 1}/${tried.length} ${seconds} s ${verdict} ${nameOf(mutant)}`);
    if (by !== undefined) console.log(`    by ${by}`);
  }
  const killed = tried.length - survivors.length - undecided;
  console.log(`\n${killed} of ${tried.length} killed, ${undecided} undecided, ${excused.size} excused`);
  for (const survivor of survivors) console.log(`survived: ${nameOf(survivor)}`);
  return survivors.length === 0 && undecided === 0 && stale.length === 0;
}

/** One mutant of each file, then a second one of each, and so on; which ones follows from their names. */
function spread(mutants: readonly Mutant[], most: number): readonly Mutant[] {
  if (mutants.length <= most) return mutants;
  const digest = (mutant: Mutant): string => createHash('sha256').update(nameOf(mutant)).digest('hex');
  const drawn = mutants.map((mutant) => ({ mutant, by: digest(mutant) })).sort((a, b) => (a.by < b.by ? -1 : 1));
  const ofFile = Map.groupBy(drawn, ({ mutant }) => mutant.file);
  const rounds = [...ofFile.values()].flatMap((of) => of.map((one, round) => ({ ...one, round })));
  const chosen = new Set(
    rounds
      .sort((a, b) => a.round - b.round || (a.by < b.by ? -1 : 1))
      .slice(0, most)
      .map(({ mutant }) => mutant),
  );
  return mutants.filter((mutant) => chosen.has(mutant));
}
