import { firstFrom } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { amountsIn, Families, type Family, includesUnloaded, RowCache, standFor } from '../layout/families.ts';
import { goneRow, type Layout, type LayoutOptions, type Marks, MarksBuffer, markKind } from '../layout/layout.ts';
import { addMarks, type Turn } from '../layout/partition.ts';
import {
  isReadable,
  nameBytesIn,
  type Page,
  pageOf,
  pageWeights,
  type Run,
  runOf,
  standBehindPage,
  wantsMore,
} from '../layout/readable-pages.ts';
import { type PackedCircles, packCircles } from './pack-circles.ts';

/** Margin around the focus at zoom 1, in CSS pixels. */
const outside = 8;
/** Circles with a smaller radius, in CSS pixels, stay closed: their contents could not be distinguished. */
const openPx = 9;
/** A circle between these radii, in CSS pixels, has room for its name or its contents but not both: it stays closed. */
const namedFrom = 16;
const rimFrom = 48;
/** A branch opens when the radius of its largest child is this many times the smallest radius drawn. */
const openingFactor = 1.5;
/** Branches with a smaller radius on screen, in CSS pixels, do not request children. */
const wantPx = 10;

/** The children of one row as circles: item `i` of the family has a radius and a centre, in radii of the parent. */
type Packing = Family &
  PackedCircles & {
    readonly radii: Float64Array;
    readonly family: Family;
    /** The largest of the radii. */
    readonly biggest: number;
  };

/**
 * Circle packing: siblings have areas in proportion to their weights, and their parent is the circle that encloses
 * them. The size of a branch is its own circle, not the sum of the circles in it, because packing leaves gaps.
 *
 * Circles too small to be distinguished share one mark that fills the parent, drawn below the others.
 *
 * Cost: the visible marks; the children of a branch are packed when it first opens and when their weights change. No
 * recursion, so depth does not matter.
 * Source: see {@link packCircles}.
 */
export function createBubbles(): Layout {
  const bubbles = new Bubbles();
  return (tree, options) => bubbles.layOut(tree, options);
}

class Bubbles {
  #marks = new MarksBuffer();
  readonly #families = new Families();
  readonly #packings = new RowCache<Packing>();
  readonly #paged = new RowCache<PagedCircles>();
  /** Radius of each mark at zoom 1. */
  #baseRadius = new Float64Array(0);
  /** Number of items that may still be packed before the layout is left unfinished. */
  #effort = 0;

  layOut(tree: LoadedTree, options: LayoutOptions): Marks {
    const { width, height, budget, effort = Number.POSITIVE_INFINITY } = options;
    this.#effort = effort;
    this.#families.begin(tree, options);
    this.#packings.begin(tree);
    this.#paged.begin(tree);
    if (this.#baseRadius.length < budget + 2) this.#baseRadius = new Float64Array(budget + 2);
    addMarks(this.#marks, tree, options, {
      addFocus: () => this.#addFocus(options),
      open: (mark, turn) => this.#open(turn, mark),
    });
    return this.#marks.marks({ form: 'circles' }, { width, height });
  }

