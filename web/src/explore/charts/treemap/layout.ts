import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { coarsen } from '../layout/coarsen.ts';
import { Families } from '../layout/families.ts';
import { reachesUnheld, standFor, standForAll } from '../layout/family.ts';
import { type Layout, type LayoutOptions, type Marks, markKind, readable } from '../layout/layout.ts';
import { MarksBuffer } from '../layout/marks-buffer.ts';
import { behindPage, isReadable, wantsMore } from '../layout/readable-pages.ts';
import { RowCache } from '../layout/row-cache.ts';
import { type Arrangement, arrange } from './arrangement.ts';
import { type Chrome, chromeOf, namedStripPx } from './chrome.ts';
import { type BoxedPage, namedArea, PagedBoxes } from './paged-boxes.ts';

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
  const pictures = new TreemapPictures();
  return (tree, options) => pictures.draw(tree, options);
}

class TreemapPictures {
  #marks = new MarksBuffer();
  /** Size of each mark's box at zoom 1, for which its children are arranged. */
  #baseWidth = new Float64Array(0);
  #baseHeight = new Float64Array(0);
  readonly #families = new Families();
  readonly #arrangements = new RowCache<Arrangement>();
  readonly #paged = new RowCache<PagedBoxes>();
  /** Whether the current layout left something out because the budget was exceeded. */
  #isShort = false;
  #chrome: Chrome = { header: 0, margin: 0 };

  /** The focus alone, or with one mark for all its contents. */
  readonly #isBare = (): boolean => this.#marks.count <= 2;

  draw(tree: LoadedTree, options: LayoutOptions): Marks {
    const { width, height } = options;
    this.#families.begin(tree, options.sizeBy);
    this.#arrangements.begin(tree);
    this.#paged.begin(tree);
    this.#makeRoom(options.budget);
    coarsen(
      options.minPx,
      (minPx) => {
        this.#isShort = false;
        this.#marks.reset(options.budget + 2);
        if (tree.size > 0 && width > 0 && height > 0) this.#addAll(tree, { ...options, minPx });
        return this.#isShort;
      },
      this.#isBare,
    );
    return this.#marks.marks({ form: 'boxes' }, { width, height });
  }

