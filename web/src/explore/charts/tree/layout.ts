import { knownVolume } from '../../model/weights.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type Layout, type LayoutOptions, type Marks, markKind } from '../layout/layout.ts';
import { MarksBuffer } from '../layout/marks-buffer.ts';
import { type BranchPlan, planBranches } from './branch-plan.ts';

/** Height of one slot and of the box in it, in layout units, which are CSS pixels at zoom 1. */
const slotHeight = 28;
const boxHeight = 22;
/** Room between a level's boxes and the next level, for the lines. */
const levelGap = 56;
/** "27.6K", and where a filter left some out "1.2K of 27.6K", with what stands around it. */
const plainCountPx = 64;
const cutCountPx = 112;
const marginX = 24;
const marginY = 12;

/**
 * A tidy tree that grows to the right: one column a level, one slot an end, parents midway between their children, so
 * that no two boxes overlap and no two lines cross.
 *
 * Cost: the visible marks; what is open is planned once, until that changes. No recursion, so depth does not matter.
 * Source: Wetherell and Shannon, "Tidy Drawings of Trees", IEEE Transactions on Software Engineering 5(5), 1979.
 */
export function createTree(): Layout {
  const pictures = new TreePictures();
  return (tree, options) => pictures.draw(tree, options);
}

class TreePictures {
  #marks = new MarksBuffer();
  #plan: BranchPlan | undefined;
  #plannedFor: readonly unknown[] = [];
  /** Left edge of each level, and one more where the last one ends, in layout units. */
  #levelX: number[] = [];
  /** Room for the count beside a name. */
  #countPx = plainCountPx;
  /** Entry of each mark. */
  #entries = new Int32Array(0);

  draw(tree: LoadedTree, options: LayoutOptions): Marks {
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
      { width: lastX + marginX, height: plan.slots[0]! * slotHeight + 2 * marginY },
    );
  }

  #planFor(tree: LoadedTree, options: LayoutOptions): BranchPlan {
    const { focus, depth, sizeBy, opened, closed, unfolded } = options;
    const lines = linesOfItself(options);
    const key = [tree.content, tree.version, focus, lines, depth, sizeBy, opened, closed, unfolded];
    if (this.#plan && key.every((part, i) => part === this.#plannedFor[i])) return this.#plan;
    const plan = planBranches(tree, options, lines);
    this.#plan = plan;
    this.#plannedFor = key;
    const isCut = tree.shape === tree && tree.keywords[0] !== tree.ofKeywords[0];
    this.#countPx = isCut ? cutCountPx : plainCountPx;
    this.#levelX = [marginX];
    for (let level = 0; level < plan.longestName.length; level++) {
      this.#levelX.push(this.#levelX[level]! + levelWidth(plan, level, this.#countPx) + levelGap);
    }
    return plan;
  }

  /** Adds the mark of an entry, wherever it is: a line may come from outside the viewport. */
  #add(tree: LoadedTree, { camera }: LayoutOptions, plan: BranchPlan, entry: number, parent: number): number {
    const { x, y, k } = camera;
    const level = plan.level[entry]!;
    const row = plan.row[entry]!;
    const left = (this.#levelX[level]! - x) * k;
    const right =
      ((this.#levelX[level + 1] ?? this.#levelX[level]! + levelWidth(plan, level, this.#countPx) + levelGap) -
        levelGap -
        x) *
      k;
    const middle = (plan.centre[entry]! * slotHeight + marginY - y) * k;
    const half = (boxHeight / 2) * k;
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
    const top = (options.camera.y - marginY) / slotHeight;
    const bottom = top + options.height / k / slotHeight;
    let child = firstEndingAfter(plan, first, end, top);
    while (child < end && plan.start[child]! < bottom && this.#marks.count < options.budget) {
      const fine = finestRun(plan, child, end, options.minPx / (slotHeight * k));
      if (fine === child + 1) {
        const added = this.#add(tree, options, plan, child, mark);
        if (plan.isTail[child] === 1) this.#fillRunTail(tree, options, plan, added, child);
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
    const y = (slots: number) => (slots * slotHeight + marginY - camera.y) * camera.k;
    const left = (this.#levelX[level]! - camera.x) * camera.k;
    const right = left + levelWidth(plan, level, this.#countPx) * camera.k;
    const bottom = y(plan.start[last]! + plan.slots[last]!);
    const row = marks.row[parent]!;
    const mark = marks.add(markKind.tail, row, parent, level, left, y(plan.start[first]!), right, bottom);
    this.#entries[mark] = -1;
    let [nodes, keywords, volume] = [0, 0, 0];
    for (let entry = first; entry < end; entry++) {
      const child = plan.row[entry]!;
      const behind = plan.isTail[entry] === 1 ? behindTail(tree, plan, entry) : undefined;
      nodes += behind?.nodes ?? 1;
      keywords += behind?.keywords ?? tree.keywords[child]!;
      volume += behind?.volume ?? knownVolume(tree, child);
    }
    marks.hide(mark, nodes, keywords, volume);
  }

  /** Lets the tail of a run stand for what is behind it, and asks for that when all that is held is shown. */
  #fillRunTail(tree: LoadedTree, options: LayoutOptions, plan: BranchPlan, mark: number, entry: number): void {
    const row = this.#marks.row[mark]!;
    const { nodes, keywords, volume } = behindTail(tree, plan, entry);
    this.#marks.hide(mark, nodes, keywords, volume);
    if (nodes === tree.tail(row).nodes) this.#want(tree, options, mark, row);
  }

  #want(tree: LoadedTree, options: LayoutOptions, mark: number, row: number): void {
    const held = tree.childStart[row + 1]! - tree.childStart[row]!;
    if (held === tree.childCount[row]!) return;
    const { x0, x1, y0, y1 } = this.#marks;
    if (x1[mark]! < 0 || x0[mark]! > options.width || y1[mark]! < 0 || y0[mark]! > options.height) return;
    const weight = (x1[mark]! - x0[mark]!) * (y1[mark]! - y0[mark]!);
    this.#marks.wants.push({ node: tree.node[row]!, skip: held, weight });
  }
}

/**
 * How many lines the picture may have by itself: as many as one sees at once. Of a tree a hundred screens high nothing is
 * seen but the root and a line that leads out of sight.
 */
function linesOfItself({ height }: LayoutOptions): number {
  return Math.floor((height - 2 * marginY) / slotHeight);
}

/** A level is as wide as its longest name needs, with the count beside it, within reason. */
function levelWidth(plan: BranchPlan, level: number, countPx: number): number {
  return Math.min(300, Math.max(120, countPx + (plan.longestName[level] ?? 0) * 7));
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

/** End of the shortest run from `first` on that is at least `slots` high; entries that are high enough stand alone. */
function finestRun(plan: BranchPlan, first: number, end: number, slots: number): number {
  if (plan.slots[first]! >= slots) return first + 1;
  let run = first;
  let height = 0;
  while (run < end && height < slots && plan.slots[run]! < slots) height += plan.slots[run++]!;
  return run;
}

/** The children of a tail's row that have no entry of their own: all but the entries before it. */
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