  #addFocus({ focus, width, height, camera }: LayoutOptions): void {
    if (width <= 0 || height <= 0) return;
    const atOne = Math.max(1, Math.min(width, height) / 2 - outside);
    this.#baseRadius[0] = atOne;
    const [x, y] = [(width / 2 - camera.x) * camera.k, (height / 2 - camera.y) * camera.k];
    this.#add(markKind.node, focus, -1, 0, x, y, atOne * camera.k);
  }

  #add(kind: number, row: number, parent: number, level: number, x: number, y: number, radius: number): number {
    return this.#marks.add(kind, row, parent, level, x - radius, y - radius, x + radius, y + radius);
  }

  /** Adds a loaded item of a family as a child of a mark. @returns its mark */
  #addItem(family: Family, item: number, parent: number, x: number, y: number, radius: number): number {
    const marks = this.#marks;
    const row = family.rows[item]!;
    const level = marks.level[parent]! + 1;
    if (row !== goneRow) return this.#add(markKind.node, row, parent, level, x, y, radius);
    const mark = this.#add(markKind.tail, marks.row[parent]!, parent, level, x, y, radius);
    standFor(marks, mark, family, item, item + 1);
    return mark;
  }

  #open(turn: Turn, mark: number): void {
    const { tree } = turn;
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const radius = (marks.x1[mark]! - marks.x0[mark]!) / 2;
    const isFocus = mark === 0;
    if (tree.childCount[row] === 0 || radius < openPx) return;
    if (turn.autoLevels !== undefined) {
      this.#openReadable(turn, mark, radius, marks.level[mark]! < turn.autoLevels);
      return;
    }
    if (tree.loadedChildren(row) === 0) {
      if (radius >= wantPx) marks.want(tree, row, radius * radius);
      return;
    }
    const packing = this.#packingOf(row);
    if (!packing || packing.items === 0) return;
    const rim = rimOf(marks.level[mark]!, radius);
    const scale = radius - rim;
    if (packing.biggest * scale * 2 < turn.minPx * (isFocus ? 1 : openingFactor)) return;
    if (!isFocus && radius >= namedFrom && radius < rimFrom) return;
    if (marks.count + 2 > turn.budget) {
      this.#marks.isShort = true;
      return;
    }
    marks.kind[mark] = markKind.group;
    marks.header[mark] = rim;
    const { nodes, keywords, volume } = packing.weightless;
    marks.hide(mark, nodes, keywords, volume);
    this.#addChildren(turn, mark, packing, scale);
  }

  /** Adds the heaviest children of a mark if their names fit; one mark stands for the rest. */
  #openReadable(turn: Turn, mark: number, radius: number, isNear: boolean): void {
    const { tree } = turn;
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const isFocus = mark === 0;
    const want = () => marks.want(tree, row, radius * radius);
    // Without a rim for its name, an open circle would say less than a closed one.
    if (!isFocus && radius < rimFrom) return;
    if (tree.loadedChildren(row) === 0) {
      want();
      return;
    }
    const rim = rimOf(marks.level[mark]!, radius);
    const paged = this.#pagedOf(tree, mark, isNear);
    const first = this.#pageOf(paged, 0);
    const { family } = paged.run;
    if (family.rows.length === 0 && wantsMore(family, 0)) want();
    if (!first || !(isFocus || isReadable(first, roomIn(radius - rim, paged.named), isNear))) return;
    marks.kind[mark] = markKind.group;
    marks.header[mark] = rim;
    marks.hide(mark, 0, 0, 0);
    const shown = this.#addPages(turn, mark, paged, first, radius - rim);
    if (wantsMore(family, shown)) want();
  }

  #pagedOf(tree: LoadedTree, mark: number, isNear: boolean): PagedCircles {
    const row = this.#marks.row[mark]!;
    const family = this.#families.of(row);
    const atOne = this.#baseRadius[mark]!;
    const radius = atOne - rimOf(this.#marks.level[mark]!, atOne);
    const cached = this.#paged.get(row);
    if (cached?.isOf(family, radius, isNear)) return cached;
    const paged = new PagedCircles(family, radius, namedRadiusFor(nameBytesIn(tree, family)), isNear);
    this.#paged.set(row, paged);
    return paged;
  }

  /** Also undefined when no effort is left to place its circles. */
  #pageOf(paged: PagedCircles, at: number): CirclesPage | undefined {
    if (this.#effort <= 0 && !paged.isPlaced(at)) {
      this.#marks.isUnfinished ||= paged.run.family.rows.length > 0;
      return undefined;
    }
    return paged.page(at, (circles) => {
      this.#effort -= circles;
    });
  }

  /** Adds the visible part of the readable pages, and a tail for what follows them. @returns the items */
  #addPages(options: LayoutOptions, mark: number, paged: PagedCircles, first: CirclesPage, scale: number): number {
    const marks = this.#marks;
    const level = marks.level[mark]! + 1;
    let [cx, cy] = [(marks.x0[mark]! + marks.x1[mark]!) / 2, (marks.y0[mark]! + marks.y1[mark]!) / 2];
    let page = first;
    let [within, atOne] = [scale, paged.radius];
    for (let at = 1; ; at++) {
      const { x, y, radii, end } = page;
      for (let item = page.first; item < end && marks.count < options.budget; item++) {
        const i = item - page.first;
        const [px, py, radius] = [cx + x[i]! * within, cy + y[i]! * within, radii[i]! * within];
        if (!isSeen(px, py, radius, options)) continue;
        const added = this.#addItem(paged.run.family, item, mark, px, py, radius);
        this.#baseRadius[added] = radii[i]! * atOne;
      }
      if (page.rest === 0) return end;
      const last = radii.length - 1;
      [cx, cy, within] = [cx + x[last]! * within, cy + y[last]! * within, radii[last]! * within];
      atOne *= radii[last]!;
      const next = this.#pageOf(paged, at);
      if (next && isReadable(next, roomIn(within, paged.named), false)) {
        page = next;
        continue;
      }
      if (!isSeen(cx, cy, within, options)) return end;
      const tail = this.#add(markKind.tail, marks.row[mark]!, mark, level, cx, cy, within);
      standBehindPage(marks, tail, paged.run, end);
      return end;
    }
  }

  #addChildren(turn: Turn, mark: number, packing: Packing, scale: number): void {
    const marks = this.#marks;
    const { x, y, radii, rows, items } = packing;
    const [cx, cy] = [(marks.x0[mark]! + marks.x1[mark]!) / 2, (marks.y0[mark]! + marks.y1[mark]!) / 2];
    const level = marks.level[mark]! + 1;
    const row = marks.row[mark]!;
    const minRadius = turn.minPx / 2 / scale;
    const distinct = firstFrom(0, rows.length, (item) => radii[item]! < minRadius);
    const room = Math.max(0, turn.budget - marks.count - 1);
    if (distinct > room && isSeen(cx, cy, scale, turn)) this.#marks.isShort = true;
    const last = Math.min(distinct, room);
    const isUnloadedFine = items > rows.length && radii[rows.length]! * scale * 2 < turn.minPx;
    const end = isUnloadedFine ? items : rows.length;
    // This mark is as large as the parent: what is gone alone must not cover it.
    if (amountsIn(packing, last, end).nodes > 0) {
      const tail = this.#add(markKind.tail, row, mark, level, cx, cy, scale);
      standFor(marks, tail, packing, last, end);
    }
    for (let item = 0; item < last; item++) {
      const [px, py, radius] = [cx + x[item]! * scale, cy + y[item]! * scale, radii[item]! * scale];
      if (isSeen(px, py, radius, turn)) this.#addItem(packing, item, mark, px, py, radius);
    }
    if (items > rows.length && !isUnloadedFine) this.#addUnloaded(turn, mark, packing, scale, cx, cy);
  }

  /** One circle for the children that are not loaded. It requests them when they would be visible. */
  #addUnloaded(turn: Turn, mark: number, packing: Packing, scale: number, cx: number, cy: number): void {
    const { tree } = turn;
    const marks = this.#marks;
    const row = marks.row[mark]!;
    const item = packing.rows.length;
    const [x, y] = [cx + packing.x[item]! * scale, cy + packing.y[item]! * scale];
    const radius = packing.radii[item]! * scale;
    if (!isSeen(x, y, radius, turn)) return;
    const tail = this.#add(markKind.tail, row, mark, marks.level[mark]! + 1, x, y, radius);
    standFor(marks, tail, packing, item, packing.items);
    const isWanted = radius >= wantPx && (2 * radius) / Math.sqrt(marks.hidden[tail]!) >= turn.minPx / 2;
    if (!isWanted || !includesUnloaded(packing, packing.items)) return;
    marks.want(tree, row, radius * radius);
  }

  /** Returns the previous packing, if any, when no effort is left: a family of the same content only grows. */
  #packingOf(row: number): Packing | undefined {
    const family = this.#families.of(row);
    const cached = this.#packings.get(row);
    if (cached?.family === family) return cached;
    const isOfSame = cached !== undefined && isSame(cached.weights, family.weights);
    if (!isOfSame && this.#effort <= 0) {
      this.#marks.isUnfinished = true;
      return cached;
    }
    if (!isOfSame) this.#effort -= family.items;
    const places = isOfSame ? cached : placeCircles(family.weights);
    const { x, y, radius, radii, biggest } = places;
    const packing = { ...family, family, x, y, radius, radii, biggest };
    this.#packings.set(row, packing);
    return packing;
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/**
 * The gap between the edge of a branch and the circles in it, in CSS pixels, which holds the name of the branch. It
 * grows continuously, so zooming never makes the contents jump.
 */
