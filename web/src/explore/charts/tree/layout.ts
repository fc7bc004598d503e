import { knownVolume } from '../../model/weights.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { GoneWeights } from '../layout/gone.ts';
import { type Layout, type LayoutOptions, type Marks, markKind } from '../layout/layout.ts';
import { MarksBuffer } from '../layout/marks-buffer.ts';
import { type BranchPlan, planBranches } from './branch-plan.ts';

/**
 * Height of one slot and of the box in it, in layout units, which are CSS pixels at zoom 1; lower with automatic depth,
 * so that more boxes fit.
 */
const [usualSlot, usualBox] = [28, 22];
const [autoSlot, autoBox] = [24, 20];
/** Gap between the boxes of a level and the next level, for the lines. */
const levelGap = 56;
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
  #slotHeight: number = usualSlot;
  #boxHeight: number = usualBox;
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
    [this.#slotHeight, this.#boxHeight] = isAuto ? [autoSlot, autoBox] : [usualSlot, usualBox];
    const lines = linesOfItself(options, this.#slotHeight);
    const width = isAuto ? options.width : 0;
    const shown = [focus, lines, width, depth, isAuto, sizeBy, goneWeights, opened, closed, unfolded];
    const key = [tree.content, tree.version, ...shown];
    if (this.#plan && key.every((part, i) => part === this.#plannedFor[i])) return this.#plan;
    const isCut = tree.shape === tree && tree.keywords[0] !== tree.ofKeywords[0];
    this.#countPx = isCut ? cutCountPx : plainCountPx;
    const widthOf = (longestName: number) => levelWidth(longestName, this.#countPx) + levelGap;
    this.#gone = goneWeights?.(tree, sizeBy);
    const plan = planBranches(tree, options, { lines, width, left: 2 * marginX - levelGap, widthOf }, this.#gone);
    this.#plan = plan;
    this.#plannedFor = key;
    this.#levelX = [marginX];
    for (let level = 0; level < plan.longestName.length; level++) {
      this.#levelX.push(this.#levelX[level]! + widthOf(plan.longestName[level] ?? 0));
    }
    return plan;
  }

  /** Adds the mark of an entry wherever it is: a line may come from outside the viewport. */
  #add(tree: LoadedTree, { camera }: LayoutOptions, plan: BranchPlan, entry: number, parent: number): number {
    const { x, y, k } = camera;
    const level = plan.level[entry]!;
    const row = plan.row[entry]!;
    const left = (this.#levelX[level]! - x) * k;
    const right =
      ((this.#levelX[level + 1] ??
        this.#levelX[level]! + levelWidth(plan.longestName[level] ?? 0, this.#countPx) + levelGap) -
        levelGap -
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
    const childX = ((this.#levelX[level + 1] ?? Number.POSITIVE_INFINITY) - levelGap - options.camera.x) * k;
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

  /** One mark for the entries `[first, end)`, which are too fine to be told apart. */
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
    const right = left + levelWidth(plan.longestName[level] ?? 0, this.#countPx) * camera.k;
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
    const loaded = tree.loadedChildren(row);
    if (loaded === tree.childCount[row]!) return;
    const { x0, x1, y0, y1 } = this.#marks;
    if (x1[mark]! < 0 || x0[mark]! > options.width || y1[mark]! < 0 || y0[mark]! > options.height) return;
    const weight = (x1[mark]! - x0[mark]!) * (y1[mark]! - y0[mark]!);
    this.#marks.wants.push({ node: tree.node[row]!, skip: loaded, weight });
  }
}

/**
 * Number of lines that the tree opens automatically: as many as fit on screen. A tree a hundred screens high would show
 * only the root and a line that leaves the viewport.
 */
function linesOfItself({ height }: LayoutOptions, slotHeight: number): number {
  return Math.floor((height - 2 * marginY) / slotHeight);
}

/** A level is as wide as its longest name and the count beside it need, within limits. */
function levelWidth(longestName: number, countPx: number): number {
  return Math.min(300, Math.max(120, countPx + longestName * 7));
}

/** The first of the entries `[first, end)` that reaches below slot `top`. */
function firstEndingAfter(plan: BranchPlan, first: number, end: number, top: number): number {
  let [low, high] = [first, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (plan.start[middle]! + plan.slots[middle]! <= top) low = middle + 1;
    else high = middle;
  }
  return low;
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
