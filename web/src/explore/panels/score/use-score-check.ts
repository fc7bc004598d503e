import type { FormulaProblem } from '@kc/pack/formula/formula-problem';
import type { TopicLevel } from '@kc/pack/levels/level';
import type { ScoreCheck } from '@kc/rules/score-shapes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pageLevelOf } from '../../model/levels.ts';
import { scoreName } from '../../model/score.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { useSaved } from '../saved/saved.ts';

type Summary = ScoreCheck & { readonly isValid: true };

/** The distribution of a score, and the rows that it covers. */
export type Checked = { readonly summary: Summary; readonly level: TopicLevel | 'keywords' };
/** What only the server knows to be wrong, and with which score. */
export type Refused = { readonly problem: FormulaProblem; readonly score: string };

/**
 * Checks a score within the focus: on its smallest topics, or on its keywords where it holds none. Keeps the latest
 * answer while the next one loads.
 *
 * @param score the canonical text; undefined while the formula is wrong
 */
export function useScoreCheck(score: string | undefined) {
  const { id, source, tree } = useExplorer();
  const filter = useLook((state) => state.filter);
  const pages = useLook(pageLevelOf);
  const within = useLook((state) => tree.node[state.focus] ?? 0);
  return useQuery({
    queryKey: ['score-check', id, score, within, filter, pages],
    queryFn: async ({ signal }): Promise<Checked | Refused> => {
      for (const level of [pages, 'keywords'] as const) {
        const summary = await source.checkScore({ score: score!, level, within, filter }, { signal });
        if (!summary.isValid) return { problem: summary.problem as FormulaProblem, score: score! };
        if (summary.known + summary.unknown > 0 || level === 'keywords') return { summary, level };
      }
      throw new Error('A level without an answer');
    },
    enabled: score !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

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
