import { firstFrom } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { Families, type Family, includesUnloaded, RowCache, standFor, standForAll } from './families.ts';
import { goneRow, type LayoutOptions, MarksBuffer, markKind } from './layout.ts';
import {
  isReadable,
  nameBytesIn,
  type Page,
  pageOf,
  type Run,
  runOf,
  standBehindPage,
  wantsMore,
} from './readable-pages.ts';

/** Branches shorter than this, in CSS pixels, do not request children. */
const wantPx = 8;
/** A part of this length, in CSS pixels, has room for a line of text across it. */
const namedPx = 17;
/** Number of children that are checked for whether the names in a branch fit. */
const maxTried = 6;
/** The geometry of a partition on screen: one line per level, each as long as the focus, from 0 to 1. */
export type Lines = {
  /** The last level that fits, counted from the focus. */
  readonly lastLevel: number;
  /** CSS pixels from 0 to 1 on a level: at the camera's zoom, at zoom 1, and across it. */
  readonly lengthOf: (level: number) => number;
  readonly lengthAtOne: (level: number) => number;
  readonly breadthOf: (level: number) => number;
  /**
   * The approximate length an item needs for a name of so many UTF-8 bytes, in CSS pixels at zoom 1; one line if
   * omitted.
   */
  readonly namedLength?: (nameBytes: number, level: number) => number;
  /** Whether a name of so many UTF-8 bytes approximately fits a part of this length; omitted if names may be cut. */
  readonly hasRoomFor?: (nameBytes: number, length: number, level: number) => boolean;
  /** The visible parts of the lines, ascending. */
  readonly windows: readonly (readonly [from: number, to: number])[];
};

/** The shares of the children in their parent: item `i` takes `[starts[i], starts[i + 1])` of it, 0 to 1. */
type Shares = Family & { readonly family: Family; readonly starts: Float64Array };

/**
 * Every node as a part of one line: children divide their parent's part by weight, the heaviest first. The icicle lays
 * it out straight, the sunburst in rings.
 *
 * Only visible marks are made: a binary search in running sums finds the first visible child, and from the first child
 * that is too fine on, all others are one tail.
 *
 * Cost: the visible marks; the shares of a branch are summed when it first opens. No recursion, so depth does not
 * matter.
 */
export class Partition {
  readonly #marks = new MarksBuffer();
  #from = new Float64Array(0);
  #to = new Float64Array(0);
  readonly #families = new Families();
  readonly #shares = new RowCache<Shares>();
  readonly #paged = new RowCache<PagedShares>();

  /**
   * The marks with their parts of the line, in `from` and `to`; the caller computes their positions on screen. All of
   * it belongs to the partition and is overwritten by its next call.
   */
  divide(tree: LoadedTree, options: LayoutOptions, lines: Lines) {
    this.#families.begin(tree, options);
    this.#shares.begin(tree);
    this.#paged.begin(tree);
    const capacity = options.budget + 2;
    if (this.#from.length < capacity) {
      this.#from = new Float64Array(capacity);
      this.#to = new Float64Array(capacity);
    }
    const inView = { ...options, depth: Math.min(options.depth, lines.lastLevel) };
    addMarks(this.#marks, tree, inView, {
      addFocus: () => this.#add(markKind.node, options.focus, -1, 0, 0, 1),
      open: (mark, turn) => this.#open(turn, lines, mark),
    });
    return { marks: this.#marks, from: this.#from, to: this.#to };
  }

