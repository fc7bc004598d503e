import { readText } from '../source-files.ts';
import { type ChosenMutant, changeOf, chosenMutants, type MutantGroup, testsOf } from './chosen.ts';
import type { Trials } from './trials.ts';

/**
 * Whether a test noticed the fault, the story that does although no short test did, or nothing. It is undecided if what
 * noticed it fails without the fault, too.
 */
type Verdict = 'killed' | 'by a story' | 'SURVIVED' | 'UNDECIDED';

/**
 * Tries the chosen mutants of some groups.
 *
 * @param isWanted says of a mutant's file and sentence whether it is tried
 * @returns whether each is killed, or left to a story
 */
export async function mutateChosen(
  trials: Trials,
  groups: readonly MutantGroup[],
  isWanted: (text: string) => boolean,
): Promise<boolean> {
  const totals: { readonly group: MutantGroup; readonly verdicts: readonly Verdict[] }[] = [];
  for (const group of groups) {
    const wanted = chosenMutants[group].filter(({ file, breaks }) => isWanted(`${file}: ${breaks}`));
    const verdicts: Verdict[] = [];
    for (const mutant of wanted) {
      const began = performance.now();
      const { verdict, by } = await verdictOn(mutant, trials);
      verdicts.push(verdict);
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(
        `${group} ${verdicts.length}/${wanted.length} ${seconds} s ${verdict} ${mutant.file}: ${mutant.breaks}`,
      );
      if (by) console.log(`    by ${by}`);
    }
    totals.push({ group, verdicts });
  }
  console.log('');
  for (const { group, verdicts } of totals) {
    const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
    console.log(
      `${group}: ${count('killed')} of ${verdicts.length} killed by short tests, ${count('by a story')} left to stories, ${count('SURVIVED')} survived, ${count('UNDECIDED')} undecided`,
    );
  }
  return totals.every(({ verdicts }) => !verdicts.includes('SURVIVED') && !verdicts.includes('UNDECIDED'));
}

async function verdictOn(mutant: ChosenMutant, trials: Trials): Promise<{ verdict: Verdict; by?: string }> {
  const { by, isSure } = await trials.killer(changeOf(mutant, readText(mutant.file)), testsOf(mutant));
  if (by !== undefined) return { verdict: isSure ? 'killed' : 'UNDECIDED', by };
  return mutant.story === undefined ? { verdict: 'SURVIVED' } : { verdict: 'by a story', by: mutant.story };
}
