/**
 * Which rows of a list are picked, which row keys act on, and where the next range begins: the one selection of all
 * lists. Every function returns a new value.
 */

/** The picked rows by key, in the order in which they were picked; or all rows of a list except these. */
export type Picks<Key = unknown, Row = unknown> = {
  /** Set if all rows are picked except those in `rows`; undefined if exactly those are. */
  readonly all?: unknown;
  readonly rows: ReadonlyMap<Key, Row>;
};

/** A row with its key, and what is stored of it. */
type EntryOf<P extends Picks> = P extends Picks<infer Key, infer Row> ? readonly [key: Key, row: Row] : never;

/** Whether a row is picked. */
export const isPickedRow = <Key>({ all, rows }: Picks<Key>, key: Key): boolean =>
  all === undefined ? rows.has(key) : !rows.has(key);

/** Picks a row, or unpicks it. */
export function togglePick<P extends Picks>(picks: P, entry: EntryOf<P>): P {
  const [key, row]: readonly [unknown, unknown] = entry;
  const rows = new Map(picks.rows);
  if (!rows.delete(key)) rows.set(key, row);
  return { ...picks, rows };
}

/** Picks these rows, too. */
export function pickMore<P extends Picks>(picks: P, more: Iterable<EntryOf<P>>): P {
  const rows = new Map(picks.rows);
  for (const [key, row] of more as Iterable<readonly [unknown, unknown]>) {
    if (picks.all !== undefined) rows.delete(key);
    else if (!rows.has(key)) rows.set(key, row);
  }
  return { ...picks, rows };
}

/**
 * Picks of a list with its cursor.
 *
 * @typeParam Place what names a row for the cursor: its key, or its rank in a list of which only a part is loaded
 */
export type Selection<Place, P> = {
  /** The row that keys act on. */
  readonly cursor: Place | undefined;
  readonly picks: P;
  /** The range that ends at the cursor: where it began, and what was picked without it. */
  readonly range?: { readonly from: Place; readonly before: P } | undefined;
};

/** Moves the cursor. The next range begins there. */
export const moveCursor = <Place, P>(
  { picks }: Selection<Place, P>,
  cursor: Place | undefined,
): Selection<Place, P> => ({
  cursor,
  picks,
});

/** Picks a row, or unpicks it. The cursor stays, and the next range begins at the row. */
export function toggleRow<Place, P extends Picks>(
  { cursor, picks }: Selection<Place, P>,
  place: Place,
  row: EntryOf<P>,
): Selection<Place, P> {
  const before = togglePick(picks, row);
  return { cursor, picks: before, range: { from: place, before } };
}

/**
 * The same by a click that adds to what is picked, and moves the cursor. The first one also takes the row that the cursor
 * was on.
 *
 * @param current the row at the cursor, if there is one that can be picked
 */
export function addRow<Place, P extends Picks>(
  selection: Selection<Place, P>,
  place: Place,
  row: EntryOf<P>,
  current: EntryOf<P> | undefined,
): Selection<Place, P> {
  const { cursor, picks } = selection;
  const isFirst = picks.all === undefined && picks.rows.size === 0;
  const started = isFirst && current && cursor !== place ? pickMore(picks, [current]) : picks;
  return { ...toggleRow({ cursor, picks: started }, place, row), cursor: place };
}

/** Where a range to a row would begin. */
export const rangeStart = <Place, P>({ cursor, range }: Selection<Place, P>, to: Place): Place =>
  range?.from ?? cursor ?? to;

/**
 * Extends the range to a row, which becomes the cursor. The range follows the cursor in both directions; what was picked
 * before it stays.
 *
 * @param rows the rows of the range, both ends included
 */
export function extendRange<Place, P extends Picks>(
  selection: Selection<Place, P>,
  to: Place,
  rows: Iterable<EntryOf<P>>,
): Selection<Place, P> {
  const range = { from: rangeStart(selection, to), before: selection.range?.before ?? selection.picks };
  return { cursor: to, picks: pickMore(range.before, rows), range };
}

/** The rows from one to another of a loaded list, both included, in this direction; none if either is not in it. */
export function rowsBetween<Row>(list: readonly Row[], from: Row, to: Row): readonly Row[] {
  const [start, end] = [list.indexOf(from), list.indexOf(to)];
  if (start < 0 || end < 0) return [];
  const rows = list.slice(Math.min(start, end), Math.max(start, end) + 1);
  return start <= end ? rows : rows.reverse();
}

/**
 * The rank that a key moves the cursor to, within the list.
 *
 * @param page number of rows per page
 * @returns `undefined` for other keys
 */
export function rankAfter(key: string, rank: number, count: number, page: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: rank + 1,
    ArrowUp: rank - 1,
    PageDown: rank + page,
    PageUp: rank - page,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

/**
 * The cursor after the list changed: the same row if it is still there, else the next one that is, else the previous
 * one.
 *
 * @param was the rows when `key` was among them
 * @returns `undefined` if none of those rows is left
 */
export function rowAfterChange<Key>(key: Key, was: readonly Key[], now: readonly Key[]): Key | undefined {
  const left = new Set(now);
  if (left.has(key)) return key;
  const place = was.indexOf(key);
  return was.slice(place + 1).find((one) => left.has(one)) ?? was.slice(0, place).findLast((one) => left.has(one));
}