  #add(kind: number, row: number, parent: number, level: number, from: number, to: number): number {
    const mark = this.#marks.add(kind, row, parent, level, 0, 0, 0, 0);
    this.#from[mark] = from;
    this.#to[mark] = to;
    return mark;
  }

  /** Adds a loaded item of a family as a child of a mark. */
  #addItem(family: Family, item: number, parent: number, from: number, to: number): void {
    const marks = this.#marks;
    const row = family.rows[item]!;
    const level = marks.level[parent]! + 1;
    if (row === goneRow) {
      const mark = this.#add(markKind.tail, marks.row[parent]!, parent, level, from, to);
      standFor(marks, mark, family, item, item + 1);
    } else this.#add(markKind.node, row, parent, level, from, to);
  }

  #open(turn: Turn, lines: Lines, mark: number): void {
    const { tree } = turn;
    const marks = this.#marks;
    const row = marks.row[mark]!;
    if (tree.childCount[row] === 0) return;
    const level = marks.level[mark]! + 1;
    const length = (this.#to[mark]! - this.#from[mark]!) * lines.lengthOf(level);
    if (length < turn.minPx) return;
    if (turn.autoLevels !== undefined) {
      this.#openReadable(turn, lines, mark, length);
      return;
    }
    if (tree.loadedChildren(row) === 0) {
      if (length >= wantPx) marks.want(tree, row, length * lines.breadthOf(level));
      return;
    }
    const shares = this.#sharesOf(row);
    if (shares.items === 0) return;
    marks.kind[mark] = markKind.group;
    const { nodes, keywords, volume } = shares.weightless;
    marks.hide(mark, nodes, keywords, volume);
    this.#addChildren(turn, lines, mark, shares, length);
  }

  /** Adds the heaviest children of a mark if their names fit; one mark stands for the rest. */
  #openReadable(turn: Turn, lines: Lines, mark: number, length: number): void {
    const { tree } = turn;
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const level = marks.level[mark]! + 1;
    const isFocus = mark === 0;
    const want = () => marks.want(tree, row, length * lines.breadthOf(level));
    if (tree.loadedChildren(row) === 0) {
      if (isFocus || length >= 2 * namedPx) want();
      return;
    }
    const whole = this.#to[mark]! - this.#from[mark]!;
    const family = this.#families.of(row);
    const { rows } = family;
    const named = lines.namedLength?.(nameBytesIn(tree, family), level) ?? namedPx;
    const paged = this.#pagedOf(row, (whole * lines.lengthAtOne(level)) / named, level <= turn.autoLevels!);
    const shown = paged.shown(length / named, isFocus);
    if (shown === 0 || (!isFocus && this.#isNameless(tree, lines, paged, Math.min(shown, maxTried), length, level))) {
      if (rows.length === 0 && wantsMore(family, 0)) want();
      return;
    }
    marks.kind[mark] = markKind.group;
    marks.hide(mark, 0, 0, 0);
    const from = this.#from[mark]!;
    const at = (item: number) => from + paged.starts[item]! * whole;
    let next = 0;
    for (const [start, end] of lines.windows) {
      next = firstEndingAfter(paged.starts, next, shown, (start - from) / whole);
      for (; next < shown && at(next) < end && marks.count < turn.budget; next++)
        this.#addItem(family, next, mark, at(next), at(next + 1));
    }
    if (paged.starts[shown]! >= 1) return;
    const tail = this.#add(markKind.tail, row, mark, level, at(shown), this.#to[mark]!);
    standBehindPage(marks, tail, paged.run, shown);
    if (wantsMore(family, shown)) want();
  }

  /** Whether most of the heaviest children would have no name. */
  #isNameless(
    tree: LoadedTree,
    { hasRoomFor }: Lines,
    { run, starts }: PagedShares,
    tried: number,
    length: number,
    level: number,
  ): boolean {
    if (!hasRoomFor) return false;
    const { rows } = run.family;
    let named = 0;
    for (let item = 0; item < tried; item++) {
      if (hasRoomFor(tree.nameBytes(rows[item]!), (starts[item + 1]! - starts[item]!) * length, level)) named++;
    }
    return named * 3 < tried;
  }

  #pagedOf(row: number, room: number, isNear: boolean): PagedShares {
    const family = this.#families.of(row);
    const cached = this.#paged.get(row);
    if (cached?.run.family === family && cached.room === room && cached.isNear === isNear) return cached;
    const paged = new PagedShares(family, room, isNear);
    this.#paged.set(row, paged);
    return paged;
  }

  /** Adds the visible children, up to the first one that is too fine. */
  #addChildren(turn: Turn, lines: Lines, mark: number, { starts, ...family }: Shares, length: number): void {
    const { rows, items } = family;
    const [from, whole] = [this.#from[mark]!, this.#to[mark]! - this.#from[mark]!];
    let next = 0;
    for (const [start, end] of lines.windows) {
      next = firstEndingAfter(starts, next, items, (start - from) / whole);
      for (; next < items && from + starts[next]! * whole < end; next++) {
        const isFine = next === rows.length || (starts[next + 1]! - starts[next]!) * length < turn.minPx;
        const isLast = this.#marks.count + 2 > turn.budget;
        if (isLast && !isFine) this.#marks.isShort = true;
        if (isFine || isLast) {
          this.#addTail(turn, lines, mark, family, next, from + starts[next]! * whole);
          return;
        }
        this.#addItem(family, next, mark, from + starts[next]! * whole, from + starts[next + 1]! * whole);
      }
    }
  }

  /** One mark for the children from `first` on. It requests those that are not loaded when they would be visible. */
  #addTail(turn: Turn, lines: Lines, mark: number, family: Family, first: number, from: number): void {
    const { tree } = turn;
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const level = marks.level[mark]! + 1;
    const tail = this.#add(markKind.tail, row, mark, level, from, this.#to[mark]!);
    standFor(marks, tail, family, first, family.items);
    if (!includesUnloaded(family, family.items)) return;
    const length = (this.#to[tail]! - from) * lines.lengthOf(level);
    // Requested while the mean is at least a quarter of the smallest mark, because the heaviest children are longer
    // than the mean.
    if (length < wantPx || (length / marks.hidden[tail]!) * 4 < turn.minPx) return;
    marks.want(tree, row, length * lines.breadthOf(level));
  }

  #sharesOf(row: number): Shares {
    const family = this.#families.of(row);
    const cached = this.#shares.get(row);
    if (cached?.family === family) return cached;
    const shares = { ...family, family, starts: runningShares(family.weights) };
    this.#shares.set(row, shares);
    return shares;
  }
}

