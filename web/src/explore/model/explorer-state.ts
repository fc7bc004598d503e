import { levelsWith } from '@kc/pack/levels/level';
import type { Level } from '@kc/pack/vocabulary/choices';
import type { WarningKind } from '@kc/pack/vocabulary/warnings';
import { type DefaultDepth, defaultSettings } from '@kc/rules/settings';
import type { Field, WithheldField } from '@kc/rules/shapes';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ReadScore } from '../format/score-how.ts';
import { none } from '../tree-data/columns.ts';
import type { ComparedItem } from './compared-nodes.ts';
import type { PatternMaker, ScoreDraft, SizeBy } from './encodings.ts';
import { nothingPicked, type Picked } from './picked.ts';
import type { OutlineRanked, TableSort } from './row-order.ts';
import type { SearchResults } from './search-results.ts';
import type { Bytes } from './source.ts';
import { type Depth, type PlainField, plainOf, type UrlState, type View } from './url-state.ts';
import type { WarningMarkMap } from './warning-marks.ts';

/** What opens from the bar above the chart, one at a time. */
export type BarPanel = 'share' | 'export' | 'score' | 'views';

/** State that is not in the address as is, with its initial values. */
class InitialState {
  /** The branch that the view is focused on. */
  readonly focus: number = 0;
  readonly selected: number = none;
  /** The compared items in the order they were chosen. Those that a filter excludes keep their place. */
  readonly compared: readonly ComparedItem[] = [];
  readonly hovered: number = none;
  /** The search hit that is highlighted while the user steps through the list. */
  readonly previewed: number = none;
  /** A row that the user navigated to, until the chart has drawn it large enough to read. */
  readonly navigationTarget: number = none;
  /** The result of the query, or of the previous one while that is loading; undefined without a query. */
  readonly searchResults: SearchResults | undefined;
  readonly searchFailure: unknown;
  /** The canonical text of the filter; empty if there is none. The loaded tree contains what it keeps. */
  readonly filter: string = '';
  /** The requested filter until its result replaces the loaded tree. */
  readonly filtering: string | undefined;
  /** The warning that the user stepped to last, and the filter under which it was listed. */
  readonly warning: { readonly kind: WarningKind; readonly index: number; readonly filter: string } | undefined;
  /** Whether the map marks warnings; undefined: while their tab is open. Mostly unknown clusters only if wanted. */
  readonly isWarned: boolean | undefined;
  readonly isUnknownWarned: boolean = false;
  /** What the map marks now, by pack row; undefined if it marks nothing. */
  readonly warningMarks: WarningMarkMap | undefined;
  /** The setting `defaultDepth`: the depth if the user has chosen none and branches do not open automatically. */
  readonly defaultDepth: DefaultDepth = defaultSettings.defaultDepth;
  /** The setting `autoExpand`: branches open automatically, so the depth starts at `auto`. */
  readonly autoExpand: boolean = defaultSettings.autoExpand;
  /** Whether the screen is small. */
  readonly isSmall: boolean = false;
  /** The score as it was read; undefined until then. */
  readonly readScore: ReadScore | undefined;
  readonly size: SizeBy = 'keywords';
  /** The default size for these data, unless the user or a link has chosen one: see `defaultSizeOf`. */
  readonly defaultSize: SizeBy = 'keywords';
  /** The levels of the map: see `mapLevelsOf`. */
  readonly levels: readonly Level[] = levelsWith([], false);
  /** Whether colours are those that colour-blind users can distinguish. */
  readonly isColourBlindSafe: boolean = false;
  /** Set if marks have a pattern in addition to their colour. */
  readonly patterns: PatternMaker | undefined;
  /** The score, if there is one, and the fields of the file; undefined until these are requested. */
  readonly fields: readonly Field[] | undefined;
  /** Members of the file that are not fields. */
  readonly withheldFields: readonly WithheldField[] = [];
  /** The sort of the siblings in the table. */
  readonly tableSort: TableSort;
  /** Where Opportunity shows the children of the focus without being asked to, as there is no choice of clusters. */
  readonly fewClusters: { readonly within: number; readonly filter: string } | undefined;
  /** The rows of flat lists that are selected besides the current one. */
  readonly picked: Picked = nothingPicked;
  /** For branches that are not fully loaded: how many children, from the first one on, are loaded in that order. */
  readonly ranked: ReadonlyMap<number, number> = new Map();
  /** The same for the outline. */
  readonly outlineRanked: OutlineRanked | undefined;
  /** The state of the plan's statuses: see `planStampOf`; undefined until the plan is loaded. */
  readonly planStamp: string | undefined;
  /** The same of the fields that a filter can name. */
  readonly plannedStamp: string | undefined;
  /** Increases each time this page judges warnings. */
  readonly warningStamp: number = 0;
  /** Whether the list of uploads to compare with is open. */
  readonly uploadsOpen: boolean = false;
  /** Rows that are expanded in the outline and the table. */
  readonly expanded: ReadonlySet<number> = new Set([0]);
  /** Branches of the Tree that are open below the depth, closed above it, and shown without a remainder. */
  readonly opened: ReadonlySet<number> = new Set();
  readonly closed: ReadonlySet<number> = new Set();
  readonly unfolded: ReadonlySet<number> = new Set();
  /** Increases with every merged slice. */
  readonly treeVersion: number = 0;
  /** Whether the first chart and the place named by the address have loaded. */
  readonly ready: boolean = false;
  /** The progress of the first slice; undefined before it starts. */
  readonly loadProgress: Bytes | undefined;
  /** Whether the user cancelled loading. */
  readonly isCancelled: boolean = false;
  readonly failure: unknown;
  /** A notice that something named by the address does not exist. */
  readonly notice: string | undefined;
  /** The next announcement for screen readers. */
  readonly spoken: string = '';
  /** In percent; 100 fits the whole focus. */
  readonly zoom: number = 100;
  /** Whether the window had room for the panels beside the chart. */
  readonly panelsOpen: boolean = false;
  readonly outlineOpen: boolean = false;
  readonly detailOpen: boolean = false;
  /** Above 0 until the editor of the selected entry of the plan has received the requested focus. */
  readonly planEditRequests: number = 0;
  readonly helpOpen: boolean = false;
  /** The open panel of the bar above the chart. It stays open when the window switches to the bar for another width. */
  readonly barPanel: BarPanel | undefined;
  /** The unapplied contents of the score panel; undefined while it is closed or unchanged. */
  readonly scoreDraft: ScoreDraft | undefined;
  /** Whether these are the first data the user ever had: the chart then zooms in from afar, once. */
  readonly isArriving: boolean = false;
  /** Whether the introduction is shown. */
  readonly coachOpen: boolean = false;
  /** Increases when an address has been applied: the camera moves to its position. */
  readonly addressVersion: number = 0;
  /** The search text in the list of keywords outside the hierarchy; undefined while the list is closed. */
  readonly unplacedQuery: string | undefined;
  /** Whether only the chart is shown, to present saved views. */
  readonly isPresenting: boolean = false;
  /** Whether the dialog with files for other people is open. */
  readonly handoverOpen: boolean = false;
  /** Whether the report of the current view is open. */
  readonly reportOpen: boolean = false;
  /** Whether the minimap may be shown; it is while part of the chart is out of view. */
  readonly minimapOpen: boolean = true;
  /** How often a key has toggled the legend, which opens or closes whenever this increases. */
  readonly legendToggles: number = 0;
  /** Whether the outline replaces a chart that cannot be drawn. */
  readonly outlineOnly: boolean = false;
}

