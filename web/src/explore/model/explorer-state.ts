import type { MatchMode } from '@kc/pack/find/text-query';
import { type DefaultDepth, defaultSettings } from '@kc/rules/settings';
import type { Field, WithheldField } from '@kc/rules/shapes';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Metric } from '../tree-data/figures.ts';
import { none } from '../tree-data/no-row.ts';
import type { Compared } from './compared-nodes.ts';
import type { ColourBy, PatternMaker, SizeBy, Steps } from './encodings.ts';
import type { OutlineRanked } from './outline-order.ts';
import type { SearchResults } from './search-results.ts';
import type { Bytes } from './source.ts';
import type { TableSort } from './table-order.ts';
import type { Depth, UrlState, View } from './url-state.ts';

/** What is being looked at, and how. Rows are rows of the held tree; {@link none} is no row. */
export type ExplorerState = {
  readonly view: View;
  /** The branch that is looked into. */
  readonly focus: number;
  readonly selected: number;
  /** What is looked at side by side, in the order it was chosen; what a filter leaves out keeps its place. */
  readonly compared: readonly Compared[];
  readonly hovered: number;
  /** A search hit that is lit while the list of hits is walked. */
  readonly previewed: number;
  /** A row that somebody goes to, until the picture has shown it big enough to be read. */
  readonly sought: number;
  /** The answer to the query, or to the one before while that is on its way; undefined without one. */
  readonly found: SearchResults | undefined;
  readonly searchFailure: unknown;
  readonly query: string;
  /** How the query is matched. */
  readonly match: MatchMode;
  /** The text of a filter, canonical; empty without one. The held tree is of what it keeps. */
  readonly filter: string;
  /** The filter that is wanted, until what it keeps is here and takes the place of what is held. */
  readonly filtering: string | undefined;
  /** Whether what a filter leaves out is to be shown faintly; the held tree has it then, see `LoadedTree.shape`. */
  readonly isFaint: boolean;
  /** Undefined until a person chooses one: see {@link depthOf}. */
  readonly depth: Depth | undefined;
  /** The setting `defaultDepth`: the depth for everybody who has not chosen one, if branches do not open by themselves. */
  readonly usualDepth: DefaultDepth;
  /** The setting `autoExpand`: branches open by themselves, so the depth starts at `auto`. */
  readonly autoExpand: boolean;
  /** Whether the screen is a small one. */
  readonly isSmall: boolean;
  readonly colour: ColourBy;
  readonly size: SizeBy;
  /** The size of these data until a person chooses one, or a link does: see `usualSizeOf`. */
  readonly usualSize: SizeBy;
  /** How the steps of a coloured number lie; undefined as its values ask for. */
  readonly steps: Steps | undefined;
  /** The axes of Opportunity. */
  readonly x: Metric;
  readonly y: Metric;
  /** Whether names have colours that the colour-blind tell apart, and marks patterns. */
  readonly isSafe: boolean;
  readonly patterns: PatternMaker | undefined;
  /** What else the file has; undefined until something asked for it. */
  readonly fields: readonly Field[] | undefined;
  /** Members of the file that are no fields. */
  readonly withheld: readonly WithheldField[];
  /** What siblings in the table are sorted by. */
  readonly tableSort: TableSort;
  /** Of branches that are not held whole, how many children are held from the first one on in that order. */
  readonly ranked: ReadonlyMap<number, number>;
  /** The same for the outline. */
  readonly outlineRanked: OutlineRanked | undefined;
  readonly theme: UrlState['theme'];
  /** Rows whose children the outline and the table show. */
  readonly expanded: ReadonlySet<number>;
  /** Branches of the Tree opened below the depth, closed above it, and shown without a tail. */
  readonly opened: ReadonlySet<number>;
  readonly closed: ReadonlySet<number>;
  readonly unfolded: ReadonlySet<number>;
  /** Grows with every slice that is merged. */
  readonly treeVersion: number;
  /** Whether the first picture and the place the address names are there. */
  readonly ready: boolean;
  /** How far the first slice has come; undefined before it comes. */
  readonly loading: Bytes | undefined;
  /** Whether a person has stopped the loading. */
  readonly isCancelled: boolean;
  readonly failure: unknown;
  /** A quiet word about what the address asked for and is not there. */
  readonly notice: string | undefined;
  /** What a screen reader is told next. */
  readonly spoken: string;
  /** Percent; 100 is the whole focus fitted in. */
  readonly zoom: number;
  readonly outlineOpen: boolean;
  readonly detailOpen: boolean;
  readonly helpOpen: boolean;
  /** Whether somebody comes upon the first data they ever had: the picture comes up from afar, once. */
  readonly isArriving: boolean;
  /** Whether the first steps are shown. */
  readonly coachOpen: boolean;
  /** Goes up by one when an address was followed: the camera is to stand where that says. */
  readonly followed: number;
  /** What the keywords that no node names are searched for; undefined while their list is closed. */
  readonly unplaced: string | undefined;
  /** Whether nothing but the picture is shown, and saved views are walked through. */
  readonly presenting: boolean;
  /** Whether the minimap may show; it does while a part of the picture is out of sight. */
  readonly minimapOpen: boolean;
  /** Goes up by one when the legend is to be opened or closed. */
  readonly legendWish: number;
  /** Whether the outline stands in the place of a picture that cannot be drawn. */
  readonly outlineOnly: boolean;
};

