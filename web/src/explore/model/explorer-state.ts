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

/** What the explorer shows and how. Rows refer to the loaded tree; {@link none} means no row. */
export type ExplorerState = {
  readonly view: View;
  /** The focused branch. */
  readonly focus: number;
  readonly selected: number;
  /** The compared nodes in the order in which they were chosen. A node that the filter excludes keeps its position. */
  readonly compared: readonly Compared[];
  readonly hovered: number;
  /** The search hit highlighted while the user moves through the list of hits. */
  readonly previewed: number;
  /** The row that the user navigates to, until the chart shows it at a readable size. */
  readonly sought: number;
  /** The results of the query, or of the previous query while the new one loads; undefined without a query. */
  readonly found: SearchResults | undefined;
  readonly searchFailure: unknown;
  readonly query: string;
  /** How the query is matched. */
  readonly match: MatchMode;
  /** The active filter as canonical text; empty without a filter. The loaded tree contains what it keeps. */
  readonly filter: string;
  /** The requested filter, until its data has loaded and replaces the loaded tree. */
  readonly filtering: string | undefined;
  /** Whether excluded nodes are shown faintly. The loaded tree then includes them, see `LoadedTree.shape`. */
  readonly isFaint: boolean;
  /** Undefined until the user chooses a depth: see {@link depthOf}. */
  readonly depth: Depth | undefined;
  /**
   * The setting `defaultDepth`: the depth of users who have not chosen one, if branches do not expand automatically.
   */
  readonly usualDepth: DefaultDepth;
  /** The setting `autoExpand`: branches expand automatically, so the depth starts at `auto`. */
  readonly autoExpand: boolean;
  /** Whether the screen is small. */
  readonly isSmall: boolean;
  readonly colour: ColourBy;
  readonly size: SizeBy;
  /** Starts as the default size metric of the data, see `usualSizeOf`, until the user or a link chooses one. */
  readonly usualSize: SizeBy;
  /** The spacing of colour steps for a number; undefined picks it from the values. */
  readonly steps: Steps | undefined;
  /** The axes of the Opportunity chart. */
  readonly x: Metric;
  readonly y: Metric;
  /** Whether category colours are safe for colour-blind users and marks have patterns. */
  readonly isSafe: boolean;
  readonly patterns: PatternMaker | undefined;
  /** The other fields of the file; undefined until requested. */
  readonly fields: readonly Field[] | undefined;
  /** Members of the file that are not usable fields. */
  readonly withheld: readonly WithheldField[];
  /** The sort order of siblings in the table. */
  readonly tableSort: TableSort;
  /** For branches that are not fully loaded, how many children are loaded from the start of that order. */
  readonly ranked: ReadonlyMap<number, number>;
  /** The same for the outline. */
  readonly outlineRanked: OutlineRanked | undefined;
  readonly theme: UrlState['theme'];
  /** Rows that are expanded in the outline and the table. */
  readonly expanded: ReadonlySet<number>;
  /** Branches of the Tree view opened below the depth, closed above it, or shown without a remainder. */
  readonly opened: ReadonlySet<number>;
  readonly closed: ReadonlySet<number>;
  readonly unfolded: ReadonlySet<number>;
  /** Increases with every merged slice. */
  readonly treeVersion: number;
  /** Whether the first chart and the place named in the address have loaded. */
  readonly ready: boolean;
  /** Progress of the first slice; undefined before the first bytes arrive. */
  readonly loading: Bytes | undefined;
  /** Whether the user has stopped loading. */
  readonly isCancelled: boolean;
  readonly failure: unknown;
  /** A notice about something the address asked for that does not exist. */
  readonly notice: string | undefined;
  /** The next screen reader announcement. */
  readonly spoken: string;
  /** In percent; 100 fits the whole focus into the view. */
  readonly zoom: number;
  readonly outlineOpen: boolean;
  readonly detailOpen: boolean;
  readonly helpOpen: boolean;
  /** Whether the user sees data for the first time: the chart then zooms in from afar, once. */
  readonly isArriving: boolean;
  /** Whether the introduction is open. */
  readonly coachOpen: boolean;
  /** Incremented when an address is followed: the camera then moves to the position in that address. */
  readonly followed: number;
  /** The query in the list of keywords outside the hierarchy; undefined while the list is closed. */
  readonly unplaced: string | undefined;
  /** Whether presentation mode is on: only the chart is shown, and the user steps through saved views. */
  readonly presenting: boolean;
  /** Whether the minimap may show. It shows while part of the chart is out of view. */
  readonly minimapOpen: boolean;
  /** Incremented to open or close the legend. */
  readonly legendWish: number;
  /** Whether the outline replaces a chart that cannot be drawn. */
  readonly outlineOnly: boolean;
};

export type ExplorerStore = StoreApi<ExplorerState>;

type DepthState = Pick<ExplorerState, 'depth' | 'usualDepth' | 'autoExpand' | 'view'>;

/**
 * The chosen depth. Without a choice, it is `auto` if branches expand automatically. Otherwise it is the default depth,
 * and one level for the Tree view.
 */
export function depthOf({ depth, usualDepth, autoExpand, view }: DepthState): Depth {
  return depth ?? (autoExpand ? 'auto' : view === 'tree' ? '1' : usualDepth);
}

/** The depth options of a layout: see `LayoutOptions`. */
export type LayoutDepth = { readonly depth: number; readonly autoLevels?: number };

export function layoutDepthOf(state: DepthState): LayoutDepth {
  const depth = depthOf(state);
  if (depth !== 'auto') return { depth: levelsOf(depth) };
  return { depth: Number.POSITIVE_INFINITY, autoLevels: levelsOf(state.usualDepth) };
}

/** The space available on the screen. */
export type Room = {
  /** Whether the screen is small. */
  readonly isSmall: boolean;
  /** Whether the panels are open beside the canvas. */
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

/** The number of levels below the focus that a depth opens. */
export function levelsOf(depth: DefaultDepth): number {
  return depth === 'all' ? Number.POSITIVE_INFINITY : Number(depth);
}

/** A copy of the set with `row` added or removed. */
export function withRow(rows: ReadonlySet<number>, row: number, present: boolean): ReadonlySet<number> {
  if (rows.has(row) === present) return rows;
  const next = new Set(rows);
  if (present) next.add(row);
  else next.delete(row);
  return next;
}
