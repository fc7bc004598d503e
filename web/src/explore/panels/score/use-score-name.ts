import { scoreName } from '../../model/score.ts';
import { useExplorer } from '../explorer-context.ts';
import { useSaved } from '../saved/saved.ts';

/**
 * Names scores by their canonical texts: like an equal preset, or one that the user has saved, otherwise "Score". The saved ones
 * are only asked for where a score is set.
 */
export function useScoreName(isSet = true): (text: string) => string {
  const { isKept } = useExplorer();
  const { texts } = useSaved('savedScores', isKept && isSet);
  return (text) => {
    const name = scoreName(text);
    return name === 'Score' ? (texts?.find((saved) => saved.text === text)?.name ?? name) : name;
  };
}
