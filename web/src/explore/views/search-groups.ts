import type { SearchHit } from '@kc/rules/shapes';

/** Hits under one pillar topic, in the order they were ranked. */
export type HitGroup = { readonly pillar: string; readonly hits: readonly SearchHit[] };

/**
 * Hits by the branch right below the root they stand in. Groups keep the order of their best hit, hits keep theirs; the
 * root and the pillar topics themselves stand under their own name.
 */
export function groupByPillar(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const pillar = hit.path[1]?.name ?? hit.name;
    const group = groups.get(pillar);
    if (group) group.push(hit);
    else groups.set(pillar, [hit]);
  }
  return [...groups].map(([pillar, grouped]) => ({ pillar, hits: grouped }));
}

/** The pieces of a name, those that match the query marked; case does not matter. */
export function markMatches(name: string, query: string): { readonly text: string; readonly hit: boolean }[] {
  const sought = query.trim().toLowerCase();
  const inLower = name.toLowerCase();
  // A few letters change their length in lower case; then places in one text mean nothing in the other.
  if (sought === '' || inLower.length !== name.length) return [{ text: name, hit: false }];
  const pieces: { text: string; hit: boolean }[] = [];
  let from = 0;
  for (let at = inLower.indexOf(sought); at >= 0; at = inLower.indexOf(sought, from)) {
    if (at > from) pieces.push({ text: name.slice(from, at), hit: false });
    pieces.push({ text: name.slice(at, at + sought.length), hit: true });
    from = at + sought.length;
  }
  if (from < name.length) pieces.push({ text: name.slice(from), hit: false });
  return pieces;
}