/** What the user is looking at, and how. Rows are rows of the loaded tree; {@link none} is no row. */
export type ExplorerState = Pick<UrlState, PlainField> & InitialState;

export type ExplorerStore = StoreApi<ExplorerState>;

/** The row that keys and details are about: the selected one, or the focus. */
export const currentRow = ({ selected, focus }: Pick<ExplorerState, 'selected' | 'focus'>): number =>
  selected === none ? focus : selected;

type DepthState = Pick<ExplorerState, 'depth' | 'defaultDepth' | 'autoExpand' | 'view'>;

/**
 * The chosen depth. Without a choice it is `auto`; if branches do not open automatically it is the default depth, and a
 * tree starts with one level.
 */
export function depthOf({ depth, defaultDepth, autoExpand, view }: DepthState): Depth {
  return depth ?? (autoExpand ? 'auto' : view === 'tree' ? '1' : defaultDepth);
}

/** The depth as layouts receive it: see `LayoutOptions`. */
type LayoutDepth = { readonly depth: number; readonly autoLevels?: number };

export function layoutDepthOf(state: DepthState): LayoutDepth {
  const depth = depthOf(state);
  if (depth !== 'auto') return { depth: levelsOf(depth) };
  return { depth: Number.POSITIVE_INFINITY, autoLevels: levelsOf(state.defaultDepth) };
}

