import type { Camera } from '../../model/camera.ts';
import type { SizeBy } from '../../model/encodings.ts';
import type { WeighedChildren } from '../../model/weights.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

/** The directions in which zooming enlarges a chart: both, or only vertically. */
export type Zooms = 'both' | 'upright';

/** The smallest box with readable text, in CSS pixels. */
export const readable = { width: 44, height: 15 } as const;

export type LayoutOptions = {
  /** The loaded row that is the root of the layout. */
  readonly focus: number;
  /** Viewport, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly camera: Camera;
  readonly sizeBy: SizeBy;
  /** If set, branches show what they have lost since the compared upload: see `gone-weights`. */
  readonly goneWeights?: ((tree: LoadedTree, sizeBy: SizeBy) => GoneWeights | undefined) | undefined;
  /**
   * Levels opened below the focus: 1, 2, 3 or Infinity. Of these levels, a tree opens only the heaviest branches, as
   * many as a user can look through.
   */
  readonly depth: number;
  /**
   * If set, only readable branches open: a branch opens if the names of its heaviest children fit, and its other
   * children share one mark. Down to this level, room for a single name is enough; deeper branches need room for a few.
   */
  readonly autoLevels?: number;
  /** Nodes whose side, diameter or length is shorter than this, in CSS pixels, get no mark of their own. 3 to 4. */
  readonly minPx: number;
  /** Maximum number of marks: about 10,000 while moving, 20,000 at rest. */
  readonly budget: number;
  /**
   * Number of items that one call may rearrange. After that, the other branches keep their old contents or stay
   * closed, and the layout is unfinished. Read by the bubbles; unlimited if omitted.
   */
  readonly effort?: number;
  /** Rows that the user opened although they would be closed, and the other way round. Read by the tree. */
  readonly opened?: ReadonlySet<number>;
  readonly closed?: ReadonlySet<number>;
  /** Rows whose long runs of children are shown in full. Read by the tree, which otherwise shows the heaviest 60. */
  readonly unfolded?: ReadonlySet<number>;
};

/** A mark is a closed node, a tail (one mark for several children of a node), or a group (an open node). */
export const markKind = { node: 0, tail: 1, group: 2 } as const;

/**
 * What to draw, as columns. Mark `i` of every column is one shape; parents come before their children, so drawing in
 * order paints children over their parents, and the last mark that covers a point is the visible one.
 *
 * The columns belong to the layout that made them and are overwritten by its next call.
 */
export type Marks = Columns & Form;

/**
 * What marks look like. `boxes` are nested (treemap); `links` are boxes side by side, with a line from each to its
 * parent (tree); `bars` are to the right of their parents (icicle); `circles` are nested, each filling the square of
 * its edges, with its rim as the header (bubbles); `arcs` surround their parents (sunburst).
 */
export type Form =
  | { readonly form: 'boxes' | 'links' | 'bars' | 'circles' }
  | { readonly form: 'arcs'; readonly arcs: Arcs };

/** CSS pixels in the viewport. */
export type Edges = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };

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

/** Direction of a vector in turns clockwise from the top, 0 to 1. */
export const turnOf = (dx: number, dy: number): number => (Math.atan2(dx, -dy) / (2 * Math.PI) + 1) % 1;

/** Whether the mark of the focus surrounds all others: a ring around it would point out nothing. */
export const isAround = ({ form }: Form): boolean => form === 'boxes' || form === 'circles';

type Columns = Readonly<Omit<MarksBuffer, 'reset' | 'add' | 'hide' | 'want' | 'marks' | 'isShort'>> & {
  readonly zooms: Zooms;
  /** The whole chart in layout units, to fit and clamp the camera. */
  readonly extent: { readonly width: number; readonly height: number };
};

/** A request for children of pack row `node`, after the first `skip`. */
type Want = {
  readonly node: number;
  readonly skip: number;
  /** Area on screen, in square CSS pixels. */
  readonly weight: number;
};

/**
 * Computes the marks of a chart from the loaded tree, without using the DOM. A layout caches what does not depend on
 * the camera.
 */
export type Layout = (tree: LoadedTree, options: LayoutOptions) => Marks;

/** In the rows of a family: one item for everything that is gone from the branch since the compared upload. */
export const goneRow = -1;

/** How many children, and the sums of their figures. */
export type Amounts = { readonly nodes: number; readonly keywords: number; readonly volume: number };

