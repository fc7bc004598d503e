/** An entry as matching sees it: the keys of its paths, the current one first, then the earlier ones, newest first. */
export type MatchedEntry = { readonly id: string; readonly paths: readonly string[] };

/**
 * The node of each entry in an upload. An entry has the node at its current path; otherwise, the one at its newest
 * earlier path that exists and belongs to no other entry. Entries without a node are not in the result.
 *
 * Entries with a current path that exists come first, then the others in their order, so the result does not depend on
 * what else changed.
 *
 * @param nodeAt the node with a path; undefined if the upload has none
 */
export function matchEntries<Node>(
  entries: readonly MatchedEntry[],
  nodeAt: (path: string) => Node | undefined,
): ReadonlyMap<string, Node> {
  const matches = new Map<string, Node>();
  const matchedNodes = new Set<Node>();
  const match = (id: string, node: Node): void => {
    matches.set(id, node);
    matchedNodes.add(node);
  };
  for (const { id, paths } of entries) {
    const node = paths[0] === undefined ? undefined : nodeAt(paths[0]);
    if (node !== undefined && !matchedNodes.has(node)) match(id, node);
  }
  for (const { id, paths } of entries) {
    if (matches.has(id)) continue;
    for (const path of paths.slice(1)) {
      const node = nodeAt(path);
      if (node === undefined || matchedNodes.has(node)) continue;
      match(id, node);
      break;
    }
  }
  return matches;
}

/** A place where an entry without a node may belong: its overlap with the entry, from 0 to 1. */
type Likeness = { readonly address: string; readonly overlap: number };

/** From this overlap of keywords on, a branch is suggested; and the overlap of a likely one. */
const suggestedOverlap = 0.5;
const likelyOverlap = 0.8;

/**
 * The suggestion for an entry without a node: the candidate with the greatest overlap, if that is at least half. It is
 * likely if it is clearly the only one.
 *
 * @param candidates branches that belong to no entry, in pack order
 */
export function suggestPlace(candidates: readonly Likeness[]): (Likeness & { readonly isLikely: boolean }) | undefined {
  const [best, next] = candidates.toSorted((one, other) => other.overlap - one.overlap);
  if (!best || best.overlap < suggestedOverlap) return undefined;
  return { ...best, isLikely: best.overlap >= likelyOverlap && (next?.overlap ?? 0) < suggestedOverlap };
}