function rimOf(level: number, radius: number): number {
  if (level === 0) return 2;
  return Math.min(3, radius * 0.05) + 15 * Math.min(1, Math.max(0, (radius - rimFrom + 8) / 8));
}

function isSeen(x: number, y: number, radius: number, { width, height }: LayoutOptions): boolean {
  return x + radius > 0 && y + radius > 0 && x - radius < width && y - radius < height;
}

/** Radii with room for a short and for a long name, in CSS pixels. */
const [shortRadius, longRadius] = [27, 38];
/** A short name has this many bytes. Each further byte adds this much to the radius, in CSS pixels. */
const [shortBytes, radiusPerByte] = [14, 0.75];
/** Approximate share of a circle's area that the circles in it cover. */
const density = 0.7;

/** The approximate radius with room for a name of so many UTF-8 bytes, in CSS pixels. */
const namedRadiusFor = (nameBytes: number): number =>
  Math.min(longRadius, shortRadius + radiusPerByte * Math.max(0, nameBytes - shortBytes));

/** Approximately how many circles of radius `named` fit into one of radius `radius`. */
export const roomIn = (radius: number, named: number): number => density * (radius / named) ** 2;

/**
 * A page in its circle: centres and radii of its items, with those of the rest last. That circle has its centre at the
 * origin and a radius of 1.
 */
