import { type LayoutOptions, markKind } from '../layout/layout.ts';
import { MarksBuffer } from '../layout/marks-buffer.ts';
import { type Chrome, chromeOf } from './chrome.ts';

type Viewport = Pick<LayoutOptions, 'width' | 'height'>;

/** Where the layout of a group's children is on screen. */
export type Placement = {
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
export class BoxMarks {
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
