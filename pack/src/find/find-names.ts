import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader, Texts } from '../format/pack-reader.ts';
import { foldForSearch } from '../names/normal-form.ts';
import { findFallback, hitKind, type TextFinder } from './find-fallback.ts';
import { findTexts } from './find-texts.ts';
import { foldedNames, foldedReader } from './folded-names.ts';
import { compilePattern, isProblem, type PatternProblem } from './name-pattern.ts';
import { type TextQuery, trimmed, wordsOf } from './text-query.ts';

/** How well the name of every node matches, by row (see `hitKind`), and the number of matches. */
export type Hits = { readonly kinds: Uint8Array; readonly total: number };

export type SearchInput = {
  readonly find?: TextFinder | undefined;
  /** Called between pieces of work of a few milliseconds; an error it throws ends the search. */
  readonly pause?: Pause | undefined;
};

/** `count` contiguous rows from `first` on. */
type Rows = { readonly first: number; readonly count: number };

/**
 * Finds nodes by their name, ignoring case and accents. A query without any letters finds nothing.
 *
 * For several words, the kind of a match is that of the whole text if the name equals it or starts with it. Otherwise it is the worst kind
 * among the words in mode `all`, and the best kind in mode `any`.
 *
 * Cost: one pass per word over the bytes of all names, which are read once and cached with the pack; 1 byte per node.
 */
export function findNames(pack: PackReader, query: TextQuery, parts?: SearchInput): Promise<Hits> {
  return findRows(pack, { first: 0, count: pack.metadata.nodes }, query, parts);
}

/**
 * {@link findNames} for the keywords that no node names. Their rows follow the nodes; `kinds[0]` is the first of them.
 */
export function findUnplaced(pack: PackReader, query: TextQuery, parts?: SearchInput): Promise<Hits> {
  const { nodes, notInHierarchy } = pack.metadata;
  return findRows(pack, { first: nodes, count: notInHierarchy }, query, parts);
}

/** Whether a query has nothing to search for. */
export function isBlank(query: TextQuery): boolean {
  return query.mode === 'regex' ? query.text === '' : foldForSearch(query.text).trim() === '';
}

async function findRows(pack: PackReader, rows: Rows, query: TextQuery, parts: SearchInput = {}): Promise<Hits> {
  if (isBlank(query) || rows.count === 0) return { kinds: new Uint8Array(rows.count), total: 0 };
  if (query.mode === 'regex') return findPattern(pack, rows, query.text, { ...parts, pause: parts.pause ?? noPause });
  const text = foldForSearch(trimmed(query));
  const words = wordsOf(text);
  if (query.mode === 'phrase' || words.length === 1)
    return findFolded(pack, rows, query.mode === 'phrase' ? text : words[0]!, parts);
  const kinds = await findWords(pack, rows, words, query.mode, parts);
  const phrase = await findFolded(pack, rows, words.join(' '), parts);
  let total = 0;
  await eachPiece(rows.count, parts.pause ?? noPause, (from, end) => {
    for (let row = from; row < end; row++) {
      const kind = phrase.kinds[row]!;
      if (kind === hitKind.whole || (kind === hitKind.beginning && kinds[row] !== hitKind.whole)) kinds[row] = kind;
      total += Number(kinds[row] !== hitKind.none);
    }
  });
  return { kinds, total };
}

async function findWords(
  pack: PackReader,
  rows: Rows,
  words: readonly string[],
  mode: 'all' | 'any',
  parts: SearchInput,
): Promise<Uint8Array> {
  const joined = mode === 'all' ? worstOfBoth : bestOfBoth;
  const kinds = new Uint8Array(rows.count).fill(mode === 'all' ? hitKind.word : hitKind.none);
  for (const word of words) {
    const { kinds: ofWord } = await findFolded(pack, rows, word, parts);
    await eachPiece(rows.count, parts.pause ?? noPause, (from, end) => {
      for (let row = from; row < end; row++) kinds[row] = joined(kinds[row]!, ofWord[row]!);
    });
  }
  return kinds;
}

const worstOfBoth = (one: number, other: number) =>
  one === hitKind.none || other === hitKind.none ? hitKind.none : Math.max(one, other);

function bestOfBoth(one: number, other: number): number {
  if (one === hitKind.none || other === hitKind.none) return Math.max(one, other);
  return Math.min(one, other);
}

/** @param text folded, not empty */
async function findFolded(
  pack: PackReader,
  { first, count }: Rows,
  text: string,
  { find: finder, pause = noPause }: SearchInput,
): Promise<Hits> {
  const needle = new TextEncoder().encode(text);
  const kinds = new Uint8Array(count);
  const find = finder?.find ?? findFallback;
  const foldStarts = (await pack.column('folded')).subarray(first);
  const firstFold = foldStarts[0]!;
  const folds = new Uint8Array(foldStarts[count]! - firstFold);
  let total = await findTexts(textsFrom(await pack.texts('name', finder?.room), first), needle, kinds, find, pause);
  // Most names equal their fold; for the others, the folded form is searched.
  if (folds.length > 0) {
    await findTexts(textsFrom(await pack.texts('fold', finder?.room), firstFold), needle, folds, find, pause);
    await eachPiece(count, pause, (from, end) => {
      if (foldStarts[from] === foldStarts[end]) return;
      for (let row = from; row < end; row++) {
        if (foldStarts[row] === foldStarts[row + 1]) continue;
        const kind = folds[foldStarts[row]! - firstFold]!;
        total += Number(kind !== hitKind.none) - Number(kinds[row] !== hitKind.none);
        kinds[row] = kind;
      }
    });
  }
  return { kinds, total };
}

const textsFrom = ({ start, bytes }: Texts, first: number): Texts => ({ start: start.subarray(first), bytes });

/** A pattern that `compilePattern` refuses. Callers check patterns before they search. */
export class PatternError extends Error {
  readonly problem: PatternProblem;

  constructor(problem: PatternProblem) {
    super(`${problem.reason} at ${problem.at}`);
    this.name = 'PatternError';
    this.problem = problem;
  }
}

/** The number of names between two pauses: a few milliseconds for most patterns. */
const namesAtATime = 2 ** 10;

/**
 * Finds the names that match a regular expression, among `count` rows from `first` on.
 *
 * Cost: linear in the length of each name; about 2 µs for a name, and 7 µs more for one that matches.
 *
 * @throws PatternError
 */
async function findPattern(
  pack: PackReader,
  { first, count }: { readonly first: number; readonly count: number },
  text: string,
  { find, pause }: { readonly find?: TextFinder | undefined; readonly pause: Pause },
): Promise<{ readonly kinds: Uint8Array; readonly total: number }> {
  const pattern = compilePattern(text);
  if (isProblem(pattern)) throw new PatternError(pattern);
  const nameOf = foldedReader(await foldedNames(pack, find));
  const kinds = new Uint8Array(count);
  let total = 0;
  for (let at = 0; at < count; at++) {
    if (at > 0 && at % namesAtATime === 0) await pause();
    const name = nameOf(first + at);
    if (!pattern.matches(name)) continue;
    kinds[at] = pattern.kindOf(name);
    total += Number(kinds[at] !== hitKind.none);
  }
  return { kinds, total };
}
