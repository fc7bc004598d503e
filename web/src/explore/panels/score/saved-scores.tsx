import { writeReadable } from '@kc/pack/formula/formula-text';
import { readScore } from '@kc/pack/score/score';
import { limits } from '@kc/rules/limits';
import { presetNames } from '../../model/score.ts';
import { SavedTextList } from '../saved/saved-texts.tsx';
import { useSavedTexts } from '../saved/use-saved-texts.ts';

const words = {
  empty: 'Enter a formula, and save it here for all your visualizations',
  saveAs: 'Save this score as',
  save: 'Save score',
} as const;

/**
 * Scores that the user saved under a name, and a field that saves the one in the editor.
 *
 * @param score undefined while its formula has an error. A preset has a name already
 */
export function SavedScores({ score, onApply }: { score: string | undefined; onApply: (text: string) => void }) {
  const saved = useSavedTexts('savedScores');
  const own = score === undefined || presetNames.has(score) ? '' : score;
  const read = own === '' ? undefined : readScore(own);
  const suggested = read ? writeReadable(read.expression).slice(0, limits.maxPresetNameLength) : '';
  return (
    <section aria-label="My scores" className="border-t border-line pt-3">
      <h3 className="m-0 mb-1.5 text-small font-semibold">My scores</h3>
      <SavedTextList saved={saved} current={own} suggested={suggested} words={words} onApply={onApply} />
    </section>
  );
}