/** The available space. */
export type Room = {
  /** Whether the screen is small. */
  readonly isSmall: boolean;
  /** Whether the panels are beside the canvas. */
  readonly panelsOpen: boolean;
};

/** Views that share one choice of whether the outline is open. */
type OutlinePlace = 'charts' | 'table' | 'opportunity';

export const outlinePlaceOf = (view: View): OutlinePlace =>
  view === 'table' || view === 'opportunity' ? view : 'charts';

/** Lists and plots name what they show, and need the room that an outline takes. */
export const startsWithOutline = (view: View, panelsOpen: boolean): boolean =>
  panelsOpen && outlinePlaceOf(view) === 'charts';

export function createExplorerStore(url: UrlState, { isSmall, panelsOpen }: Room): ExplorerStore {
  return createStore<ExplorerState>(() => ({
    ...plainOf(url),
    ...new InitialState(),
    filter: url.filter,
    size: url.size ?? 'keywords',
    isSmall,
    panelsOpen,
    outlineOpen: startsWithOutline(url.view, panelsOpen),
    // A link to the plan shows it.
    detailOpen: panelsOpen || (url.panel !== 'details' && !isSmall),
  }));
}

/** The number of levels below the focus that a depth opens. */
export function levelsOf(depth: DefaultDepth): number {
  return depth === 'all' ? Number.POSITIVE_INFINITY : Number(depth);
}

/** A copy of the set with or without `row`. */
export function withRow(rows: ReadonlySet<number>, row: number, present: boolean): ReadonlySet<number> {
  if (rows.has(row) === present) return rows;
  const next = new Set(rows);
  if (present) next.add(row);
  else next.delete(row);
  return next;
}

/**
 * Defers panel updates until after the canvas frame.
 *
 * A change made in the chart is drawn in the next frame. Panels update in a task of their own, once for all changes
 * made by then. A browser under load handles both clicks of a double click in one task and would otherwise render
 * outline and details twice.
 */
export function createDeferredState({ subscribe }: ExplorerStore) {
  const listeners = new Set<() => void>();
  let isApplying = false;
  let hasPending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Publishes pending changes now. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!hasPending) return;
    hasPending = false;
    for (const listener of listeners) listener();
  }

  subscribe((now, before) => {
    hasPending = true;
    const isDeferred = isApplying || timer !== undefined;
    // A filter change renumbers the rows, so no list may lag behind it.
    if (!isDeferred || now.filtering !== before.filtering) flush();
  });

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Applies a change now and publishes it in a task of its own. */
    follow(change: () => void): void {
      isApplying = true;
      try {
        change();
      } finally {
        isApplying = false;
        if (hasPending) timer ??= setTimeout(flush);
      }
    },
    flush,
  };
}