type CirclesPage = Page & { readonly x: Float64Array; readonly y: Float64Array; readonly radii: Float64Array };

/**
 * The children of one row as circles, page by page. The first page fills the parent's circle, and each further one the
 * circle of the rest of the page before it.
 */
class PagedCircles {
  readonly run: Run;
  /** The radius of the circle for the first page at zoom 1, in CSS pixels. */
  readonly radius: number;
  /** The radius that each circle needs for its name, in CSS pixels. */
  readonly named: number;
  /** See `pageOf`. */
  readonly isNear: boolean;
  readonly #pages: CirclesPage[] = [];

  constructor(family: Family, radius: number, named: number, isNear: boolean) {
    this.run = runOf(family);
    this.radius = radius;
    this.named = named;
    this.isNear = isNear;
  }

  /** Whether these pages are still valid. */
  isOf(family: Family, radius: number, isNear: boolean): boolean {
    return this.run.family === family && this.radius === radius && this.isNear === isNear;
  }

  /** Whether the circles of page `at` are already computed. */
  isPlaced(at: number): boolean {
    return at < this.#pages.length;
  }

  /**
   * Page `at`, computed on first use; undefined after the last loaded child that has a weight.
   *
   * @param onWork called for each page that is computed, with its number of circles
   */
  page(at: number, onWork: (circles: number) => void): CirclesPage | undefined {
    while (this.#pages.length <= at) {
      const before = this.#pages.at(-1);
      const first = before?.end ?? 0;
      if (first >= this.run.family.rows.length || before?.rest === 0) return undefined;
      const radius = this.#pages.reduce((within, { radii }) => within * radii.at(-1)!, this.radius);
      const page = pageOf(this.run, first, roomIn(radius, this.named), this.isNear);
      onWork(page.end - first);
      this.#pages.push({ ...page, ...placeCircles(pageWeights(this.run, page)) });
    }
    return this.#pages[at];
  }
}

/**
 * Centres and radii, in radii of the enclosing circle. Weights descend except for the last, which is the children that
 * are not loaded: it is placed in order of its size.
 */
function placeCircles(weights: Float64Array) {
  const order = Array.from(weights, (_, i) => i).sort((a, b) => weights[b]! - weights[a]!);
  const packed = packCircles(Float64Array.from(order, (item) => Math.sqrt(weights[item]!)));
  const [x, y, radii] = [0, 1, 2].map(() => new Float64Array(weights.length));
  order.forEach((item, i) => {
    x![item] = packed.x[i]! / packed.radius;
    y![item] = packed.y[i]! / packed.radius;
    radii![item] = Math.sqrt(weights[item]!) / packed.radius;
  });
  return { x: x!, y: y!, radii: radii!, radius: 1, biggest: radii![order[0] ?? 0] ?? 0 };
}
