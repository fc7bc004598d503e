/**
 * `npm run mutate`: whether a test fails when a fault is put into the sources; nothing is written to disk. A mutant is a
 * source with one fault. It is killed if a test fails, and survives if all tests pass.
 *
 * Two kinds are tried: the chosen ones of `chosen.ts`, in groups, on short tests; and `guards`, each guard of the server
 * that `guard-mutants.ts` finds, removed or weakened. `npm run mutate -- rules panels` tries two groups, and
 * `-- guards 80` a sample of 80 guards, spread over the files. Every other argument is a text: only mutants whose file and
 * line, or sentence, contain one of the texts are tried.
 *
 * The exit status is 1 if a mutant survives that is neither excused (`equivalent-mutants.ts`) nor left to a story.
 */
import { mutantGroups } from './chosen.ts';
import { mutateChosen } from './mutate-chosen.ts';
import { mutateGuards } from './mutate-guards.ts';
import { Trials } from './trials.ts';

const given = process.argv.slice(2);
const names: readonly string[] = [...mutantGroups, 'guards'];
const named = given.filter((one) => names.includes(one));
const most = given.find((one) => /^\d+$/.test(one));
const texts = given.filter((one) => !names.includes(one) && one !== most);
const isAsked = (name: string): boolean => named.length === 0 || named.includes(name);
const isWanted = (text: string): boolean => texts.length === 0 || texts.some((one) => text.includes(one));

const trials = await Trials.open();
const areChosenKilled = await mutateChosen(trials, mutantGroups.filter(isAsked), isWanted);
const areGuardsKilled =
  !isAsked('guards') || (await mutateGuards(trials, isWanted, most === undefined ? undefined : Number(most)));
await trials.close();
process.exitCode = areChosenKilled && areGuardsKilled ? 0 : 1;
