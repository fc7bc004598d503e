import { type ChangeMark, changeMarks } from '../filter/filter.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { Compared } from './match-packs.ts';

/** The kinds of changes, by their bit. A node can have several. */
export const changeNames = changeMarks;
export type ChangeName = ChangeMark;
export const changeBits = Object.fromEntries(changeNames.map((name, bit) => [name, 1 << bit])) as Record<
  ChangeName,
  number
>;

export const changeLevels = ['clusters', 'keywords'] as const;
export type ChangeLevel = (typeof changeLevels)[number];

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

  const lists = new Map<string, Promise<ListedChanges>>();
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
    for (let at = 0; at < sizes.length; at++) if (Number.isNaN(sizes[at])) sizes[at] = -1;
    const places = Uint32Array.from(rows.keys());
    const order = new PartlySorted(places, (one, other) => sizes[other]! - sizes[one]! || one - other);
    return { rows, there, order };
  };
  return {
    counts: (level) => Object.fromEntries(changeNames.map((name, bit) => [name, counts[level][bit]!])) as never,
    total: (level, kind) => totalOf(level, kind ? changeBits[kind] : everyKind),
    async list(level, kind, from, most, pause = noPause) {
      const name = `${level} ${kind ?? ''}`;
      const asked = lists.get(name) ?? collect(level, kind ? changeBits[kind] : everyKind, pause);
      lists.set(name, asked);
      asked.catch(() => lists.delete(name));
      const { rows, there, order } = await asked;
      return Array.from(order.slice(from, from + most), (at) => ({ row: rows[at]!, isGone: at >= there }));
    },
  };
}

/** Rows of `after`, those of `before` from the place `there` on, and their places in order. */
type ListedChanges = { readonly rows: Uint32Array; readonly there: number; readonly order: PartlySorted };

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

const fewest = 256;

/**
 * Numbers in an order of which only the beginning is known: as much as was asked for. The first of many therefore cost
 * one pass, and not a full sort.
 */
export class PartlySorted {
  readonly #items: Uint32Array;
  readonly #compare: (one: number, other: number) => number;
  #sorted = 0;

  /** @param items reordered in place @param compare never 0 for two items */
  constructor(items: Uint32Array, compare: (one: number, other: number) => number) {
    this.#items = items;
    this.#compare = compare;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Those from `from` to before `end`, as far as there are any. Valid until the next call. */
  slice(from: number, end: number): Uint32Array {
    const most = Math.min(end, this.#items.length);
    if (most > this.#sorted) {
      // Twice as many each time, so that reading all pages costs no more than a sort.
      const until = Math.min(this.#items.length, Math.max(most, 2 * this.#sorted, fewest));
      this.#select(this.#sorted, this.#items.length, until);
      this.#items.subarray(this.#sorted, until).sort(this.#compare);
      this.#sorted = until;
    }
    return this.#items.subarray(Math.min(from, most), most);
  }

  /** Moves the first ones before `until`, in any order. Source: Hoare, "Algorithm 65: Find", CACM 4(7), 1961. */
  #select(start: number, behind: number, until: number): void {
    let [low, high] = [start, behind - 1];
    while (low < high && until <= high) {
      const middle = this.#items[this.#pivot(low, high)]!;
      let [left, right] = [low, high];
      while (left <= right) {
        while (this.#compare(this.#items[left]!, middle) < 0) left++;
        while (this.#compare(this.#items[right]!, middle) > 0) right--;
        if (left > right) break;
        const item = this.#items[left]!;
        this.#items[left++] = this.#items[right]!;
        this.#items[right--] = item;
      }
      if (until <= right + 1) high = right;
      else if (until > left) low = left;
      else return;
    }
  }

  /** The median of the first, the middle and the last, so that sorted input is no bad case. */
  #pivot(low: number, high: number): number {
    const middle = (low + high) >> 1;
    const places = [low, middle, high];
    places.sort((one, other) => this.#compare(this.#items[one]!, this.#items[other]!));
    return places[1]!;
  }
}