export type ExplorerStore = StoreApi<ExplorerState>;

type DepthState = Pick<ExplorerState, 'depth' | 'usualDepth' | 'autoExpand' | 'view'>;

/**
 * The depth that was chosen. Without a choice it is `auto`; where branches are to be opened by hand it is the usual one, and
 * a tree begins with one level.
 */
export function depthOf({ depth, usualDepth, autoExpand, view }: DepthState): Depth {
  return depth ?? (autoExpand ? 'auto' : view === 'tree' ? '1' : usualDepth);
}

/** What a layout is told of the depth: see `LayoutOptions`. */
export type LayoutDepth = { readonly depth: number; readonly autoLevels?: number };

export function layoutDepthOf(state: DepthState): LayoutDepth {
  const depth = depthOf(state);
  if (depth !== 'auto') return { depth: levelsOf(depth) };
  return { depth: Number.POSITIVE_INFINITY, autoLevels: levelsOf(state.usualDepth) };
}

/** What there is room for. */
export type Room = {
  /** Whether the screen is a small one. */
  readonly isSmall: boolean;
  /** Whether the panels stand beside the canvas. */
  readonly panelsOpen: boolean;
};

export function createExplorerStore(url: UrlState, { isSmall, panelsOpen }: Room): ExplorerStore {
  return createStore<ExplorerState>(() => ({
    view: url.view,
    focus: 0,
    selected: none,
    compared: [],
    hovered: none,
    previewed: none,
    sought: none,
    found: undefined,
    searchFailure: undefined,
    query: url.query,
    match: url.match,
    filter: url.filter,
    filtering: undefined,
    isFaint: url.isFaint,
    depth: url.depth,
    usualDepth: defaultSettings.defaultDepth,
    autoExpand: defaultSettings.autoExpand,
    isSmall,
    colour: url.colour,
    size: url.size ?? 'keywords',
    usualSize: 'keywords',
    steps: url.steps,
    x: url.x,
    y: url.y,
    isSafe: false,
    patterns: undefined,
    fields: undefined,
    withheld: [],
    tableSort: undefined,
    ranked: new Map(),
    outlineRanked: undefined,
    theme: url.theme,
    expanded: new Set([0]),
    opened: new Set(),
    closed: new Set(),
    unfolded: new Set(),
    treeVersion: 0,
    ready: false,
    loading: undefined,
    isCancelled: false,
    failure: undefined,
    notice: undefined,
    spoken: '',
    zoom: 100,
    outlineOpen: panelsOpen,
    detailOpen: panelsOpen,
    helpOpen: false,
    isArriving: false,
    coachOpen: false,
    followed: 0,
    unplaced: undefined,
    presenting: false,
    minimapOpen: true,
    legendWish: 0,
    outlineOnly: false,
  }));
}

/** The levels below the focus that a depth opens. */
export function levelsOf(depth: DefaultDepth): number {
  return depth === 'all' ? Number.POSITIVE_INFINITY : Number(depth);
}

/** The same set with `row` in it, or without. */
export function withRow(rows: ReadonlySet<number>, row: number, present: boolean): ReadonlySet<number> {
  if (rows.has(row) === present) return rows;
  const next = new Set(rows);
  if (present) next.add(row);
  else next.delete(row);
  return next;
}
