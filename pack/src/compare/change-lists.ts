import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import { firstPlaces, placesInOrder } from '../levels/order.ts';
import { type ChangeLevel, type ChangeName, changeLevels, changeNames } from '../vocabulary/changes.ts';
import type { Compared } from './match-packs.ts';

export const changeBits = Object.fromEntries(changeNames.map((name, bit) => [name, 1 << bit])) as Record<
  ChangeName,
  number
>;

/** A listed node: a row of the later upload, or of the earlier one for a gone node. */
export type ChangedRow = { readonly row: number; readonly isGone: boolean };

/** The changes of two uploads, or of one branch: how many there are, and which. */
export interface ChangeLists {
  /** The number of nodes with each kind of change. */
  counts(level: ChangeLevel): Readonly<Record<ChangeName, number>>;
  /** The number of nodes with any change, or one kind. */
  total(level: ChangeLevel, kind?: ChangeName): number;
  /** Largest change in volume first; unknown ones last. */
  list(
    level: ChangeLevel,
    kind: ChangeName | undefined,
    from: number,
    count: number,
    pause?: Pause,
  ): Promise<readonly ChangedRow[]>;
}

/** What the lists are made of. Rows that a filter excludes are at no level. */
export type ChangedNodes = {
  /** By row of `after`: the bits of its changes. */
  readonly mask: Uint16Array;
  /** Rows of `before`. */
  readonly nodesBefore: number;
  isAt(level: ChangeLevel, row: number): boolean;
  isGone(rowBefore: number): boolean;
  /** For rows that are gone. */
  isGoneAt(level: ChangeLevel, rowBefore: number): boolean;
  /** By how much the volumes of rows have changed; the volumes of what is new or gone. NaN if unknown. */
  sizesOf(rows: Uint32Array, pause: Pause): Promise<Float64Array>;
  sizesOfGone(rowsBefore: Uint32Array, pause: Pause): Promise<Float64Array>;
};

/** A flag for each row of both uploads: 1 for the rows of a branch. */
type Within = { readonly after: Uint8Array; readonly before: Uint8Array };

/**
 * Cost: a pass over the nodes of both uploads; for the first page of a list, another one.
 * Memory: 16 bytes per node of each list that was asked for.
 *
 * @param within the rows that are counted and listed; all if omitted
 */
export async function listChanges(
  { mask, nodesBefore, isAt, isGone, isGoneAt, sizesOf, sizesOfGone }: ChangedNodes,
  pause: Pause,
  within?: Within,
): Promise<ChangeLists> {
  const nodes = mask.length;
  const counts = { clusters: new Uint32Array(changeNames.length), keywords: new Uint32Array(changeNames.length) };
  const totals = { clusters: 0, keywords: 0 };
  const isIn = (row: number) => within === undefined || within.after[row] === 1;
  const isGoneIn = (row: number) => within === undefined || within.before[row] === 1;
  const count = (level: ChangeLevel, changes: number) => {
    totals[level]++;
    for (let bit = 0; bit < changeNames.length; bit++) if ((changes >> bit) & 1) counts[level][bit]! += 1;
  };
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (mask[row] === 0 || !isIn(row)) continue;
      for (const level of changeLevels) if (isAt(level, row)) count(level, mask[row]!);
    }
  });
  await eachPiece(nodesBefore, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (!isGone(row) || !isGoneIn(row)) continue;
      for (const level of changeLevels) if (isGoneAt(level, row)) count(level, changeBits.gone);
    }
  });

  const owner = {};
  const totalOf = (level: ChangeLevel, wanted: number) =>
    wanted === everyKind ? totals[level] : counts[level][Math.log2(wanted)]!;
  const collect = async (level: ChangeLevel, wanted: number, pause: Pause): Promise<ListedChanges> => {
    const rows = new Uint32Array(totalOf(level, wanted));
    let next = 0;
    await eachPiece(nodes, pause, (from, end) => {
      for (let row = from; row < end; row++)
        if ((mask[row]! & wanted) !== 0 && isIn(row) && isAt(level, row)) rows[next++] = row;
    });
    const there = next;
    await eachPiece((wanted & changeBits.gone) !== 0 ? nodesBefore : 0, pause, (from, end) => {
      for (let row = from; row < end; row++)
        if (isGone(row) && isGoneIn(row) && isGoneAt(level, row)) rows[next++] = row;
    });
    const sizes = new Float64Array(rows.length);
    sizes.set(await sizesOf(rows.subarray(0, there), pause));
    sizes.set(await sizesOfGone(rows.subarray(there), pause), there);
    return { rows, there, sizes };
  };
  return {
    counts: (level) => Object.fromEntries(changeNames.map((name, bit) => [name, counts[level][bit]!])) as never,
    total: (level, kind) => totalOf(level, kind ? changeBits[kind] : everyKind),
    async list(level, kind, from, most, pause = noPause) {
      const name = `${level} ${kind ?? ''}`;
      const make = () => collect(level, kind ? changeBits[kind] : everyKind, pause);
      const list = await listed(owner, { name, pause, make });
      const order = await orderUpTo(list, Math.min(from + most, list.rows.length), pause);
      return Array.from(order.slice(from, from + most), (at) => ({ row: list.rows[at]!, isGone: at >= list.there }));
    },
  };
}

/** Rows of `after`, and those of `before` from the place `there` on. Places in order are found when they are asked for. */
type ListedChanges = {
  readonly rows: Uint32Array;
  readonly there: number;
  readonly sizes: Float64Array;
  first?: Uint32Array;
  all?: Uint32Array;
};

type Asked = { readonly name: string; readonly pause: Pause; readonly make: () => Promise<ListedChanges> };

const listed = oncePerPack<ListedChanges, Asked, object>((_, { make }) => make(), {
  nameOf: ({ name }) => name,
  sizeOf: ({ rows }) => 16 * rows.length,
});

/** Pages that end within this place need no list in its whole order. */
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
 * The rows of a branch of the later upload, and what is gone from it: a gone node belongs to the branch that its parent
 * has become.
 *
 * Size: one byte per node of both uploads.
 */
export async function rowsWithin({ match, after, before }: Compared, branch: number, pause: Pause): Promise<Within> {
  const parent = await after.column('parent');
  const parentBefore = await before.column('parent');
  const isIn = new Uint8Array(after.metadata.nodes);
  const wasIn = new Uint8Array(before.metadata.nodes);
  isIn[branch] = 1;
  // Parents come first.
  await eachPiece(isIn.length, pause, (from, end) => {
    for (let row = Math.max(from, branch + 1); row < end; row++) isIn[row] = isIn[parent[row]!]!;
  });
  await eachPiece(wasIn.length, pause, (from, end) => {
    for (let row = Math.max(from, 1); row < end; row++) {
      const branchNow = match.after[parentBefore[row]!]!;
      wasIn[row] = branchNow === noRow ? wasIn[parentBefore[row]!]! : isIn[branchNow]!;
    }
  });
  return { after: isIn, before: wasIn };
}
