import { readFilter } from '@kc/pack/filter/filter-text';
import type { NamePattern, PatternProblem } from '@kc/pack/find/name-pattern';
import { phrase, type TextQuery, trimmed, wordsOf } from '@kc/pack/find/text-query';
import { foldForSearch } from '@kc/pack/names/normal-form';
import { shownName } from '@kc/rules/visible-text';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { lazily } from '../../ui/number-text.ts';
import { queryOf } from '../model/search.ts';
import { useLooks } from './explorer-context.ts';

/**
 * A name with the matches of the search and of the text filter marked, underlined and in bold, regardless of colours.
 */
export function MarkedName({ name }: { readonly name: string }) {
  const { query, match, filter } = useLooks('query', 'match', 'filter');
  const queries = useMemo(() => [queryOf({ query, match }), ...queriesOf(filter)], [query, match, filter]);
  const patterns = usePatterns(useMemo(() => patternsOf(queries), [queries]));
  let start = 0;
  return markMatches(shownName(name), queries, patterns).map(({ text, hit }) => {
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

function queriesOf(text: string): readonly TextQuery[] {
  if (text === '') return [];
  const { contains, texts } = readFilter(text)!;
  return [...contains.map(phrase), ...texts.filter(({ isIn }) => isIn)];
}

const patternsOf = (queries: readonly TextQuery[]) =>
  queries.filter(({ mode, text }) => mode === 'regex' && text !== '').map(({ text }) => text);

/** A piece of a name, and whether it matches. */
type Piece = { readonly text: string; readonly hit: boolean };

/**
 * Splits a name into pieces and marks those that match one of the queries, by the rules of the search.
 *
 * @param patterns the compiled regular expressions of the queries
 */
export function markMatches(
  name: string,
  queries: readonly TextQuery[],
  patterns: readonly NamePattern[] = [],
): readonly Piece[] {
  const whole = foldForSearch(name);
  const sought = queries.flatMap((query) => textsIn(whole, query));
  const matching = patterns.filter((pattern) => pattern.matches(whole));
  if (sought.length + matching.length === 0) return [{ text: name, hit: false }];
  const { fold, from } = foldWithPlaces(name);
  const spans = matching.flatMap((pattern) => pattern.spansIn(fold).map(([at, end]) => ({ at, length: end - at })));
  const stretches = [...sought.flatMap((text) => occurrences(fold, text)), ...spans].sort(
    (one, other) => one.at - other.at,
  );
  const pieces: Piece[] = [];
  let done = 0;
  for (const { at, length } of stretches) {
    const start = Math.max(done, from[at]!);
    const end = from[at + length]!;
    if (end <= start) continue;
    if (start > done) pieces.push({ text: name.slice(done, start), hit: false });
    const before = pieces.at(-1);
    // Merge adjacent pieces: a border between them would look like a gap.
    if (before?.hit) pieces[pieces.length - 1] = { text: before.text + name.slice(start, end), hit: true };
    else pieces.push({ text: name.slice(start, end), hit: true });
    done = end;
  }
  if (done < name.length) pieces.push({ text: name.slice(done), hit: false });
  return pieces;
}

/** The folded texts of a query that a folded name contains; none if the name does not match. */
function textsIn(name: string, query: TextQuery): readonly string[] {
  if (query.mode === 'regex') return [];
  const text = foldForSearch(trimmed(query));
  const texts = (query.mode === 'phrase' ? [text] : wordsOf(text)).filter((word) => word !== '');
  const found = texts.filter((word) => name.includes(word));
  return query.mode === 'all' && found.length < texts.length ? [] : found;
}

/** Non-overlapping occurrences of a text in another one. */
function occurrences(fold: string, text: string): { readonly at: number; readonly length: number }[] {
  const found = [];
  for (let at = fold.indexOf(text); at >= 0; at = fold.indexOf(text, at + text.length))
    found.push({ at, length: text.length });
  return found;
}

const segmenter = lazily(() => new Intl.Segmenter());

/** The folded name, and for each of its code units, plus one past the end, the index of the original letter. */
function foldWithPlaces(name: string): { readonly fold: string; readonly from: readonly number[] } {
  let fold = '';
  const from: number[] = [];
  for (const { segment, index } of segmenter().segment(name)) {
    const letter = foldForSearch(segment);
    for (let unit = 0; unit < letter.length; unit++) from.push(index);
    fold += letter;
  }
  return { fold, from: [...from, name.length] };
}

type Compiled = NamePattern | PatternProblem;

/** The regular expression engine, loaded on first use. Compiled patterns are cached by their text. */
let engine: typeof import('@kc/pack/find/name-pattern') | undefined;
let compiled: ReadonlyMap<string, Compiled> = new Map();
const watchers = new Set<() => void>();
const maxCompiled = 20;

/** Compiles a regular expression as the server does. Rejects if the engine cannot be loaded. */
export async function compile(text: string): Promise<Compiled> {
  engine ??= await import('@kc/pack/find/name-pattern');
  const known = compiled.get(text);
  if (known) return known;
  const pattern = engine.compilePattern(text);
  compiled = new Map([...[...compiled].slice(1 - maxCompiled), [text, pattern]]);
  for (const listener of watchers) listener();
  return pattern;
}

/** The patterns that are compiled. The others follow once the engine has loaded, except invalid ones. */
function usePatterns(texts: readonly string[]): readonly NamePattern[] {
  const known = useSyncExternalStore(watch, () => compiled);
  useEffect(() => {
    // Without the engine nothing is marked. The search itself runs on the server.
    for (const text of texts) compile(text).catch(() => undefined);
  }, [texts]);
  return texts.flatMap((text) => {
    const pattern = known.get(text);
    return pattern && 'matches' in pattern ? [pattern] : [];
  });
}

function watch(listener: () => void): () => void {
  watchers.add(listener);
  return () => watchers.delete(listener);
}
