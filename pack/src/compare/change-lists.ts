import { eachPiece, findInPieces, noPause, type Pause } from '../format/in-pieces.ts';
import { inherit } from '../format/locate.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import { pickRows } from '../format/pick-rows.ts';
import { firstPlaces, placesInOrder } from '../levels/order.ts';
import { type ChangeLevel, type ChangeName, changeNames } from '../vocabulary/changes.ts';
import type { Compared } from './match-packs.ts';

export const changeBits = Object.fromEntries(changeNames.map((name, bit) => [name, 1 << bit])) as Record<
  ChangeName,
  number
>;

export const levelBits: Readonly<Record<ChangeLevel, number>> = { clusters: 1, keywords: 2 };

/** A listed node: a row of the later upload, or of the earlier one for a gone node. */
export type ChangedRow = { readonly row: number; readonly isGone: boolean };

/** The changes between two uploads, or in one branch, counted and listed. */
export interface ChangeLists {
  /** The number of nodes with each kind of change. */
  counts(level: ChangeLevel): Readonly<Record<ChangeName, number>>;
  /** The number of nodes with any change, or one kind. */
  total(level: ChangeLevel, kind?: ChangeName): number;
  /** A page of the nodes with any change, or one kind. The largest change in volume comes first, unknown ones last. */
  list(
    level: ChangeLevel,
    kind: ChangeName | undefined,
    from: number,
    count: number,
    pause?: Pause,
  ): Promise<readonly ChangedRow[]>;
}

/** The changed nodes that are counted and listed. */
export type ChangedNodes = {
  /** Rows of `after`, and rows of `before` that are gone. */
  readonly present: ChangedRows;
  readonly gone: ChangedRows;
  /** By how much the volumes of rows have changed, without sign; for new and gone nodes, their volumes. NaN if unknown. */
  sizesOf(rows: Uint32Array, pause: Pause): Promise<Float64Array>;
  sizesOfGone(rowsBefore: Uint32Array, pause: Pause): Promise<Float64Array>;
};

/** Rows of one upload with any change, ascending. */
type ChangedRows = {
  readonly rows: Uint32Array;
  /** The {@link levelBits} of each. Rows that a filter excludes are at no level. */
  readonly levels: Uint8Array;
  /** The {@link changeBits} of each. */
  readonly changes: Uint16Array;
};

/**
 * Cost: a pass over the changed nodes, and another one for the first page of a list.
 * Memory: 16 bytes per node of each list that is requested.
 */
export async function listChanges(
  { present, gone, sizesOf, sizesOfGone }: ChangedNodes,
  pause: Pause,
): Promise<ChangeLists> {
  /** The number of nodes by the bits of their levels, then by the bits of their changes. */
  const countsByLevels = Array.from({ length: 4 }, () => new Uint32Array(everyKind + 1));
  for (const { rows, levels, changes } of [present, gone]) {
    await eachPiece(rows.length, pause, (from, end) => {
      for (let at = from; at < end; at++) countsByLevels[levels[at]!]![changes[at]!]! += 1;
    });
  }
  const totalOf = (level: ChangeLevel, wanted: number) => {
    let total = 0;
    for (const [bits, nodes] of countsByLevels.entries()) {
      if ((bits & levelBits[level]) === 0) continue;
      for (let changes = 0; changes <= everyKind; changes++) if ((changes & wanted) !== 0) total += nodes[changes]!;
    }
    return total;
  };

  const owner = {};
  const collect = async (level: ChangeLevel, wanted: number, pause: Pause): Promise<ListedChanges> => {
    const rowsPresent = await rowsWith(present, levelBits[level], wanted, pause);
    const rowsGone = await rowsWith(gone, levelBits[level], wanted, pause);
    const rows = new Uint32Array(rowsPresent.length + rowsGone.length);
    rows.set(rowsPresent);
    rows.set(rowsGone, rowsPresent.length);
    const sizes = new Float64Array(rows.length);
    sizes.set(await sizesOf(rowsPresent, pause));
    sizes.set(await sizesOfGone(rowsGone, pause), rowsPresent.length);
    return { rows, firstGone: rowsPresent.length, sizes };
  };
  return {
    counts: (level) =>
      Object.fromEntries(changeNames.map((name) => [name, totalOf(level, changeBits[name])])) as Record<
        ChangeName,
        number
      >,
    total: (level, kind) => totalOf(level, kind ? changeBits[kind] : everyKind),
    async list(level, kind, from, count, pause = noPause) {
      const name = `${level} ${kind ?? ''}`;
      const make = () => collect(level, kind ? changeBits[kind] : everyKind, pause);
      const list = await listed(owner, { name, pause, make });
      const order = await orderUpTo(list, Math.min(from + count, list.rows.length), pause);
      return Array.from(order.slice(from, from + count), (at) => ({
        row: list.rows[at]!,
        isGone: at >= list.firstGone,
      }));
    },
  };
}

