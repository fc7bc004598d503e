import { readFilter } from '@kc/pack/filter/filter-text';
import { phrase, type TextQuery } from '@kc/pack/find/text-query';
import { useMemo } from 'react';
import { queryOf } from '../model/search.ts';
import { useLook } from './explorer-context.ts';
import { markMatches } from './match-marks.ts';
import { usePatterns } from './name-patterns.ts';

/**
 * A name with the matches of the search and of the text filter marked, underlined and in bold, regardless of colours.
 */
export function MarkedName({ name }: { readonly name: string }) {
  const query = useLook((state) => state.query);
  const match = useLook((state) => state.match);
  const filter = useLook((state) => state.filter);
  const queries = useMemo(() => [queryOf({ query, match }), ...wantedBy(filter)], [query, match, filter]);
  const patterns = usePatterns(useMemo(() => patternsOf(queries), [queries]));
  let start = 0;
  return markMatches(name, queries, patterns).map(({ text, hit }) => {
    const key = start;
    start += text.length;
    return hit ? (
      <mark
        key={key}
        className="bg-transparent font-semibold text-inherit underline decoration-2 decoration-[var(--highlight)] underline-offset-2"
      >
        {text}
      </mark>
    ) : (
      text
    );
  });
}

function wantedBy(text: string): readonly TextQuery[] {
  if (text === '') return [];
  const { contains, texts } = readFilter(text)!;
  return [...contains.map(phrase), ...texts.filter(({ isIn }) => isIn)];
}

const patternsOf = (queries: readonly TextQuery[]) =>
  queries.filter(({ mode, text }) => mode === 'regex' && text !== '').map(({ text }) => text);