/** Sums before each weight and after the last, as shares of the total: 0 to 1. */
function runningShares(weights: Float64Array): Float64Array {
  const starts = new Float64Array(weights.length + 1);
  for (let i = 0; i < weights.length; i++) starts[i + 1] = starts[i]! + weights[i]!;
  const whole = starts[weights.length]!;
  for (let i = 1; i < weights.length; i++) starts[i] = starts[i]! / whole;
  starts[weights.length] = 1;
  return starts;
}

/** The first of the items `[first, items)` that ends after `at`; `items` if none does. */
function firstEndingAfter(starts: Float64Array, first: number, items: number, at: number): number {
  return firstFrom(first, items, (item) => starts[item + 1]! > at);
}

/**
 * The levels shown with automatic depth: down to the last one where a name fits at zoom 1, as far as levels fit. Caches
 * the last result.
 */
export class ReadableLevels {
  readonly #partition = new Partition();
  #levels = 0;
  #countedFor: readonly unknown[] = [];

  /** @param linesOf the lines of the whole chart at zoom 1 with so many levels */
  of(tree: LoadedTree, options: LayoutOptions, fitting: number, linesOf: (levels: number) => Lines): number {
    const { focus, width, height, sizeBy, goneWeights, autoLevels } = options;
    const key = [tree.content, tree.version, focus, width, height, sizeBy, goneWeights, autoLevels, fitting];
    if (key.some((part, i) => part !== this.#countedFor[i]))
      this.#levels = this.#count(tree, options, fitting, linesOf);
    this.#countedFor = key;
    return this.#levels;
  }

  #count(tree: LoadedTree, options: LayoutOptions, fitting: number, linesOf: (levels: number) => Lines): number {
    if (tree.size === 0 || tree.childCount[options.focus] === 0) return 0;
    let levels = fitting;
    // With fewer levels, each is broader or longer: repeat for the levels that remain.
    for (let round = 0; round < 2; round++) {
      const lines = linesOf(levels);
      const { marks, from, to } = this.#partition.divide(tree, options, lines);
      let deepest = 1;
      for (let i = 0; i < marks.count; i++) {
        const [row, level] = [marks.row[i]!, marks.level[i]!];
        // Children that are not loaded yet already have their level.
        const isClosed = marks.kind[i] === markKind.node && tree.childCount[row]! > 0 && level < levels;
        const isUnloaded = isClosed && tree.loadedChildren(row) === 0;
        const opens = isUnloaded && (to[i]! - from[i]!) * lines.lengthAtOne(level + 1) >= 2 * namedPx;
        deepest = Math.max(deepest, level + (opens ? 1 : 0));
      }
      if (deepest >= levels) break;
      levels = deepest;
    }
    return levels;
  }
}

/** Counts the levels that a layout reserves room for below a focus; caches the last result. */
export function createLevelCount(): (tree: LoadedTree, options: LayoutOptions) => number {
  let levels = 0;
  let countedFor: readonly unknown[] = [];
  return (tree, { focus, depth }) => {
    if (tree.size === 0) return 0;
    const key = [tree.content, tree.version, focus];
    if (key.some((part, i) => part !== countedFor[i])) levels = loadedLevelsBelow(tree, focus);
    countedFor = key;
    // Children that are not loaded yet already have their level.
    return Math.min(depth, Math.max(levels, tree.childCount[focus]! > 0 ? 1 : 0));
  };
}

/** Number of loaded levels below a row, 0 if it has no loaded child. */
function loadedLevelsBelow(tree: LoadedTree, focus: number): number {
  const { parent, depth } = tree;
  const isBelow = new Uint8Array(tree.size);
  isBelow[focus] = 1;
  let deepest = depth[focus]!;
  for (let row = focus + 1; row < tree.size; row++) {
    if (isBelow[parent[row]!] === 0) continue;
    isBelow[row] = 1;
    if (depth[row]! > deepest) deepest = depth[row]!;
  }
  return deepest - depth[focus]!;
}

/** Maximum number of pages: each takes a small part of the previous one at most, so more would never be visible. */
const maxPages = 12;

/**
 * The children of one row along a line, page by page, each in the remainder of the previous one. Item `i` takes
 * `[starts[i], starts[i + 1])` of the line, 0 to 1.
 */
class PagedShares {
  readonly run: Run;
  readonly room: number;
  readonly isNear: boolean;
  /** One more than the last item that has a position. */
  readonly starts: Float64Array;
  readonly #pages: readonly Page[];

