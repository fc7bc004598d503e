import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { coarsen } from '../layout/coarsen.ts';
import { Families } from '../layout/families.ts';
import { includesUnloaded, standFor, standForAll } from '../layout/family.ts';
import { goneRow } from '../layout/gone.ts';
import { type Layout, type LayoutOptions, type Marks, markKind, readable } from '../layout/layout.ts';
import { RowCache } from '../layout/row-cache.ts';
import { type Arrangement, arrange } from './arrangement.ts';
import { BoxMarks } from './box-marks.ts';
import { type Chrome, chromeOf, namedStripPx } from './chrome.ts';
import { ReadableBoxes } from './readable-boxes.ts';

/** Boxes with a side shorter than this, in CSS pixels, stay closed: their contents could not be told apart. */
const openPx = 12;
/**
 * A branch opens if its largest child is this many times the smallest side drawn: otherwise its name says more than
 * tiny boxes.
 */
const openingFactor = 2.5;
/** Branches smaller than this, in square CSS pixels, do not request children. */
const wantArea = 400;

/**
 * A squarified treemap: every node is a box inside its parent's, its area in proportion to its weight, with a header
 * strip if there is room for one.
 *
 * Cost: the visible marks; a branch is arranged when it first opens, and when its children change. No recursion, so
 * depth does not matter.
 * Source: Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000.
 */
export function createTreemap(): Layout {
  const treemap = new Treemap();
  return (tree, options) => treemap.layOut(tree, options);
}

class Treemap {
  readonly #boxes = new BoxMarks();
  readonly #marks = this.#boxes.marks;
  readonly #families = new Families();
  readonly #arrangements = new RowCache<Arrangement>();
  readonly #readable = new ReadableBoxes(this.#boxes, this.#families);
  /** Whether the current layout left something out because the budget was exceeded. */
  #isShort = false;
  /** Of the mark that is being opened, on screen. */
  readonly #chrome: Chrome = { header: 0, margin: 0 };

  /** The focus alone, or with one mark for all its contents. */
  readonly #isBare = (): boolean => this.#marks.count <= 2;

  layOut(tree: LoadedTree, options: LayoutOptions): Marks {
    const { width, height } = options;
    this.#families.begin(tree, options);
    this.#arrangements.begin(tree);
    this.#readable.begin(tree);
    coarsen(
      options.minPx,
      (minPx) => {
        this.#isShort = false;
        this.#boxes.reset(options.budget);
        if (tree.size > 0 && width > 0 && height > 0) this.#addAll(tree, { ...options, minPx });
        return this.#isShort;
      },
      this.#isBare,
    );
    return this.#marks.marks({ form: 'boxes' }, { width, height });
  }

