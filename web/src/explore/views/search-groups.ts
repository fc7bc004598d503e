import { foldForSearch } from '@kc/pack/search-fold';
import type { SearchHit } from '@kc/rules/shapes';

/** Hits under one pillar topic, in the order they were ranked. */
export type HitGroup = {
  /** Pack row of the pillar topic. */
  readonly node: number;
  readonly pillar: string;
  readonly hits: readonly SearchHit[];
};

/**
 * Hits by the branch right below the root they stand in. Groups keep the order of their best hit, hits keep theirs; the
 * root and the pillar topics themselves stand under their own name.
 */
export function groupByPillar(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<number, { node: number; pillar: string; hits: SearchHit[] }>();
  for (const hit of hits) {
    const { node, name: pillar } = hit.path[1] ?? hit;
    const group = groups.get(node);
    if (group) group.hits.push(hit);
    else groups.set(node, { node, pillar, hits: [hit] });
  }
  return [...groups.values()];
}

/** The pieces of a name, those that match the query marked, by the rules that the search itself has. */
export function markMatches(name: string, query: string): { readonly text: string; readonly hit: boolean }[] {
  const sought = foldForSearch(query.trim());
  const { fold, from } = foldWithPlaces(name);
  if (sought === '') return [{ text: name, hit: false }];
  const pieces: { text: string; hit: boolean }[] = [];
  let done = 0;
  for (let at = fold.indexOf(sought); at >= 0; at = fold.indexOf(sought, at + sought.length)) {
    const start = Math.max(done, from[at]!);
    const end = from[at + sought.length]!;
    if (start > done) pieces.push({ text: name.slice(done, start), hit: false });
    if (end > start) pieces.push({ text: name.slice(start, end), hit: true });
    done = Math.max(done, end);
  }
  if (done < name.length) pieces.push({ text: name.slice(done), hit: false });
  return pieces;
}

/** The fold of a name, and for each of its units, and behind them, where the letter it came of begins. */
function foldWithPlaces(name: string): { readonly fold: string; readonly from: readonly number[] } {
  let fold = '';
  const from: number[] = [];
  for (const { segment, index } of new Intl.Segmenter().segment(name)) {
    const letter = foldForSearch(segment);
    for (let unit = 0; unit < letter.length; unit++) from.push(index);
    fold += letter;
  }
  return { fold, from: [...from, name.length] };
}
