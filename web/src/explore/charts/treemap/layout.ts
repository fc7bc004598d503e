import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { Families, type Family, includesUnloaded, RowCache, standFor } from '../layout/families.ts';
import {
  goneRow,
  type Layout,
  type LayoutOptions,
  type Marks,
  MarksBuffer,
  markKind,
  readable,
} from '../layout/layout.ts';
import { addMarks, type Turn } from '../layout/partition.ts';
import {
  isReadable,
  type Page,
  pageOf,
  pageWeights,
  type Run,
  runOf,
  standBehindPage,
  wantsMore,
} from '../layout/readable-pages.ts';
import { type Chrome, chromeOf, namedStripPx } from './chrome.ts';
import { type Squares, squarify } from './squarify.ts';

/** Boxes with a side shorter than this, in CSS pixels, stay closed: their contents could not be distinguished. */
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
  /** Of the mark that is being opened, on screen. */
  readonly #chrome: Chrome = { header: 0, margin: 0 };

  layOut(tree: LoadedTree, options: LayoutOptions): Marks {
    const { width, height } = options;
    this.#families.begin(tree, options);
    this.#arrangements.begin(tree);
    this.#readable.begin(tree);
    this.#boxes.reserve(options.budget);
    addMarks(this.#marks, tree, options, {
      addFocus: () => width > 0 && height > 0 && this.#boxes.addFocus(options),
      open: (mark, turn) => this.#open(turn, mark),
    });
    return this.#marks.marks({ form: 'boxes' }, { width, height });
  }

  /** Adds the children of a mark if they can be distinguished. */
  #open(turn: Turn, mark: number): void {
    const { tree } = turn;
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const width = marks.x1[mark]! - marks.x0[mark]!;
    const height = marks.y1[mark]! - marks.y0[mark]!;
    if (tree.childCount[row] === 0 || Math.min(width, height) < openPx) return;
    chromeOf(marks.level[mark]!, width, height, this.#chrome);
    if (turn.autoLevels !== undefined) {
      this.#readable.open(turn, mark, this.#chrome, marks.level[mark]! < turn.autoLevels);
      return;
    }
    if (tree.loadedChildren(row) === 0) {
      const area = this.#boxes.visibleArea(mark, turn);
      if (area >= wantArea) this.#marks.want(tree, row, area);
      return;
    }
    const arrangement = this.#arrangementOf(mark);
    if (!this.#isWorthOpening(arrangement, width, height, turn)) return;
    marks.kind[mark] = markKind.group;
    const { nodes, keywords, volume } = arrangement.weightless;
    marks.hide(mark, nodes, keywords, volume);
    marks.header[mark] = this.#chrome.header;
    this.#addChildren(turn, mark, arrangement);
  }

  /** The cached arrangement, as long as neither its children nor its room change. */
  #arrangementOf(mark: number): Arrangement {
    const row = this.#marks.row[mark]!;
    const family = this.#families.of(row);
    const cached = this.#arrangements.get(row);
    const { width, height } = this.#boxes.roomIn(mark);
    if (cached?.family === family && cached.width === width && cached.height === height) return cached;
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
    if (!fits) this.#marks.isShort = true;
    return fits;
  }

  /**
   * Adds the children in the viewport, strip by strip; from the first strip that is too fine on, one mark stands for
   * the rest.
   */
  #addChildren(turn: Turn, mark: number, arrangement: Arrangement): void {
    const marks = this.#marks;
    const { squares, rows } = arrangement;
    const placement = this.#boxes.placementIn(mark, this.#chrome, arrangement.width, arrangement.height);
    const { scaleX, scaleY } = placement;
    const add = (kind: number, row: number, boxes: Float64Array, at: number) =>
      this.#boxes.add(kind, row, mark, placement, boxes, at, turn);
    for (let strip = 0; strip < squares.strips; strip++) {
      const [first, end] = [squares.stripStart[strip]!, squares.stripStart[strip + 1]!];
      const isFine = !isLegible(squares.boxes, first, scaleX, scaleY, turn.minPx);
      const isLast = marks.count + (end - first) + 2 > turn.budget;
      if (isLast && !isFine) this.#marks.isShort = true;
      if (isFine || isLast) {
        const tail = add(markKind.tail, marks.row[mark]!, squares.free, strip);
        if (tail !== -1) this.#fillTail(turn, tail, arrangement, first, arrangement.items);
        return;
      }
      for (let item = first; item < end; item++) {
        const isChild = item < rows.length && rows[item] !== goneRow;
        const isNode = isChild && isLegible(squares.boxes, item, scaleX, scaleY, turn.minPx);
        const added = isNode
          ? add(markKind.node, rows[item]!, squares.boxes, item)
          : add(markKind.tail, marks.row[mark]!, squares.boxes, item);
        if (added !== -1 && !isNode) this.#fillTail(turn, added, arrangement, item, item + 1);
      }
    }
  }

  /** Makes a tail stand for items `[first, end)`, and requests those that are not loaded and would be visible. */
  #fillTail(turn: Turn, tail: number, arrangement: Arrangement, first: number, end: number): void {
    const { tree } = turn;
    const marks = this.#marks;
    standFor(marks, tail, arrangement, first, end);
    if (!includesUnloaded(arrangement, end)) return;
    const nodes = marks.hidden[tail]!;
    const area = this.#boxes.visibleArea(tail, turn);
    const wholeArea = (marks.x1[tail]! - marks.x0[tail]!) * (marks.y1[tail]! - marks.y0[tail]!);
    // Requested while the mean is at least a quarter of the smallest mark, because the heaviest children are larger
    // than the mean.
    if (area < wantArea || (wholeArea / nodes) * 4 < turn.minPx ** 2) return;
    marks.want(tree, marks.row[tail]!, area);
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