  #addAll(tree: LoadedTree, options: LayoutOptions): void {
    const marks = this.#marks;
    this.#boxes.addFocus(options);
    for (let mark = 0; mark < marks.count; mark++) {
      if (marks.kind[mark] === markKind.tail) continue;
      standForAll(marks, mark, tree);
      if (marks.level[mark]! < options.depth) this.#open(tree, options, mark);
    }
  }

  /** Adds the children of a mark if they can be told apart. */
  #open(tree: LoadedTree, options: LayoutOptions, mark: number): void {
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const width = marks.x1[mark]! - marks.x0[mark]!;
    const height = marks.y1[mark]! - marks.y0[mark]!;
    if (tree.childCount[row] === 0 || Math.min(width, height) < openPx) return;
    chromeOf(marks.level[mark]!, width, height, this.#chrome);
    if (options.autoLevels !== undefined) {
      this.#readable.open(tree, options, mark, this.#chrome, marks.level[mark]! < options.autoLevels);
      return;
    }
    if (tree.loadedChildren(row) === 0) {
      const area = this.#boxes.visibleArea(mark, options);
      if (area >= wantArea) this.#boxes.want(tree, mark, area);
      return;
    }
    const arrangement = this.#arrangementOf(mark);
    if (!this.#isWorthOpening(arrangement, width, height, options)) return;
    marks.kind[mark] = markKind.group;
    const { nodes, keywords, volume } = arrangement.weightless;
    marks.hide(mark, nodes, keywords, volume);
    marks.header[mark] = this.#chrome.header;
    this.#addChildren(tree, options, mark, arrangement);
  }

  /** The cached arrangement, as long as neither its children nor its room change. */
  #arrangementOf(mark: number): Arrangement {
    const row = this.#marks.row[mark]!;
    const family = this.#families.of(row);
    const known = this.#arrangements.get(row);
    const { width, height } = this.#boxes.roomIn(mark);
    if (known?.family === family && known.width === width && known.height === height) return known;
    const arrangement = arrange(family, width, height);
    this.#arrangements.set(row, arrangement);
    return arrangement;
  }

  /** Whether the largest children are large enough, and their strip is within the budget. */
  #isWorthOpening(
    { squares, width, height }: Arrangement,
    groupWidth: number,
    groupHeight: number,
    options: LayoutOptions,
  ) {
    if (squares.strips === 0) return false;
    const { header, margin } = this.#chrome;
    const scaleX = (groupWidth - 2 * margin) / width;
    const scaleY = (groupHeight - 2 * margin - header) / height;
    // The user chose the focus: it opens however small its children are, because there is nothing else to see.
    const isFocus = this.#marks.count === 1;
    const smallest = isFocus ? options.minPx : options.minPx * openingFactor;
    if (!isLegible(squares.boxes, 0, scaleX, scaleY, smallest)) return false;
    // A name says more than nameless children: a box with room for its name but not for a header stays closed.
    const isNamedWhole = groupWidth >= readable.width && groupHeight >= readable.height;
    if (!isFocus && isNamedWhole && header < namedStripPx && !isNamed(squares.boxes, scaleX, scaleY)) return false;
    const fits = this.#marks.count + squares.stripStart[1]! + 2 <= options.budget;
    if (!fits) this.#isShort = true;
    return fits;
  }

  /**
   * Adds the children in the viewport, strip by strip; from the first strip that is too fine on, one mark stands for
   * the rest.
   */
  #addChildren(tree: LoadedTree, options: LayoutOptions, mark: number, arrangement: Arrangement): void {
    const marks = this.#marks;
    const { squares, rows } = arrangement;
    const placement = this.#boxes.placementIn(mark, this.#chrome, arrangement.width, arrangement.height);
    const { scaleX, scaleY } = placement;
    const add = (kind: number, row: number, boxes: Float64Array, at: number) =>
      this.#boxes.add(kind, row, mark, placement, boxes, at, options);
    for (let strip = 0; strip < squares.strips; strip++) {
      const [first, end] = [squares.stripStart[strip]!, squares.stripStart[strip + 1]!];
      const isFine = !isLegible(squares.boxes, first, scaleX, scaleY, options.minPx);
      const isLast = marks.count + (end - first) + 2 > options.budget;
      if (isLast && !isFine) this.#isShort = true;
      if (isFine || isLast) {
        const tail = add(markKind.tail, marks.row[mark]!, squares.free, strip);
        if (tail !== -1) this.#fillTail(tree, options, tail, arrangement, first, arrangement.items);
        return;
      }
      for (let item = first; item < end; item++) {
        const isChild = item < rows.length && rows[item] !== goneRow;
        const isNode = isChild && isLegible(squares.boxes, item, scaleX, scaleY, options.minPx);
        const added = isNode
          ? add(markKind.node, rows[item]!, squares.boxes, item)
          : add(markKind.tail, marks.row[mark]!, squares.boxes, item);
        if (added !== -1 && !isNode) this.#fillTail(tree, options, added, arrangement, item, item + 1);
      }
    }
  }

  /** Makes a tail stand for items `[first, end)`, and requests those that are not loaded and would be visible. */
  #fillTail(
    tree: LoadedTree,
    options: LayoutOptions,
    tail: number,
    arrangement: Arrangement,
    first: number,
    end: number,
  ): void {
    const marks = this.#marks;
    standFor(marks, tail, arrangement, first, end);
    if (!includesUnloaded(arrangement, end)) return;
    const nodes = marks.hidden[tail]!;
    const area = this.#boxes.visibleArea(tail, options);
    const wholeArea = (marks.x1[tail]! - marks.x0[tail]!) * (marks.y1[tail]! - marks.y0[tail]!);
    // Requested while the mean is at least a quarter of the smallest mark, because the heaviest children are larger
    // than the mean.
    if (area < wantArea || (wholeArea / nodes) * 4 < options.minPx ** 2) return;
    this.#boxes.want(tree, tail, area);
  }
}

/** Whether box `at` has at least `minPx` CSS pixels on each side. */
function isLegible(boxes: Float64Array, at: number, scaleX: number, scaleY: number, minPx: number): boolean {
  const i = at * 4;
  return (boxes[i + 2]! - boxes[i]!) * scaleX >= minPx && (boxes[i + 3]! - boxes[i + 1]!) * scaleY >= minPx;
}

/** Whether the name of the largest child fits. */
function isNamed(boxes: Float64Array, scaleX: number, scaleY: number): boolean {
  return (boxes[2]! - boxes[0]!) * scaleX >= readable.width && (boxes[3]! - boxes[1]!) * scaleY >= readable.height;
}