/** What branches have lost, by loaded row, with the figures of the compared upload. */
export type GoneWeights = {
  /** Gone children of a row. */
  at(row: number): Amounts;
  /** The children of a row, heavier by what each has lost, with an item for what the row itself has lost. */
  weigh(remaining: WeighedChildren, row: number): WeighedChildren;
};

/** A buffer for marks: columns that are reused between layouts and grow when necessary. */
export class MarksBuffer {
  count = 0;
  /** One of `markKind`. */
  kind = new Uint8Array(0);
  /** 1 for a tail that stands for what its row has lost since the compared upload. */
  isGone = new Uint8Array(0);
  /** Loaded row of the node; for a tail, the parent of the nodes behind it. */
  row = new Int32Array(0);
  /** The parent's mark; -1 for the focus, which is mark 0. */
  parent = new Int32Array(0);
  /** The children of mark `i` are the marks `[firstChild[i], childEnd[i])`; both are 0 if it has none. */
  firstChild = new Int32Array(0);
  childEnd = new Int32Array(0);
  /** Edges in CSS pixels in the viewport. */
  x0 = new Float64Array(0);
  y0 = new Float64Array(0);
  x1 = new Float64Array(0);
  y1 = new Float64Array(0);
  /** Height of a group's header strip at its top, in CSS pixels; 0 if there is no room for one. */
  header = new Float32Array(0);
  /** Levels below the focus. */
  level = new Uint16Array(0);
  /**
   * Number of children of `row` that have no mark of their own and are represented by this one: all children of a
   * closed node, those behind a tail, and those of a group that have no weight.
   */
  hidden = new Float64Array(0);
  /** The keywords of these children, and the sum of their known volumes. */
  hiddenKeywords = new Float64Array(0);
  hiddenVolume = new Float64Array(0);
  /** Branches large enough on screen to need children that are not loaded, largest first. */
  wants: Want[] = [];
  /** Whether the same call again would show more: see `LayoutOptions.effort`. */
  isUnfinished = false;
  /** Whether the budget left something out. */
  isShort = false;

  /** Starts a new layout of at most `capacity` marks. */
  reset(capacity: number): void {
    this.count = 0;
    this.wants = [];
    this.isUnfinished = false;
    this.isShort = false;
    if (capacity <= this.kind.length) return;
    this.kind = new Uint8Array(capacity);
    this.isGone = new Uint8Array(capacity);
    this.row = new Int32Array(capacity);
    this.parent = new Int32Array(capacity);
    this.firstChild = new Int32Array(capacity);
    this.childEnd = new Int32Array(capacity);
    this.x0 = new Float64Array(capacity);
    this.y0 = new Float64Array(capacity);
    this.x1 = new Float64Array(capacity);
    this.y1 = new Float64Array(capacity);
    this.header = new Float32Array(capacity);
    this.level = new Uint16Array(capacity);
    this.hidden = new Float64Array(capacity);
    this.hiddenKeywords = new Float64Array(capacity);
    this.hiddenVolume = new Float64Array(capacity);
  }

  /**
   * Adds a mark. Children of one parent must be added consecutively. @returns the new mark, with nothing hidden and no
   * header
   */
  add(
    kind: number,
    row: number,
    parent: number,
    level: number,
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): number {
    const i = this.count++;
    this.kind[i] = kind;
    this.isGone[i] = 0;
    this.row[i] = row;
    this.parent[i] = parent;
    this.firstChild[i] = 0;
    this.childEnd[i] = 0;
    if (parent >= 0) {
      if (this.childEnd[parent] === 0) this.firstChild[parent] = i;
      this.childEnd[parent] = i + 1;
    }
    this.level[i] = level;
    this.x0[i] = x0;
    this.y0[i] = y0;
    this.x1[i] = x1;
    this.y1[i] = y1;
    this.header[i] = 0;
    this.hide(i, 0, 0, 0);
    return i;
  }

  /** Makes mark `i` stand for `nodes` children. */
  hide(i: number, nodes: number, keywords: number, volume: number): void {
    this.hidden[i] = nodes;
    this.hiddenKeywords[i] = keywords;
    this.hiddenVolume[i] = volume;
  }

  /** Requests the children of a row after the loaded ones. @param weight see `Want` */
  want(tree: LoadedTree, row: number, weight: number): void {
    this.wants.push({ node: tree.node[row]!, skip: tree.loadedChildren(row), weight });
  }

  marks(form: Form, extent: Marks['extent'], zooms: Zooms = 'both'): Marks {
    this.wants.sort((a, b) => b.weight - a.weight);
    return { ...form, ...this, extent, zooms };
  }
}
