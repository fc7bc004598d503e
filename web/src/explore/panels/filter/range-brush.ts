import type { Range } from '@kc/pack/filter/filter';

/**
 * A range over bins: converts its ends to positions among the edges, and moves them between edges. Edges are ascending.
 * An open end is at the outermost edge.
 */
export type End = 'from' | 'to';

/** The edges that the ends snap to, rounded as far as the bins allow, so that filter values are readable. */
export function roundEdges(edges: readonly number[]): readonly number[] {
  const rounded = edges.map((edge) => Number(edge.toPrecision(3)));
  return rounded.every((edge, i) => i === 0 || edge > rounded[i - 1]!) ? rounded : edges;
}

/** The position of a value: 0 is the first edge, 1 the second one, and so on. */
export function placeOf(edges: readonly number[], value: number): number {
  const last = edges.length - 1;
  const next = edges.findIndex((edge) => edge > value);
  if (next === 0) return 0;
  if (next === -1) return last;
  const [low, high] = [edges[next - 1]!, edges[next]!];
  return next - 1 + (value - low) / (high - low);
}

export function placeOfEnd(edges: readonly number[], range: Range | undefined, end: End): number {
  const value = range?.[end];
  if (value === undefined) return end === 'from' ? 0 : edges.length - 1;
  return placeOf(edges, value);
}

/** The range after moving one end to an edge. It cannot pass the other end, and is open at the outermost edge. */
export function endAt(edges: readonly number[], range: Range | undefined, end: End, place: number): Range {
  const last = edges.length - 1;
  const [from, to] = [range?.from, range?.to];
  let at = Math.min(last, Math.max(0, Math.round(place)));
  if (end === 'from') while (at > 0 && to !== undefined && edges[at]! > to) at--;
  else while (at < last && from !== undefined && edges[at]! < from) at++;
  const isOpen = at === (end === 'from' ? 0 : last);
  return { from, to, [end]: isOpen ? undefined : edges[at]! };
}

/** The range after moving one end `by` edges from its current position. */
export function stepEnd(edges: readonly number[], range: Range | undefined, end: End, by: number): Range {
  const place = placeOfEnd(edges, range, end);
  const from = by > 0 ? Math.floor(place) : Math.ceil(place);
  return endAt(edges, range, end, from + by);
}
