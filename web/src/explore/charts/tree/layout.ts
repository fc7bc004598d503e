import { knownVolume } from '../../model/weights.ts';
import { firstFrom } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import {
  type GoneWeights,
  type Layout,
  type LayoutOptions,
  type Marks,
  MarksBuffer,
  markKind,
} from '../layout/layout.ts';
import {
  automaticBranches,
  branchesBelow,
  fairRun,
  lineCounter,
  shownOf,
  shownRun,
  weigher,
} from './automatic-branches.ts';

/**
 * Height of one slot and of the box in it, in layout units, which are CSS pixels at zoom 1; lower with automatic depth,
 * so that more boxes fit.
 */
const [defaultSlot, defaultBox] = [28, 22];
const [autoSlot, autoBox] = [24, 20];
/** Gap between the boxes of a level and the next level, for the lines; a share of the width where a view is narrow, as on a phone. */
const [widestGap, gapShare] = [56, 1 / 12];
const [narrowestLevel, widestLevel] = [120, 300];
/** The room for the name of the focus in a narrow view, where the name is above the picture anyway. */
const shortNamePx = 36;
/** Width of "27.6K", and of "1.2K of 27.6K" where a filter excludes some, with padding. */
const plainCountPx = 64;
const cutCountPx = 112;
const marginX = 24;
const marginY = 12;

/**
 * A tidy tree that grows to the right: one column per level, one slot per leaf, parents midway between their children,
 * so that boxes do not overlap and lines do not cross.
 *
 * Cost: the visible marks; the open part is planned once, until it changes. No recursion, so depth does not matter.
 * Source: Wetherell and Shannon, "Tidy Drawings of Trees", IEEE Transactions on Software Engineering 5(5), 1979.
 */
export function createTree(): Layout {
  const tidyTree = new TidyTree();
  return (tree, options) => tidyTree.layOut(tree, options);
}

class TidyTree {
  #marks = new MarksBuffer();
  #plan: BranchPlan | undefined;
  #plannedFor: readonly unknown[] = [];
  /** What branches have lost, if the plan shows it. */
  #gone: GoneWeights | undefined;
  /** Left edge of each level, and the end of the last one, in layout units. */
  #levelX: number[] = [];
  /** Room for the count beside a name. */
  #countPx = plainCountPx;
  #slotHeight: number = defaultSlot;
  #boxHeight: number = defaultBox;
  #levelGap = widestGap;
  /** Room for a level beside the focus. */
  #levelRoom = Number.POSITIVE_INFINITY;
  /** Entry of each mark. */
  #entries = new Int32Array(0);