/** The part of a treemap with automatic depth: opens only branches whose children have room for their names. */
class ReadableBoxes {
  readonly #boxes: BoxMarks;
  readonly #families: Families;
  readonly #paged = new RowCache<PagedBoxes>();

  constructor(boxes: BoxMarks, families: Families) {
    this.#boxes = boxes;
    this.#families = families;
  }

  begin(tree: LoadedTree): void {
    this.#paged.begin(tree);
  }

  /**
   * Adds the heaviest children of a mark if their names fit; one mark stands for the rest.
   *
   * @param chrome of the mark on screen
   * @param isNear whether a single name is enough to open it
   */
  open(turn: Turn, mark: number, chrome: Chrome, isNear: boolean): void {
    const { tree } = turn;
    const { marks } = this.#boxes;
    const isFocus = mark === 0;
    const { header, margin } = chrome;
    const width = marks.x1[mark]! - marks.x0[mark]!;
    const height = marks.y1[mark]! - marks.y0[mark]!;
    /** How many names fit. */
    const room = ((width - 2 * margin) * (height - 2 * margin - header)) / namedArea;
    // Without a strip for its name, an open box would say less than a closed one.
    if (!isFocus && (header < namedStripPx || room < 1)) return;
    if (tree.loadedChildren(marks.row[mark]!) === 0) {
      this.#want(turn, mark);
      return;
    }
    const paged = this.#pagedOf(mark, isNear);
    const first = paged.page(0);
    // The loaded children have no weight, but others do.
    if (!first && wantsMore(paged.run.family, 0)) this.#want(turn, mark);
    if (!first || !(isFocus || isReadable(first, room, isNear))) return;
    marks.kind[mark] = markKind.group;
    marks.hide(mark, 0, 0, 0);
    marks.header[mark] = header;
    const placement = this.#boxes.placementIn(mark, chrome, paged.width, paged.height);
    this.#addPages(turn, mark, paged, first, placement);
  }

  /** Requests the children of a mark after the loaded ones, if the mark is visible. */
  #want(turn: Turn, mark: number): void {
    const { tree } = turn;
    const area = this.#boxes.visibleArea(mark, turn);
    if (area > 0) this.#boxes.marks.want(tree, this.#boxes.marks.row[mark]!, area);
  }

  /** The cached pages, as long as neither the children nor their room change. */
  #pagedOf(mark: number, isNear: boolean): PagedBoxes {
    const row = this.#boxes.marks.row[mark]!;
    const family = this.#families.of(row);
    const cached = this.#paged.get(row);
    const { width, height } = this.#boxes.roomIn(mark);
    if (cached?.isOf(family, width, height, isNear)) return cached;
    const paged = new PagedBoxes(family, width, height, isNear);
    this.#paged.set(row, paged);
    return paged;
  }

  #addGone({ run }: PagedBoxes, item: number, mark: number): void {
    if (mark !== -1) standFor(this.#boxes.marks, mark, run.family, item, item + 1);
  }

  /** Adds the visible part of the readable pages, and a tail for what follows them. */
  #addPages(turn: Turn, mark: number, paged: PagedBoxes, first: BoxedPage, placement: Placement): void {
    const { marks } = this.#boxes;
    const { rows } = paged.run.family;
    const add = (kind: number, row: number, boxes: Float64Array, at: number) =>
      this.#boxes.add(kind, row, mark, placement, boxes, at, turn);
    let page = first;
    for (let at = 1; ; at++) {
      const { boxes, end, rest } = page;
      for (let item = page.first; item < end && marks.count < turn.budget; item++) {
        if (rows[item] !== goneRow) add(markKind.node, rows[item]!, boxes, item - page.first);
        else this.#addGone(paged, item, add(markKind.tail, marks.row[mark]!, boxes, item - page.first));
      }
      if (rest === 0) return;
      const next = paged.page(at);
      if (next && isReadable(next, roomInLast(boxes, placement), false)) {
        page = next;
        continue;
      }
      const tail = add(markKind.tail, marks.row[mark]!, boxes, boxes.length / 4 - 1);
      if (tail === -1) return;
      standBehindPage(marks, tail, paged.run, end);
      if (wantsMore(paged.run.family, end)) this.#want(turn, mark);
      return;
    }
  }
}

