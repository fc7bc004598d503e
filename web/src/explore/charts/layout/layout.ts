import type { Camera } from '../../model/camera.ts';
import type { Axes, SizeBy } from '../../model/encodings.ts';
import type { Figures } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

export type Zooms = 'both' | 'upright';

/** Smaller boxes hold no readable text, in CSS pixels. */
export const readable = { width: 44, height: 15 } as const;

export type LayoutOptions = {
  /** The loaded row that is the root of the layout. */
  readonly focus: number;
  /** Viewport, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly camera: Camera;
  readonly sizeBy: SizeBy;
  /** What the axes stand for, to the right and upwards. Read by the scatter; {@link usualAxes} if omitted. */
  readonly axes?: Axes;
  /**
   * Levels opened below the focus: 1, 2, 3 or Infinity; a tree opens the heaviest branches, as many as a user can look
   * through.
   */
  readonly depth: number;
  /**
   * If set, only readable branches open: a branch opens if the names of its heaviest children fit, and its other
   * children share one mark. Down to this level a single name is enough, below it takes a few. Not read by the scatter.
   */
  readonly autoLevels?: number;
  /** Nodes smaller than this, in CSS pixels, get no mark of their own. 3 to 4. */
  readonly minPx: number;
  /** Maximum number of marks: about 10,000 while moving, 20,000 at rest. */
  readonly budget: number;
  /**
   * After so many items have been rearranged, the others keep their positions or stay closed, and the layout is
   * unfinished. Read by the bubbles; unlimited if omitted.
   */
  readonly effort?: number;
  /**
   * Rows whose open state the user changed: opened ones that would be closed, and the other way round. Read by the
   * tree.
   */
  readonly opened?: ReadonlySet<number>;
  readonly closed?: ReadonlySet<number>;
  /** Rows whose long runs of children are shown in full. Read by the tree, which otherwise shows the heaviest 60. */
  readonly unfolded?: ReadonlySet<number>;
};

/** Kinds of marks: a closed node; children behind one mark; an open node with its children inside. */
export const markKind = { node: 0, tail: 1, group: 2 } as const;

/**
 * What to draw, as columns. Mark `i` of every column is one shape; parents come before their children, so drawing in
 * order paints children over their parents, and the last mark that covers a point is the visible one.
 *
 * The columns belong to the layout that made them and are overwritten by its next call.
 */
export type Marks = Columns & Form;

/**
 * `boxes` are nested (treemap); `links` are apart, connected to their parents by lines (tree); `bars` are to the right
 * of their parents (icicle); `circles` are nested, each filling the square of its edges (bubbles), with the rim as
 * header; `arcs` surround their parents (sunburst); `scatter` is such circles on two axes, with lines in a list beside
 * them (opportunity).
 */
export type Form =
  | { readonly form: 'boxes' | 'links' | 'bars' | 'circles' }
  | { readonly form: 'arcs'; readonly arcs: Arcs }
  | { readonly form: 'scatter'; readonly plot: Plot };

/** What surrounds the points of a scatter. Everything is in CSS pixels in the viewport. */
export type Plot = {
  /** Where points may appear; the mark of the focus has the same edges. */
  readonly area: Edges;
  /** Where nodes without a position are listed; undefined if all have one. */
  readonly unplottable: Edges | undefined;
  /** Whether the list of unplottable branches fits beside the plot, with lines, or only over it, with a count. */
  readonly isWide: boolean;
  /** Marks from this one on are lines of the list of unplottable branches. */
  readonly listedFrom: number;
  /** Loaded children without a position. */
  readonly unplaced: number;
  /** Children with a position. */
  readonly points: number;
  readonly axes: Axes;
  /** How a branch gets each figure; undefined while it loads. */
  readonly rollUps: { readonly x: Figures['rollUp']; readonly y: Figures['rollUp'] } | undefined;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** Medians of the points; undefined if there are none. */
  readonly medians: { readonly x: Tick; readonly y: Tick } | undefined;
};

export type Edges = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };

export type Tick = { readonly value: number; readonly at: number };

/** Parts of rings around one centre; the edges of such marks are those of their bounding box. */
export type Arcs = {
  /** The centre, in CSS pixels in the viewport. */
  readonly x: number;
  readonly y: number;
  /** Where each mark begins and ends, in turns clockwise from the top, 0 to 1. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Level `l` is between `radii[l]` and `radii[l + 1]`, in CSS pixels; the focus is a disc, `radii[0]` is 0. */
  readonly radii: readonly number[];
};

/** Whether the focus surrounds all its marks, so that a ring around it would be meaningless. */
export const isAround = ({ form }: Form): boolean => form === 'boxes' || form === 'circles' || form === 'scatter';

export type Columns = {
  readonly count: number;
  /** One of `markKind`. */
  readonly kind: Uint8Array;
  /** Loaded row of the node; for a tail, the parent of the nodes behind it. */
  readonly row: Int32Array;
  /** Mark of the parent, -1 for the focus. */
  readonly parent: Int32Array;
  /** The children of mark `i` are the marks `[firstChild[i], childEnd[i])`; both are 0 if it has none. */
  readonly firstChild: Int32Array;
  readonly childEnd: Int32Array;
  /** Edges in CSS pixels in the viewport. */
  readonly x0: Float64Array;
  readonly y0: Float64Array;
  readonly x1: Float64Array;
  readonly y1: Float64Array;
  /** Height of a group's header strip at its top, in CSS pixels; 0 if there is no room for one. */
  readonly header: Float32Array;
  /** Levels below the focus. */
  readonly level: Uint16Array;
  /**
   * Number of children of `row` that this mark stands for: all of them for a closed node, those behind a tail, and for
   * a group those that have no area of their own.
   */
  readonly hidden: Float64Array;
  /** Their keywords, and the sum of their known volumes. */
  readonly hiddenKeywords: Float64Array;
  readonly hiddenVolume: Float64Array;
  /** Whether zooming widens the chart, or only makes it taller. */
  readonly zooms: Zooms;
  /** The whole chart in layout units, to fit and clamp the camera. */
  readonly extent: { readonly width: number; readonly height: number };
  /** Branches large enough on screen to need children that are not loaded, largest first. */
  readonly wants: readonly Want[];
  /** Whether the same call again would show more: see `LayoutOptions.effort`. */
  readonly isUnfinished: boolean;
};

/** A request for children of pack row `node`, after the first `skip`. */
export type Want = {
  readonly node: number;
  readonly skip: number;
  /** Area on screen, in square CSS pixels. */
  readonly weight: number;
};

/**
 * A part of a tree and a camera → marks. Does not use the DOM. Keeps what does not depend on the camera between calls.
 */
export type Layout = (tree: LoadedTree, options: LayoutOptions) => Marks;