  /**
   * @param room length of the line at zoom 1, as a multiple of what one item needs
   * @param isNear see `pageOf`
   */
  constructor(family: Family, room: number, isNear: boolean) {
    this.run = runOf(family);
    this.room = room;
    this.isNear = isNear;
    const starts: number[] = [0];
    const pages: Page[] = [];
    const loaded = family.rows.length;
    for (let first = 0; first < loaded && pages.length < maxPages; ) {
      const from = starts[first]!;
      const page = pageOf(this.run, first, room * (1 - from), isNear);
      let whole = page.rest;
      for (let item = first; item < page.end; item++) whole += family.weights[item]!;
      let before = 0;
      for (let item = first; item < page.end; item++) {
        before += family.weights[item]!;
        starts.push(from + ((1 - from) * before) / whole);
      }
      pages.push(page);
      first = page.end;
      if (page.rest === 0) {
        starts[first] = 1;
        break;
      }
    }
    this.starts = Float64Array.from(starts);
    this.#pages = pages;
  }

  /** How many items are readable in this room on screen; 0 if the branch should stay closed. */
  shown(room: number, isFocus: boolean): number {
    let shown = 0;
    for (const [at, page] of this.#pages.entries()) {
      const isFirst = at === 0;
      const ofPage = room * (1 - this.starts[page.first]!);
      if (!(isFirst && isFocus) && !isReadable(page, ofPage, isFirst && this.isNear)) break;
      shown = page.end;
    }
    return shown;
  }
}

/** If the budget is exceeded, the smallest mark grows by this factor, up to `coarsestPx` CSS pixels. */
const coarser = 1.4;
const coarsestPx = 64;

/** What is laid out in a turn, and how: with the smallest mark of this turn. */
export type Turn = LayoutOptions & { readonly tree: LoadedTree };

type MarkSteps = {
  readonly addFocus: () => void;
  /** Adds the children of a mark. */
  readonly open: (mark: number, turn: Turn) => void;
};

/**
 * Adds the focus, and opens one mark after the other down to `depth`; again from the start if the budget was too small
 * for all marks: the whole chart becomes coarser evenly, instead of some branches being drawn finely and the last ones
 * not at all.
 *
 * If all marks are about the same size, a coarser layout may be empty: then some are drawn finely, and one mark stands
 * for the others.
 */
export function addMarks(
  marks: MarksBuffer,
  tree: LoadedTree,
  options: LayoutOptions,
  { addFocus, open }: MarkSteps,
): void {
  const { minPx } = options;
  const addAll = (px: number) => {
    const turn = { ...options, tree, minPx: px };
    marks.reset(options.budget + 2);
    if (tree.size > 0) addFocus();
    for (let mark = 0; mark < marks.count; mark++) {
      if (marks.kind[mark] === markKind.tail) continue;
      standForAll(marks, mark, tree);
      if (marks.level[mark]! < options.depth) open(mark, turn);
    }
    return marks.isShort;
  };
  let px = minPx;
  while (addAll(px) && px * coarser <= coarsestPx) px *= coarser;
  // The focus alone, or with one mark for all its contents.
  if (px > minPx && marks.count <= 2) addAll(minPx);
}
