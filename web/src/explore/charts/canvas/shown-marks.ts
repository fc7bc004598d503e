import { type Camera, homeCamera } from '../../model/camera.ts';
import { none } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Moved } from '../../tree-data/slice-loader.ts';
import { type Box, type Size, scaleAcross, shiftBetween } from '../camera/camera.ts';
import type { Amounts } from '../layout/layout.ts';
import { isAround, type Marks, markKind } from '../layout/layout.ts';
import type { Painter } from '../paint/painter.ts';
import { hitTest } from '../paint/shapes.ts';

/**
 * What is at a point: a node (or the group around it), or the children behind a tail, `row` being their parent. A tail
 * can also stand for what its row has lost.
 */
export type Target = {
  readonly row: number;
  readonly mark: number;
  readonly isTail: boolean;
  readonly isGone: boolean;
};

/** What a tail stands for. */
export type Hidden = Amounts & { readonly isGone: boolean };

/**
 * The marks of the last layout, and queries on them: the mark of a row, its position, the mark under a point. Points
 * are CSS pixels in the viewport, boxes are in layout units.
 */
export class ShownMarks {
  #marks: Marks | undefined;
  /** The camera that the marks are laid out for; a moving chart is ahead of it. */
  drawnAt: Camera = homeCamera;
  /** Rows with a mark, computed on first use. */
  #rows: ReadonlySet<number> | undefined;
  readonly #tree: LoadedTree;
  readonly #painter: Painter;

  constructor(tree: LoadedTree, painter: Painter) {
    this.#tree = tree;
    this.#painter = painter;
  }

  /** Undefined before the first layout. */
  get marks(): Marks | undefined {
    return this.#marks;
  }

  show(marks: Marks, drawnAt: Camera): void {
    this.#marks = marks;
    this.drawnAt = drawnAt;
    this.#rows = undefined;
  }

  /** Whether the whole chart is visible in a viewport of that size. */
  isWhole({ width, height }: Size): boolean {
    if (!this.#marks) return false;
    const { extent, zooms } = this.#marks;
    const { x, y, k } = this.drawnAt;
    const right = x + width / scaleAcross(k, zooms);
    return x <= 0.01 && y <= 0.01 && right >= extent.width - 0.01 && y + height / k >= extent.height - 0.01;
  }

  /** The loaded rows have changed: marks follow their nodes to the new rows, and have no row if the node is gone. */
  move({ exactly }: Moved): void {
    const marks = this.#marks;
    if (!marks) return;
    for (let mark = 0; mark < marks.count; mark++) marks.row[mark] = exactly(marks.row[mark]!);
    this.#rows = undefined;
  }

  markOf(row: number): number {
    const marks = this.#marks;
    if (!marks || row === none) return none;
    for (let mark = 0; mark < marks.count; mark++) {
      if (marks.row[mark] === row && marks.kind[mark] !== markKind.tail) return mark;
    }
    return none;
  }

  /** Where a row is drawn; undefined if it is not. */
  boxOf(row: number): Box | undefined {
    const mark = this.markOf(row);
    const marks = this.#marks;
    if (!marks || mark === none) return undefined;
    const { x, y, k } = this.drawnAt;
    const across = scaleAcross(k, marks.zooms);
    return {
      x0: x + marks.x0[mark]! / across,
      y0: y + marks.y0[mark]! / k,
      x1: x + marks.x1[mark]! / across,
      y1: y + marks.y1[mark]! / k,
    };
  }

  /**
   * The mark that represents a row: its own, the tail that contains it, or that of the nearest drawn ancestor. None if
   * that is only what surrounds the whole chart.
   */
  representativeOf(row: number, view: Size): number {
    const marks = this.#marks;
    if (!marks || row === none) return none;
    const nearest = this.#drawnAncestor(row);
    const mark = nearest === row || !this.isWhole(view) ? this.markOf(nearest) : this.#tailOf(nearest);
    return mark === 0 && isAround(marks) ? none : mark;
  }

  /** The row of {@link representativeOf}. */
  litFor(row: number, view: Size): { readonly row: number; readonly isTail: boolean } | undefined {
    const mark = this.representativeOf(row, view);
    const marks = this.#marks;
    return marks && mark !== none ? { row: marks.row[mark]!, isTail: marks.kind[mark] === markKind.tail } : undefined;
  }

  /** The row itself if it is drawn, otherwise its nearest drawn ancestor. */
  #drawnAncestor(row: number): number {
    if (!this.#marks || this.markOf(row) !== none) return row;
    this.#rows ??= rowsDrawn(this.#marks);
    let at = row;
    while (at > none && !this.#rows.has(at)) at = this.#tree.parent[at]!;
    return at;
  }

  /** The last tail of a row; its own mark if it has none. */
  #tailOf(row: number): number {
    const { count, row: rows, kind, isGone } = this.#marks!;
    for (let mark = count - 1; mark >= 0; mark--) {
      if (rows[mark] === row && kind[mark] === markKind.tail && isGone[mark] === 0) return mark;
    }
    return this.markOf(row);
  }

  /** Whether the children of a branch are drawn. */
  isOpen(row: number): boolean {
    const mark = this.markOf(row);
    return mark !== none && this.#marks?.kind[mark] === markKind.group;
  }

  hiddenAt(mark: number): Hidden {
    const marks = this.#marks;
    return {
      nodes: marks?.hidden[mark] ?? 0,
      keywords: marks?.hiddenKeywords[mark] ?? 0,
      volume: marks?.hiddenVolume[mark] ?? 0,
      isGone: marks?.isGone[mark] === 1,
    };
  }

  /** A point inside the mark of a row; undefined if it is not drawn. */
  middleOf(row: number): { readonly x: number; readonly y: number } | undefined {
    const mark = this.markOf(row);
    return this.#marks && mark !== none ? this.#painter.shape.middle(this.#marks, mark) : undefined;
  }

  /** @param camera the current position of the chart */
  targetAt(px: number, py: number, slop: number, camera: Camera): Target | undefined {
    const marks = this.#marks;
    if (!marks) return undefined;
    const { scale, scaleX, x, y } = shiftBetween(this.drawnAt, camera, marks.zooms);
    const mark = hitTest(marks, this.#painter.shape, (px - x) / scaleX, (py - y) / scale, slop / scale);
    // Until the next layout, a mark whose node is gone still covers its place.
    if (mark === none || marks.row[mark] === none) return undefined;
    return {
      mark,
      row: marks.row[mark]!,
      isTail: marks.kind[mark] === markKind.tail,
      isGone: marks.isGone[mark] === 1,
    };
  }
}

function rowsDrawn({ count, row, kind }: Marks): ReadonlySet<number> {
  const rows = new Set<number>();
  for (let mark = 0; mark < count; mark++) if (kind[mark] !== markKind.tail) rows.add(row[mark]!);
  return rows;
}