/** How many names fit into the last box, on screen. */
function roomInLast(boxes: Float64Array, { scaleX, scaleY }: Placement): number {
  const [x0, y0, x1, y1] = boxes.subarray(-4);
  return (((x1! - x0!) * (y1! - y0!)) / namedArea) * scaleX * scaleY;
}

/** A box of this area, in square CSS pixels, has room for a name of two lines. */
const namedArea = 2_800;
/** Boxes are this many times as wide as high, as far as possible, because names are wide. */
const stretch = 1.6;

const namedHeight = 26;
/** The rest is a strip below its page: high enough for its count, and no higher than this, in CSS pixels. */
const [minRest, maxRest] = [17, 24];
/** A page in its rectangle: four numbers per item, `x0, y0, x1, y1`, with those of the rest last. */
type BoxedPage = Page & { readonly boxes: Float64Array };

/**
 * The children of one row in a rectangle of `width` by `height`, page by page, each in the remainder of the previous
 * one. Like `Arrangement` it does not depend on the camera.
 */
class PagedBoxes {
  readonly run: Run;
  readonly width: number;
  readonly height: number;
  readonly isNear: boolean;
  readonly #pages: BoxedPage[] = [];

  /** @param isNear see `pageOf` */
  constructor(family: Family, width: number, height: number, isNear: boolean) {
    this.run = runOf(family);
    this.width = width;
    this.height = height;
    this.isNear = isNear;
  }

  isOf(family: Family, width: number, height: number, isNear: boolean): boolean {
    return this.run.family === family && this.width === width && this.height === height && this.isNear === isNear;
  }

  /** Undefined after the last loaded child with a weight. Cost: the items of the pages up to this one, once. */
  page(at: number): BoxedPage | undefined {
    while (this.#pages.length <= at) {
      const before = this.#pages.at(-1);
      const first = before?.end ?? 0;
      if (first >= this.run.family.rows.length || before?.rest === 0) return undefined;
      this.#pages.push(this.#arrange(first, before));
    }
    return this.#pages[at];
  }

  #arrange(first: number, before: BoxedPage | undefined): BoxedPage {
    const [x0, y0, x1, y1] = before ? before.boxes.subarray(-4) : [0, 0, this.width, this.height];
    const [width, height] = [x1! - x0!, y1! - y0!];
    const page = pageOf(this.run, first, (width * height) / namedArea, this.isNear);
    const weights = pageWeights(this.run, page);
    const free = page.rest > 0 ? height - heightOfRest(page, weights, width, height) : height;
    const { boxes: placed } = squarify(weights.subarray(0, page.end - first), width / stretch, free);
    const boxes = new Float64Array(4 * weights.length);
    for (let at = 0; at < placed.length; at += 2) {
      boxes[at] = x0! + placed[at]! * stretch;
      boxes[at + 1] = y0! + placed[at + 1]!;
    }
    if (page.rest > 0) boxes.set([x0!, y0! + free, x1!, y1!], placed.length);
    // Boxes in a strip may be large and still too low.
    const need = Math.max(page.need, ((namedHeight / free) ** 2 * width * height) / namedArea);
    return { ...page, need, boxes };
  }
}

/** The height that its weight asks for, within limits that keep the names beside it readable. */
function heightOfRest({ rest, need }: Page, weights: Float64Array, width: number, height: number): number {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const enlarged = Math.max(1, Math.sqrt((need * namedArea) / (width * height)));
  const asWeighed = (height * rest) / whole;
  return Math.min(height / 2, Math.min(Math.max(asWeighed, minRest / enlarged), maxRest / enlarged));
}

