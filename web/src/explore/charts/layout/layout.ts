import type { Camera } from '../../model/camera.ts';
import type { Axes, SizeBy } from '../../model/encodings.ts';
import type { Figures } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

export type Zooms = 'both' | 'upright';

/** Boxes smaller than this hold no readable text, in CSS pixels. */
export const readable = { width: 44, height: 15 } as const;

export type LayoutOptions = {
  /** Held row that the picture is of. */
  readonly focus: number;
  /** Viewport, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly camera: Camera;
  readonly sizeBy: SizeBy;
  /** What points stand by, to the right and upwards. Read by the scatter; {@link usualAxes} when left out. */
  readonly axes?: Axes;
  /** Levels opened below the focus: 1, 2, 3 or Infinity; a tree opens the heaviest branches, as far as can be looked through. */
  readonly depth: number;
  /**
   * Where set, only what can be read is opened: a branch opens if its heaviest children have room for their names, and the
   * others share one mark. On so many levels a single name is enough for that, further down it takes a few. Not read by the
   * scatter.
   */
  readonly autoLevels?: number;
  /** Nothing smaller than this, in CSS pixels, gets a mark of its own. 3 to 4. */
  readonly minPx: number;
  /** Marks at most: about 10,000 while moving, 20,000 at rest. */
  readonly budget: number;
  /**
   * Once so many items were arranged anew, what else is to be keeps its place or stays closed, and the picture is unfinished.
   * Read by the bubbles; without end when left out.
   */
  readonly effort?: number;
  /** Rows opened by hand that would be closed, and the other way round. Read by the tree. */
  readonly opened?: ReadonlySet<number>;
  readonly closed?: ReadonlySet<number>;
  /** Rows whose long runs of children are shown in full. Read by the tree, which shows the heaviest 60 otherwise. */
  readonly unfolded?: ReadonlySet<number>;
};

/** Kinds of marks: a node that is drawn whole; children behind one mark; a node that its children are drawn inside of. */
export const markKind = { node: 0, tail: 1, group: 2 } as const;

/**
 * What is to be drawn, as columns. Mark `i` of every column is one shape; parents come before their children, so drawing
 * in order paints children over their parents, and the last mark that covers a point is the one seen there.
 *
 * The columns belong to the layout that made them and are overwritten by its next call.
 */
export type Marks = Columns & Form;

/**
 * `boxes` nest in each other (treemap); `links` stand apart, joined to their parents by lines (tree); `bars` stand to the
 * right of their parents (icicle); `circles` lie in them, each filling the square that its edges make (bubbles), its
 * header being the rim; `arcs` stand around their parents (sunburst); `scatter` are circles of the same kind on two axes,
 * and lines in a list beside them (opportunity).
 */
export type Form =
  | { readonly form: 'boxes' | 'links' | 'bars' | 'circles' }
  | { readonly form: 'arcs'; readonly arcs: Arcs }
  | { readonly form: 'scatter'; readonly plot: Plot };

/** What stands around the points of a scatter. Everything is in CSS pixels in the viewport. */
export type Plot = {
  /** Where points may show; the mark of the focus has the same edges. */
  readonly area: Edges;
  /** Where those without a place are listed; undefined when all have one. */
  readonly rail: Edges | undefined;
  /** Whether there is room for the rail beside the plot, with lines, or only over it, with a count. */
  readonly isWide: boolean;
  /** Marks from this one on are lines of the rail. */
  readonly listedFrom: number;
  /** Held children without a place. */
  readonly unplaced: number;
  /** Children with a place. */
  readonly points: number;
  readonly axes: Axes;
  /** What a branch has of each: undefined while that is on its way. */
  readonly rollUps: { readonly x: Figures['rollUp']; readonly y: Figures['rollUp'] } | undefined;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** Medians of the points; undefined without any. */
  readonly medians: { readonly x: Tick; readonly y: Tick } | undefined;
};

export type Edges = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };

export type Tick = { readonly value: number; readonly at: number };

/** Parts of rings around one centre; the edges of such marks are those of the box around them. */
export type Arcs = {
  /** The centre, in CSS pixels in the viewport. */
  readonly x: number;
  readonly y: number;
  /** Where each mark begins and ends, in turns clockwise from the top, 0 to 1. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Level `l` lies between `radii[l]` and `radii[l + 1]`, in CSS pixels; the focus is a disc, `radii[0]` is 0. */
  readonly radii: readonly number[];
};

/** Whether the focus lies around all its marks, so that a ring about it would say nothing. */
export const isAround = ({ form }: Form): boolean => form === 'boxes' || form === 'circles' || form === 'scatter';

export type Columns = {
  readonly count: number;
  /** One of `markKind`. */
  readonly kind: Uint8Array;
  /** Held row of the node; of a tail, the parent of the nodes behind it. */
  readonly row: Int32Array;
  /** Mark of the parent, -1 for the focus. */
  readonly parent: Int32Array;
  /** The children of mark `i` are the marks `[firstChild[i], childEnd[i])`; both 0 without any. */
  readonly firstChild: Int32Array;
  readonly childEnd: Int32Array;
  /** Edges in CSS pixels in the viewport. */
  readonly x0: Float64Array;
  readonly y0: Float64Array;
  readonly x1: Float64Array;
  readonly y1: Float64Array;
  /** Height of a group's header strip at its top, in CSS pixels; 0 where there is no room for one. */
  readonly header: Float32Array;
  /** Levels below the focus. */
  readonly level: Uint16Array;
  /**
   * Children of `row` that this mark stands for: all of them for a node that is not opened, those behind a tail, and for a
   * group those that have no area of their own.
   */
  readonly hidden: Float64Array;
  /** Their keywords, and the sum of their known volumes. */
  readonly hiddenKeywords: Float64Array;
  readonly hiddenVolume: Float64Array;
  /** Whether zooming makes the picture wider too, or only higher. */
  readonly zooms: Zooms;
  /** The whole picture in layout units, for fitting and bounding the camera. */
  readonly extent: { readonly width: number; readonly height: number };
  /** Branches big enough on screen to want children that are not held, biggest first. */
  readonly wants: readonly Want[];
  /** Whether the same again would show more: see `LayoutOptions.effort`. */
  readonly isUnfinished: boolean;
};

/** A wish for children of pack row `node`, after the first `skip`. */
export type Want = {
  readonly node: number;
  readonly skip: number;
  /** Area on screen, in square CSS pixels. */
  readonly weight: number;
};

/** A part of a tree and a camera → marks. Knows no DOM. Keeps what does not depend on the camera between calls. */
export type Layout = (tree: LoadedTree, options: LayoutOptions) => Marks;