  layOut(tree: LoadedTree, options: LayoutOptions): Marks {
    const marks = this.#marks;
    marks.reset(options.budget + 2);
    if (this.#entries.length < options.budget + 2) this.#entries = new Int32Array(options.budget + 2);
    if (tree.size === 0 || options.width <= 0 || options.height <= 0)
      return marks.marks({ form: 'links' }, { width: 0, height: 0 });
    const plan = this.#planFor(tree, options);
    this.#add(tree, options, plan, 0, -1);
    for (let mark = 0; mark < marks.count; mark++) {
      const entry = this.#entries[mark]!;
      if (entry !== -1 && plan.isTail[entry] === 0) this.#open(tree, options, plan, mark, entry);
    }
    const lastX = this.#levelX[this.#levelX.length - 1]!;
    return marks.marks(
      { form: 'links' },
      { width: lastX + marginX, height: plan.slots[0]! * this.#slotHeight + 2 * marginY },
    );
  }

  #planFor(tree: LoadedTree, options: LayoutOptions): BranchPlan {
    const { focus, depth, autoLevels, sizeBy, goneWeights, opened, closed, unfolded } = options;
    const isAuto = autoLevels !== undefined;
    [this.#slotHeight, this.#boxHeight] = isAuto ? [autoSlot, autoBox] : [defaultSlot, defaultBox];
    const lines = linesOfItself(options, this.#slotHeight);
    const width = isAuto ? options.width : 0;
    const gap = Math.min(widestGap, options.width * gapShare);
    const narrow = gap < widestGap ? options.width : Number.POSITIVE_INFINITY;
    const shown = [focus, lines, width, narrow, depth, isAuto, sizeBy, goneWeights, opened, closed, unfolded];
    const key = [tree.content, tree.version, ...shown];
    if (this.#plan && key.every((part, i) => part === this.#plannedFor[i])) return this.#plan;
    const isCut = tree.shape === tree && tree.keywords[0] !== tree.ofKeywords[0];
    this.#countPx = isCut ? cutCountPx : plainCountPx;
    this.#levelGap = gap;
    const narrowestFocus = shortNamePx + this.#countPx;
    this.#levelRoom = Math.max(narrowestLevel, narrow - 2 * marginX - narrowestFocus - gap);
    const widthOf = (longestName: number) => this.#widthOf(longestName) + gap;
    this.#gone = goneWeights?.(tree, sizeBy);
    const plan = planBranches(tree, options, { lines, width, left: 2 * marginX - gap, widthOf }, this.#gone);
    this.#plan = plan;
    this.#plannedFor = key;
    this.#levelX = [marginX];
    for (let level = 0; level < plan.longestName.length; level++) {
      const own = widthOf(plan.longestName[level] ?? 0);
      // The initial view of a narrow tree has room for the children if the focus leaves it.
      const left = level > 0 ? own : narrow - 2 * marginX - widthOf(plan.longestName[1] ?? 0) + gap;
      this.#levelX.push(this.#levelX[level]! + Math.min(own, Math.max(narrowestFocus + gap, left)));
    }
    return plan;
  }

  /** A level is as wide as its longest name and the count beside it need, within limits. @param longestName in UTF-8 bytes */
  #widthOf(longestName: number): number {
    return Math.min(widestLevel, this.#levelRoom, Math.max(narrowestLevel, this.#countPx + longestName * 7));
  }

  /** Adds the mark of an entry wherever it is: a line may come from outside the viewport. */
  #add(tree: LoadedTree, { camera }: LayoutOptions, plan: BranchPlan, entry: number, parent: number): number {
    const { x, y, k } = camera;
    const level = plan.level[entry]!;
    const row = plan.row[entry]!;
    const left = (this.#levelX[level]! - x) * k;
    const right =
      ((this.#levelX[level + 1] ??
        this.#levelX[level]! + this.#widthOf(plan.longestName[level] ?? 0) + this.#levelGap) -
        this.#levelGap -
        x) *
      k;
    const middle = (plan.centre[entry]! * this.#slotHeight + marginY - y) * k;
    const half = (this.#boxHeight / 2) * k;
    const kind = plan.isTail[entry] === 1 ? markKind.tail : plan.children[entry]! > 0 ? markKind.group : markKind.node;
    const mark = this.#marks.add(kind, row, parent, level, left, middle - half, right, middle + half);
    this.#entries[mark] = entry;
    if (kind === markKind.node) {
      this.#marks.hide(mark, tree.childCount[row]!, tree.childKeywords[row]!, tree.childVolume[row]!);
    }
    return mark;
  }

  #open(tree: LoadedTree, options: LayoutOptions, plan: BranchPlan, mark: number, entry: number): void {
    const row = plan.row[entry]!;
    const level = plan.level[entry]!;
    const count = plan.children[entry]!;
    const { k } = options.camera;
    const childX = ((this.#levelX[level + 1] ?? Number.POSITIVE_INFINITY) - this.#levelGap - options.camera.x) * k;
    if (count === 0 || (level > 0 && childX > options.width)) {
      if (plan.isOpen[entry] === 1) this.#want(tree, options, mark, row);
      return;
    }
    const first = plan.firstChild[entry]!;
    const end = first + count;
    const top = (options.camera.y - marginY) / this.#slotHeight;
    const bottom = top + options.height / k / this.#slotHeight;
    let child = firstEndingAfter(plan, first, end, top);
    while (child < end && plan.start[child]! < bottom && this.#marks.count < options.budget) {
      const fine = finestRun(plan, child, end, options.minPx / (this.#slotHeight * k));
      if (fine === child + 1) {
        const added = this.#add(tree, options, plan, child, mark);
        if (plan.isGone[child] === 1) this.#fillGone(added);
        else if (plan.isTail[child] === 1) this.#fillRunTail(tree, options, plan, added, child);
      } else {
        this.#addRun(tree, options, plan, child, fine, mark);
      }
      child = fine;
    }
  }

  /** One mark for the entries `[first, end)`, which are too fine to be distinguished. */
  #addRun(
    tree: LoadedTree,
    { camera }: LayoutOptions,
    plan: BranchPlan,
    first: number,
    end: number,
    parent: number,
  ): void {
    const marks = this.#marks;
    const level = plan.level[first]!;
    const last = end - 1;
    const y = (slots: number) => (slots * this.#slotHeight + marginY - camera.y) * camera.k;
    const left = (this.#levelX[level]! - camera.x) * camera.k;
    const right = left + this.#widthOf(plan.longestName[level] ?? 0) * camera.k;
    const bottom = y(plan.start[last]! + plan.slots[last]!);
    const row = marks.row[parent]!;
    const mark = marks.add(markKind.tail, row, parent, level, left, y(plan.start[first]!), right, bottom);
    this.#entries[mark] = -1;
    let [nodes, keywords, volume] = [0, 0, 0];
    for (let entry = first; entry < end; entry++) {
      if (plan.isGone[entry] === 1) continue;
      const child = plan.row[entry]!;
      const behind = plan.isTail[entry] === 1 ? behindTail(tree, plan, entry) : undefined;
      nodes += behind?.nodes ?? 1;
      keywords += behind?.keywords ?? tree.keywords[child]!;
      volume += behind?.volume ?? knownVolume(tree, child);
    }
    // A run has at least two entries, so it stands for children.
    marks.hide(mark, nodes, keywords, volume);
  }

  /** Makes a mark stand for what its branch has lost. */
  #fillGone(mark: number): void {
    const { nodes, keywords, volume } = this.#gone!.at(this.#marks.row[mark]!);
    this.#marks.hide(mark, nodes, keywords, volume);
    this.#marks.isGone[mark] = 1;
  }

  /** Makes the tail of a run stand for the children behind it, and requests them if all loaded ones are shown. */
  #fillRunTail(tree: LoadedTree, options: LayoutOptions, plan: BranchPlan, mark: number, entry: number): void {
    const row = this.#marks.row[mark]!;
    const { nodes, keywords, volume } = behindTail(tree, plan, entry);
    this.#marks.hide(mark, nodes, keywords, volume);
    if (nodes === tree.tail(row).nodes) this.#want(tree, options, mark, row);
  }

  #want(tree: LoadedTree, options: LayoutOptions, mark: number, row: number): void {
    if (tree.loadedChildren(row) === tree.childCount[row]!) return;
    const { x0, x1, y0, y1 } = this.#marks;
    if (x1[mark]! < 0 || x0[mark]! > options.width || y1[mark]! < 0 || y0[mark]! > options.height) return;
    this.#marks.want(tree, row, (x1[mark]! - x0[mark]!) * (y1[mark]! - y0[mark]!));
  }
}

/**
 * Number of lines that the tree opens automatically: as many as fit on screen. A tree a hundred screens high would show
 * only the root and a line that leaves the viewport.
 */
function linesOfItself({ height }: LayoutOptions, slotHeight: number): number {
  return Math.floor((height - 2 * marginY) / slotHeight);
}

/** The first of the entries `[first, end)` that reaches below slot `top`. */
function firstEndingAfter({ start, slots }: BranchPlan, first: number, end: number, top: number): number {
  return firstFrom(first, end, (entry) => start[entry]! + slots[entry]! > top);
}

/** End of the shortest run from `first` that is at least `slots` high; entries that are high enough are drawn alone. */
function finestRun(plan: BranchPlan, first: number, end: number, slots: number): number {
  if (plan.slots[first]! >= slots) return first + 1;
  let run = first;
  let height = 0;
  while (run < end && height < slots && plan.slots[run]! < slots) height += plan.slots[run++]!;
  return run;
}

/** The children of a tail's row that have no entry of their own: all except the entries before it. */
function behindTail(tree: LoadedTree, plan: BranchPlan, tail: number) {
  const row = plan.row[tail]!;
  let [nodes, keywords, volume] = [tree.childCount[row]!, tree.childKeywords[row]!, tree.childVolume[row]!];
  for (let entry = tail - 1; entry > 0 && tree.parent[plan.row[entry]!] === row && plan.isTail[entry] === 0; entry--) {
    nodes--;
    keywords -= tree.keywords[plan.row[entry]!]!;
    volume -= knownVolume(tree, plan.row[entry]!);
  }
  return { nodes, keywords, volume };
}

/**
 * The open part of a tree, with the vertical position of each entry. Entry `i` of every column is one node, one tail, or
 * what a branch has lost. Entries are in breadth-first order, so the children of one entry are neighbours. Heights are
 * counted in slots: one for each entry without entries below it.
 */
type BranchPlan = {
  readonly entries: number;
  /** Loaded row of the node; for a tail, of the parent. */
  readonly row: Int32Array;
  /** Whether it stands for several children: those that are not shown, or those that are gone. */
  readonly isTail: Uint8Array;
  readonly isGone: Uint8Array;
  /** Whether its children are shown, loaded or not. */
  readonly isOpen: Uint8Array;
  readonly level: Uint16Array;
  /** Entries below entry `i`: `[firstChild[i], firstChild[i] + children[i])`. */
  readonly firstChild: Int32Array;
  readonly children: Int32Array;
  /** First slot and number of slots of the entry with its descendants. */
  readonly start: Float64Array;
  readonly slots: Float64Array;
  /** Position of the entry itself, in slots: midway between its first and last child. */
  readonly centre: Float64Array;
  /** Longest name of each level, in UTF-8 bytes. */
  readonly longestName: readonly number[];
};

/**
 * @param room what the tree may fill by itself; what the user opened or unfolded is added to that
 * @param gone what branches have lost, if that is drawn
 */
function planBranches(
  tree: LoadedTree,
  options: LayoutOptions,
  room: TreeRoom,
  gone: GoneWeights | undefined,
): BranchPlan {
  const automatic =
    options.autoLevels === undefined
      ? automaticBranches(tree, options, room.lines, gone)
      : readableBranches(tree, options, room, gone);
  const rows: number[] = [options.focus];
  const isTail: number[] = [0];
  const isGone: number[] = [0];
  const open: number[] = [];
  const levels: number[] = [0];
  const firstChild: number[] = [];
  const children: number[] = [];
  const longestName: number[] = [];
  for (let entry = 0; entry < rows.length; entry++) {
    const [row, level] = [rows[entry]!, levels[entry]!];
    firstChild[entry] = rows.length;
    children[entry] = 0;
    open[entry] = 0;
    if (isTail[entry] === 1) continue;
    longestName[level] = Math.max(longestName[level] ?? 0, tree.nameBytes(row));
    if (level > 0 && !isOpen(row, automatic, options)) continue;
    open[entry] = 1;
    const loaded = tree.children(row);
    const run = options.opened?.has(row) ? shownRun : (automatic.get(row) ?? shownRun);
    const shown = options.unfolded?.has(row)
      ? loaded.length
      : Math.min(loaded.length, shownOf(tree.childCount[row]!, run));
    const add = (of: number, tail: 0 | 1, lost: 0 | 1) => {
      rows.push(of);
      isTail.push(tail);
      isGone.push(lost);
      levels.push(level + 1);
    };
    for (let i = 0; i < shown; i++) add(loaded[i]!, 0, 0);
    if (shown > 0 && shown < tree.childCount[row]!) add(row, 1, 0);
    if (shown > 0 && gone && gone.at(row).nodes > 0) add(row, 1, 1);
    children[entry] = rows.length - firstChild[entry]!;
  }
  return {
    entries: rows.length,
    row: Int32Array.from(rows),
    isTail: Uint8Array.from(isTail),
    isGone: Uint8Array.from(isGone),
    isOpen: Uint8Array.from(open),
    level: Uint16Array.from(levels),
    ...place(Int32Array.from(firstChild), Int32Array.from(children)),
    longestName,
  };
}

/** Branches open automatically, unless the user decided otherwise. */
function isOpen(row: number, automatic: ReadonlyMap<number, number>, { opened, closed }: LayoutOptions): boolean {
  return opened?.has(row) === true || (automatic.has(row) && closed?.has(row) !== true);
}

/**
 * One pass upwards counts the slots, one downwards assigns them, one upwards centres parents between their children.
 */
function place(firstChild: Int32Array, children: Int32Array) {
  const entries = children.length;
  const slots = new Float64Array(entries);
  const start = new Float64Array(entries);
  const centre = new Float64Array(entries);
  for (let entry = entries - 1; entry >= 0; entry--) {
    const [first, end] = [firstChild[entry]!, firstChild[entry]! + children[entry]!];
    for (let child = first; child < end; child++) slots[entry] = slots[entry]! + slots[child]!;
    if (first === end) slots[entry] = 1;
  }
  for (let entry = 0; entry < entries; entry++) {
    let next = start[entry]!;
    const [first, end] = [firstChild[entry]!, firstChild[entry]! + children[entry]!];
    for (let child = first; child < end; child++) {
      start[child] = next;
      next += slots[child]!;
    }
  }
  for (let entry = entries - 1; entry >= 0; entry--) {
    const [first, count] = [firstChild[entry]!, children[entry]!];
    centre[entry] = count === 0 ? start[entry]! + 0.5 : (centre[first]! + centre[first + count - 1]!) / 2;
  }
  return { firstChild, children, slots, start, centre };
}

/** The room that the tree has. */
type TreeRoom = {
  readonly lines: number;
  readonly width: number;
  /**
   * The left edge of the first level, and the width of a level whose longest name has so many UTF-8 bytes, in CSS
   * pixels.
   */
  readonly left: number;
  readonly widthOf: (longestName: number) => number;
};

/** A level leaves this share of the free lines to those below it. */
const forDeeper = 1 / 3;
/** The focus shows at least this many children, even in a lower view. */
const minOfFocus = 5;

/**
 * The branches that a tree opens automatically with automatic depth, and how many children of each it shows: enough to
 * fill the view, and none outside it.
 *
 * Every branch of a level opens before any of them shows more than one child; if not all fit, the heaviest open first.
 * A level leaves some lines to the next one, unless the next one does not fit the width.
 *
 * Cost: the children of the branches opened, sorted by weight.
 */
function readableBranches(
  tree: LoadedTree,
  options: Pick<LayoutOptions, 'focus' | 'sizeBy'>,
  room: TreeRoom,
  gone?: GoneWeights,
): ReadonlyMap<number, number> {
  const linesOf = lineCounter(tree, gone);
  const first = openLevels(tree, options, room, linesOf, Number.POSITIVE_INFINITY);
  return openLevels(tree, options, room, linesOf, first.deepest).opened;
}

function openLevels(
  tree: LoadedTree,
  { focus, sizeBy }: Pick<LayoutOptions, 'focus' | 'sizeBy'>,
  room: TreeRoom,
  linesOf: ReturnType<typeof lineCounter>,
  lastLevel: number,
) {
  const weightOf = weigher(tree, sizeBy);
  const run = Math.min(shownRun, Math.max(minOfFocus, room.lines) - linesOf(focus, 0));
  let opened = new Map([[focus, run]]);
  let lines = linesOf(focus, run);
  let right = room.left + room.widthOf(tree.nameBytes(focus)) + room.widthOf(longestName(tree, [focus], opened));
  let below = branchesBelow(tree, [focus], opened);
  let level = 1;
  for (; level <= lastLevel && below.length > 0 && lines < room.lines; level++) {
    const branches = below.sort((a, b) => weightOf(b) - weightOf(a));
    const free = room.lines - lines;
    const minLines = branches.reduce((sum, branch) => sum + linesOf(branch, 1) - 1, 0);
    const share = level === lastLevel ? free : Math.min(free, Math.max(minLines, Math.floor(free * (1 - forDeeper))));
    const longer = fairRun(linesOf, branches, share, 1);
    const next = new Map(opened);
    let more = 0;
    for (const branch of branches) {
      const ofBranch = linesOf(branch, longer) - 1;
      if (more + ofBranch > free) continue;
      more += ofBranch;
      next.set(branch, longer);
    }
    const added = branches.filter((branch) => next.has(branch));
    const wider = right + room.widthOf(longestName(tree, added, next));
    if (added.length === 0 || wider > room.width) break;
    [opened, lines, right] = [next, lines + more, wider];
    below = branchesBelow(tree, added, opened);
  }
  return { opened, deepest: level - 1 };
}

/** Of the children that are shown, in UTF-8 bytes. */
function longestName(tree: LoadedTree, branches: readonly number[], opened: ReadonlyMap<number, number>): number {
  let longest = 0;
  for (const branch of branches) {
    const shown = shownOf(tree.childCount[branch]!, opened.get(branch)!);
    for (const child of tree.children(branch).subarray(0, shown)) longest = Math.max(longest, tree.nameBytes(child));
  }
  return longest;
}