const rowsWith = (
  { rows, levels, changes }: ChangedRows,
  level: number,
  wanted: number,
  pause: Pause,
): Promise<Uint32Array> =>
  findInPieces(rows.length, pause, (from, end, found, count) => {
    let next = count;
    for (let at = from; at < end; at++)
      if ((levels[at]! & level) !== 0 && (changes[at]! & wanted) !== 0) found[next++] = rows[at]!;
    return next;
  });

/** A list in pack order: rows of `after`, and from index `firstGone` on gone rows of `before`. */
type ListedChanges = {
  readonly rows: Uint32Array;
  readonly firstGone: number;
  readonly sizes: Float64Array;
  /** The indices sorted by size, once a page needs them: the first {@link selectedRows}, or all. */
  first?: Uint32Array;
  all?: Uint32Array;
};

type ListRequest = { readonly name: string; readonly pause: Pause; readonly make: () => Promise<ListedChanges> };

const listed = oncePerPack<ListedChanges, ListRequest, object>((_, { make }) => make(), {
  nameOf: ({ name }) => name,
  sizeOf: ({ rows }) => 16 * rows.length,
});

/** For pages up to this rank, only the first nodes are selected; a page further down needs the whole list sorted. */
const selectedRows = 2000;

async function orderUpTo(list: ListedChanges, end: number, pause: Pause): Promise<Uint32Array> {
  const keys = [{ values: list.sizes, descending: true }];
  if (end <= selectedRows) {
    list.first ??= await firstPlaces(keys, selectedRows, pause);
    return list.first;
  }
  list.all ??= await placesInOrder(keys, pause);
  return list.all;
}

const everyKind = (1 << changeNames.length) - 1;

/**
 * The changed nodes of one branch of the later upload, including what is gone from it. A gone node belongs to the branch that matches its
 * parent, or the nearest node above it that has a match.
 *
 * Memory: one byte per node of both uploads while it runs.
 */
export async function changedWithin(
  changed: ChangedNodes,
  { match, after, before }: Compared,
  branch: number,
  pause: Pause,
): Promise<ChangedNodes> {
  const parentBefore = await before.column('parent');
  const isIn = new Uint8Array(after.metadata.nodes);
  const wasIn = new Uint8Array(before.metadata.nodes);
  isIn[branch] = 1;
  await inherit(after, isIn, pause);
  await eachPiece(wasIn.length, pause, (from, end) => {
    for (let row = Math.max(from, 1); row < end; row++) {
      const branchNow = match.after[parentBefore[row]!]!;
      wasIn[row] = branchNow === noRow ? wasIn[parentBefore[row]!]! : isIn[branchNow]!;
    }
  });
  return {
    ...changed,
    present: await amongRows(changed.present, isIn, pause),
    gone: await amongRows(changed.gone, wasIn, pause),
  };
}

/** @param isIn by row */
async function amongRows({ rows, levels, changes }: ChangedRows, isIn: Uint8Array, pause: Pause): Promise<ChangedRows> {
  const places = await findInPieces(rows.length, pause, (from, end, found, count) => {
    let next = count;
    for (let at = from; at < end; at++) if (isIn[rows[at]!] === 1) found[next++] = at;
    return next;
  });
  const found = {
    rows: new Uint32Array(places.length),
    levels: new Uint8Array(places.length),
    changes: new Uint16Array(places.length),
  };
  pickRows(found.rows, rows, 4, places);
  pickRows(found.levels, levels, 1, places);
  pickRows(found.changes, changes, 2, places);
  return found;
}