/**
 * The children of one row in a rectangle of `width` by `height`. It does not depend on the camera: zooming stretches
 * it, so boxes never change places.
 */
type Arrangement = Family & {
  readonly family: Family;
  readonly width: number;
  readonly height: number;
  readonly squares: Squares;
};

function arrange(family: Family, width: number, height: number): Arrangement {
  return { ...family, family, width, height, squares: squarify(family.weights, width, height) };
}

type Viewport = Pick<LayoutOptions, 'width' | 'height'>;

/** Where the layout of a group's children is on screen. */
type Placement = {
  /** The top left corner, in CSS pixels in the viewport. */
  readonly left: number;
  readonly top: number;
  /** CSS pixels on screen per CSS pixel of the layout. */
  readonly scaleX: number;
  readonly scaleY: number;
};

/**
 * The marks of a treemap, with the size of each mark's box at zoom 1. Its children are laid out for that size: zooming
 * stretches them and never makes them change places.
 *
 * In a layout of children, `boxes` has four numbers per box: `x0, y0, x1, y1`, in CSS pixels at zoom 1.
 */
class BoxMarks {
  readonly marks = new MarksBuffer();
  #baseWidth = new Float64Array(0);
  #baseHeight = new Float64Array(0);
  readonly #baseChrome: Chrome = { header: 0, margin: 0 };

  /** Prepares for a layout. Beyond the budget, there is room for the focus and one tail. */
  reserve(budget: number): void {
    const capacity = budget + 2;
    if (this.#baseWidth.length >= capacity) return;
    this.#baseWidth = new Float64Array(capacity);
    this.#baseHeight = new Float64Array(capacity);
  }

  addFocus({ focus, width, height, camera }: LayoutOptions): void {
    const x0 = (0 - camera.x) * camera.k;
    const y0 = (0 - camera.y) * camera.k;
    const mark = this.marks.add(markKind.node, focus, -1, 0, x0, y0, x0 + width * camera.k, y0 + height * camera.k);
    this.#baseWidth[mark] = width;
    this.#baseHeight[mark] = height;
  }

  /** Adds box `at` of a layout as a child of a mark. @returns the new mark; -1 if it is outside the viewport */
  add(
    kind: number,
    row: number,
    parent: number,
    { left, top, scaleX, scaleY }: Placement,
    boxes: Float64Array,
    at: number,
    view: Viewport,
  ): number {
    const i = at * 4;
    const [x0, y0] = [left + boxes[i]! * scaleX, top + boxes[i + 1]! * scaleY];
    const [x1, y1] = [left + boxes[i + 2]! * scaleX, top + boxes[i + 3]! * scaleY];
    if (visibleArea(x0, y0, x1, y1, view) === 0) return -1;
    const mark = this.marks.add(kind, row, parent, this.marks.level[parent]! + 1, x0, y0, x1, y1);
    this.#baseWidth[mark] = boxes[i + 2]! - boxes[i]!;
    this.#baseHeight[mark] = boxes[i + 3]! - boxes[i + 1]!;
    return mark;
  }

  /** The room for the children of a mark at zoom 1. */
  roomIn(mark: number): { readonly width: number; readonly height: number } {
    const { header, margin } = chromeOf(
      this.marks.level[mark]!,
      this.#baseWidth[mark]!,
      this.#baseHeight[mark]!,
      this.#baseChrome,
    );
    return { width: this.#baseWidth[mark]! - 2 * margin, height: this.#baseHeight[mark]! - 2 * margin - header };
  }

  /**
   * Where the children of a mark are on screen.
   *
   * @param chrome of the mark on screen
   * @param width of their layout, as `height`
   */
  placementIn(mark: number, { header, margin }: Chrome, width: number, height: number): Placement {
    const { x0, y0, x1, y1 } = this.marks;
    const [left, top] = [x0[mark]! + margin, y0[mark]! + margin + header];
    return { left, top, scaleX: (x1[mark]! - margin - left) / width, scaleY: (y1[mark]! - margin - top) / height };
  }

  /** Area of the visible part of a mark, in square CSS pixels. */
  visibleArea(mark: number, view: Viewport): number {
    const { x0, y0, x1, y1 } = this.marks;
    return visibleArea(x0[mark]!, y0[mark]!, x1[mark]!, y1[mark]!, view);
  }
}

function visibleArea(x0: number, y0: number, x1: number, y1: number, view: Viewport): number {
  const width = Math.min(x1, view.width) - Math.max(x0, 0);
  const height = Math.min(y1, view.height) - Math.max(y0, 0);
  return width > 0 && height > 0 ? width * height : 0;
}
