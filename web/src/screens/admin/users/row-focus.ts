/**
 * The row that a key moves to: its place, within those that are there.
 *
 * @param page how many rows a page is
 * @returns `undefined` for keys that move nothing
 */
export function placeAfter(key: string, place: number, count: number, page: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + page,
    PageUp: place - page,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

/**
 * The row to be at after the rows changed: the same while it is there, else the one that took its place, else the last
 * before it.
 *
 * @param was the rows as they were when `id` was among them
 * @returns `undefined` when no row is left of them
 */
export function rowAfterChange(id: string, was: readonly string[], now: readonly string[]): string | undefined {
  const left = new Set(now);
  if (left.has(id)) return id;
  const place = was.indexOf(id);
  return was.slice(place + 1).find((one) => left.has(one)) ?? was.slice(0, place).findLast((one) => left.has(one));
}