  #addAll(tree: LoadedTree, options: LayoutOptions): void {
    const { focus, width, height, camera, depth } = options;
    const marks = this.#marks;
    const x0 = (0 - camera.x) * camera.k;
    const y0 = (0 - camera.y) * camera.k;
    const top = marks.add(markKind.node, focus, -1, 0, x0, y0, x0 + width * camera.k, y0 + height * camera.k);
    this.#baseWidth[top] = width;
    this.#baseHeight[top] = height;
    for (let mark = 0; mark < marks.count; mark++) {
      if (marks.kind[mark] === markKind.tail) continue;
      standForAll(marks, mark, tree);
      if (marks.level[mark]! < depth) this.#open(tree, options, mark);
    }
  }

  #makeRoom(budget: number): void {
    if (this.#baseWidth.length >= budget + 2) return;
    this.#baseWidth = new Float64Array(budget + 2);
    this.#baseHeight = new Float64Array(budget + 2);
  }

  /** Adds the children of a mark if they can be told apart. */
  #open(tree: LoadedTree, options: LayoutOptions, mark: number): void {
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const width = marks.x1[mark]! - marks.x0[mark]!;
    const height = marks.y1[mark]! - marks.y0[mark]!;
    if (tree.childCount[row] === 0 || Math.min(width, height) < openPx) return;
    if (options.autoLevels !== undefined) {
      this.#openReadable(tree, options, options.autoLevels, mark);
      return;
    }
    if (tree.childStart[row] === tree.childStart[row + 1]) {
      const area = visibleArea(marks.x0[mark]!, marks.y0[mark]!, marks.x1[mark]!, marks.y1[mark]!, options);
      if (area >= wantArea) marks.wants.push({ node: tree.node[row]!, skip: 0, weight: area });
      return;
    }
    const arrangement = this.#arrangementOf(mark);
    chromeOf(marks.level[mark]!, width, height, this.#chrome);
    if (!this.#isWorthOpening(arrangement, width, height, options)) return;
    marks.kind[mark] = markKind.group;
    const { nodes, keywords, volume } = arrangement.weightless;
    marks.hide(mark, nodes, keywords, volume);
    marks.header[mark] = this.#chrome.header;
    this.#addChildren(tree, options, mark, arrangement);
  }

  /** Adds the heaviest children of a mark if their names fit; one mark stands for the rest. */
  #openReadable(tree: LoadedTree, options: LayoutOptions, autoLevels: number, mark: number): void {
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const isFocus = mark === 0;
    const isNear = marks.level[mark]! < autoLevels;
    const width = marks.x1[mark]! - marks.x0[mark]!;
    const height = marks.y1[mark]! - marks.y0[mark]!;
    const chrome = this.#chrome;
    chromeOf(marks.level[mark]!, width, height, chrome);
    const room = ((width - 2 * chrome.margin) * (height - 2 * chrome.margin - chrome.header)) / namedArea;
    // Without a strip for its name, an open box would say less than a closed one.
    if (!isFocus && (chrome.header < namedStripPx || room < 1)) return;
    if (heldChildren(tree, row) === 0) {
      this.#want(tree, options, mark);
      return;
    }
    const paged = this.#pagedOf(mark, isNear);
    const first = paged.page(0);
    // The loaded children have no weight, but others do.
    if (!first && wantsMore(paged.run.family, 0)) this.#want(tree, options, mark);
    if (!first || !(isFocus || isReadable(first, room, isNear))) return;
    chromeOf(marks.level[mark]!, width, height, chrome);
    marks.kind[mark] = markKind.group;
    marks.hide(mark, 0, 0, 0);
    marks.header[mark] = chrome.header;
    this.#addPages(tree, options, mark, paged, first);
  }

  /** Requests the children of a mark after the loaded ones, if the mark is visible. */
  #want(tree: LoadedTree, options: LayoutOptions, mark: number): void {
    const { row, x0, y0, x1, y1, wants } = this.#marks;
    const weight = visibleArea(x0[mark]!, y0[mark]!, x1[mark]!, y1[mark]!, options);
    const of = row[mark]!;
    if (weight > 0) wants.push({ node: tree.node[of]!, skip: heldChildren(tree, of), weight });
  }

  #pagedOf(mark: number, isNear: boolean): PagedBoxes {
    const row = this.#marks.row[mark]!;
    const family = this.#families.of(row);
    const known = this.#paged.get(row);
    const chrome = this.#chrome;
    chromeOf(this.#marks.level[mark]!, this.#baseWidth[mark]!, this.#baseHeight[mark]!, chrome);
    const width = this.#baseWidth[mark]! - 2 * chrome.margin;
    const height = this.#baseHeight[mark]! - 2 * chrome.margin - chrome.header;
    if (known?.isOf(family, width, height, isNear)) return known;
    const paged = new PagedBoxes(family, width, height, isNear);
    this.#paged.set(row, paged);
    return paged;
  }

  /** Adds the visible part of the readable pages, and a tail for what follows them. */
  #addPages(tree: LoadedTree, options: LayoutOptions, mark: number, paged: PagedBoxes, first: BoxedPage): void {
    const marks = this.#marks;
    const { header, margin } = this.#chrome;
    const { rows } = paged.run.family;
    const left = marks.x0[mark]! + margin;
    const top = marks.y0[mark]! + margin + header;
    const scaleX = (marks.x1[mark]! - margin - left) / paged.width;
    const scaleY = (marks.y1[mark]! - margin - top) / paged.height;
    const level = marks.level[mark]! + 1;
    const add = (kind: number, row: number, boxes: Float64Array, at: number) => {
      const [x0, y0] = [left + boxes[at]! * scaleX, top + boxes[at + 1]! * scaleY];
      const [x1, y1] = [left + boxes[at + 2]! * scaleX, top + boxes[at + 3]! * scaleY];
      return visibleArea(x0, y0, x1, y1, options) === 0 ? -1 : marks.add(kind, row, mark, level, x0, y0, x1, y1);
    };
    let page = first;
    for (let at = 1; ; at++) {
      const { boxes, end, rest } = page;
      for (let item = page.first; item < end && marks.count < options.budget; item++) {
        const box = (item - page.first) * 4;
        const added = add(markKind.node, rows[item]!, boxes, box);
        if (added === -1) continue;
        this.#baseWidth[added] = boxes[box + 2]! - boxes[box]!;
        this.#baseHeight[added] = boxes[box + 3]! - boxes[box + 1]!;
      }
      if (rest === 0) return;
      const ofRest = boxes.length - 4;
      const next = paged.page(at);
      const room = ((boxes[ofRest + 2]! - boxes[ofRest]!) * (boxes[ofRest + 3]! - boxes[ofRest + 1]!)) / namedArea;
      if (next && isReadable(next, room * scaleX * scaleY, false)) {
        page = next;
        continue;
      }
      const tail = add(markKind.tail, marks.row[mark]!, boxes, ofRest);
      if (tail === -1) return;
      const { nodes, keywords, volume } = behindPage(paged.run, end);
      marks.hide(tail, nodes, keywords, volume);
      if (wantsMore(paged.run.family, end)) this.#want(tree, options, mark);
      return;
    }
  }

  /** The cached arrangement, as long as neither its children nor its room change. */
  #arrangementOf(mark: number): Arrangement {
    const row = this.#marks.row[mark]!;
    const family = this.#families.of(row);
    const known = this.#arrangements.get(row);
    const chrome = this.#chrome;
    chromeOf(this.#marks.level[mark]!, this.#baseWidth[mark]!, this.#baseHeight[mark]!, chrome);
    const width = this.#baseWidth[mark]! - 2 * chrome.margin;
    const height = this.#baseHeight[mark]! - 2 * chrome.margin - chrome.header;
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
    const { header, margin } = this.#chrome;
    const { squares, rows } = arrangement;
    const left = marks.x0[mark]! + margin;
    const top = marks.y0[mark]! + margin + header;
    const scaleX = (marks.x1[mark]! - margin - left) / arrangement.width;
    const scaleY = (marks.y1[mark]! - margin - top) / arrangement.height;
    const add = (kind: number, row: number, boxes: Float64Array, at: number) => {
      const [x0, y0] = [left + boxes[at]! * scaleX, top + boxes[at + 1]! * scaleY];
      const [x1, y1] = [left + boxes[at + 2]! * scaleX, top + boxes[at + 3]! * scaleY];
      if (visibleArea(x0, y0, x1, y1, options) === 0) return -1;
      return marks.add(kind, row, mark, marks.level[mark]! + 1, x0, y0, x1, y1);
    };
    for (let strip = 0; strip < squares.strips; strip++) {
      const [first, end] = [squares.stripStart[strip]!, squares.stripStart[strip + 1]!];
      const isFine = !isLegible(squares.boxes, first * 4, scaleX, scaleY, options.minPx);
      const isLast = marks.count + (end - first) + 2 > options.budget;
      if (isLast && !isFine) this.#isShort = true;
      if (isFine || isLast) {
        const tail = add(markKind.tail, marks.row[mark]!, squares.free, strip * 4);
        if (tail !== -1) this.#fillTail(tree, options, tail, arrangement, first, arrangement.items);
        return;
      }
      for (let item = first; item < end; item++) {
        const isLegibleItem = isLegible(squares.boxes, item * 4, scaleX, scaleY, options.minPx);
        const kind = item < rows.length && isLegibleItem ? markKind.node : markKind.tail;
        const added = add(kind, kind === markKind.node ? rows[item]! : marks.row[mark]!, squares.boxes, item * 4);
        if (added === -1) continue;
        if (kind === markKind.tail) {
          this.#fillTail(tree, options, added, arrangement, item, item + 1);
        } else {
          this.#baseWidth[added] = squares.boxes[item * 4 + 2]! - squares.boxes[item * 4]!;
          this.#baseHeight[added] = squares.boxes[item * 4 + 3]! - squares.boxes[item * 4 + 1]!;
        }
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
    if (!reachesUnheld(arrangement, end)) return;
    const nodes = marks.hidden[tail]!;
    const area = visibleArea(marks.x0[tail]!, marks.y0[tail]!, marks.x1[tail]!, marks.y1[tail]!, options);
    const wholeArea = (marks.x1[tail]! - marks.x0[tail]!) * (marks.y1[tail]! - marks.y0[tail]!);
    // Requested while the mean is at least a quarter of the smallest mark, because the heaviest children are larger
    // than the mean.
    if (area < wantArea || (wholeArea / nodes) * 4 < options.minPx ** 2) return;
    const row = marks.row[tail]!;
    marks.wants.push({ node: tree.node[row]!, skip: tree.childStart[row + 1]! - tree.childStart[row]!, weight: area });
  }
}

const heldChildren = (tree: LoadedTree, row: number) => tree.childStart[row + 1]! - tree.childStart[row]!;

function isLegible(boxes: Float64Array, at: number, scaleX: number, scaleY: number, minPx: number): boolean {
  return (boxes[at + 2]! - boxes[at]!) * scaleX >= minPx && (boxes[at + 3]! - boxes[at + 1]!) * scaleY >= minPx;
}

/** Whether the name of the largest child fits. */
function isNamed(boxes: Float64Array, scaleX: number, scaleY: number): boolean {
  return (boxes[2]! - boxes[0]!) * scaleX >= readable.width && (boxes[3]! - boxes[1]!) * scaleY >= readable.height;
}

/** Area of the visible part of a box. */
function visibleArea(x0: number, y0: number, x1: number, y1: number, options: LayoutOptions): number {
  const width = Math.min(x1, options.width) - Math.max(x0, 0);
  const height = Math.min(y1, options.height) - Math.max(y0, 0);
  return width > 0 && height > 0 ? width * height : 0;
}
