import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Families } from '../layout/families.ts';
import { standFor } from '../layout/family.ts';
import { goneRow } from '../layout/gone.ts';
import { type LayoutOptions, markKind } from '../layout/layout.ts';
import { isReadable, standBehindPage, wantsMore } from '../layout/readable-pages.ts';
import { RowCache } from '../layout/row-cache.ts';
import type { BoxMarks, Placement } from './box-marks.ts';
import { type Chrome, namedStripPx } from './chrome.ts';
import { type BoxedPage, namedArea, PagedBoxes } from './paged-boxes.ts';

/** The part of a treemap with automatic depth: opens only branches whose children have room for their names. */
export class ReadableBoxes {
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
  open(tree: LoadedTree, options: LayoutOptions, mark: number, chrome: Chrome, isNear: boolean): void {
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
      this.#want(tree, options, mark);
      return;
    }
    const paged = this.#pagedOf(mark, isNear);
    const first = paged.page(0);
    // The loaded children have no weight, but others do.
    if (!first && wantsMore(paged.run.family, 0)) this.#want(tree, options, mark);
    if (!first || !(isFocus || isReadable(first, room, isNear))) return;
    marks.kind[mark] = markKind.group;
    marks.hide(mark, 0, 0, 0);
    marks.header[mark] = header;
    const placement = this.#boxes.placementIn(mark, chrome, paged.width, paged.height);
    this.#addPages(tree, options, mark, paged, first, placement);
  }

  /** Requests the children of a mark after the loaded ones, if the mark is visible. */
  #want(tree: LoadedTree, options: LayoutOptions, mark: number): void {
    const area = this.#boxes.visibleArea(mark, options);
    if (area > 0) this.#boxes.want(tree, mark, area);
  }

  /** The cached pages, as long as neither the children nor their room change. */
  #pagedOf(mark: number, isNear: boolean): PagedBoxes {
    const row = this.#boxes.marks.row[mark]!;
    const family = this.#families.of(row);
    const known = this.#paged.get(row);
    const { width, height } = this.#boxes.roomIn(mark);
    if (known?.isOf(family, width, height, isNear)) return known;
    const paged = new PagedBoxes(family, width, height, isNear);
    this.#paged.set(row, paged);
    return paged;
  }

  #addGone({ run }: PagedBoxes, item: number, mark: number): void {
    if (mark !== -1) standFor(this.#boxes.marks, mark, run.family, item, item + 1);
  }

  /** Adds the visible part of the readable pages, and a tail for what follows them. */
  #addPages(
    tree: LoadedTree,
    options: LayoutOptions,
    mark: number,
    paged: PagedBoxes,
    first: BoxedPage,
    placement: Placement,
  ): void {
    const { marks } = this.#boxes;
    const { rows } = paged.run.family;
    const add = (kind: number, row: number, boxes: Float64Array, at: number) =>
      this.#boxes.add(kind, row, mark, placement, boxes, at, options);
    let page = first;
    for (let at = 1; ; at++) {
      const { boxes, end, rest } = page;
      for (let item = page.first; item < end && marks.count < options.budget; item++) {
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
      if (wantsMore(paged.run.family, end)) this.#want(tree, options, mark);
      return;
    }
  }
}

/** How many names fit into the last box, on screen. */
function roomInLast(boxes: Float64Array, { scaleX, scaleY }: Placement): number {
  const [x0, y0, x1, y1] = boxes.subarray(-4);
  return (((x1! - x0!) * (y1! - y0!)) / namedArea) * scaleX * scaleY;
}
