import type { AreaLevel } from '@kc/pack/filter/filter';
import type { TextQuery } from '@kc/pack/find/text-query';
import type { LevelRows } from '@kc/pack/levels/rows-wire';
import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import type { PointLevel } from '@kc/pack/vocabulary/choices';
import type { LevelPoints, PlotDensity } from '@kc/rules/points-shapes';
import type { Field, Histogram, SearchAnswer, SelectionTotals, Visualization, WithheldField } from '@kc/rules/shapes';
import type { CallsAbout, Client } from '../../api/calls-about.ts';
import type { Metric } from '../tree-data/figures.ts';
import type { ListQuery, ListSelection } from './list-query.ts';

/**
 * The path to a node, from the root to the node itself; empty if the node ID is unknown. For a node that only an
 * earlier upload had: the path to its nearest ancestor, and its name as `gone`.
 */
export type Located = { readonly path: readonly number[]; readonly gone?: string | undefined };

/** The number of bytes of a slice that have arrived, and its size if known. */
export type Bytes = { readonly read: number; readonly total: number | undefined };

/** Requests `limit` hits after the best `skip`, and where all hits are below the node `under`, if given. */
export type SearchQuery = TextQuery & {
  readonly limit: number;
  readonly skip: number;
  readonly under?: number;
};

/** What a user saved under a name: a view as the address writes it, or the canonical text of a filter or a score. */
export type SavedText = { readonly id: string; readonly name: string; readonly text: string };

/** What the user has saved of one kind, and changes to it. Each call rejects if it fails. */
export type SavedTextCalls = {
  readonly list: () => Promise<readonly SavedText[]>;
  /** `at` is its index where the user orders them. */
  readonly save: (saved: Omit<SavedText, 'id'> & { readonly at: number }) => Promise<SavedText>;
  readonly rename: (id: string, name: string) => Promise<SavedText>;
  readonly remove: (id: string) => Promise<void>;
  /** Puts all of them in an order. Absent where their names order them. */
  readonly order?: (ids: readonly string[]) => Promise<unknown>;
};

/** The plan of these data, and writes to it. */
export type PlanCalls = CallsAbout<Client['plans']>;

/** Files about these data for other people. */
export type HandoverFile = 'plan.xlsx' | 'plan.csv' | 'outline.md' | 'briefs.html' | 'briefs.md';
/** Those that can be copied. */
export type HandoverText = 'outline.md' | 'briefs.md';
/** The contents of a handover file. */
export type HandoverQuery = {
  readonly of: 'plan' | 'clusters';
  /** Only what is within this node; everything within the root. */
  readonly node: number;
  /** Only what is at or below these nodes. */
  readonly rows?: readonly number[] | undefined;
  /** Only these nodes, by their IDs. */
  readonly nodes?: readonly string[] | undefined;
  /** At most so many keywords of each entry. */
  readonly top?: number | undefined;
  readonly filter: string;
  readonly score?: string | undefined;
};
export type HandoverCalls = {
  readonly url: (file: HandoverFile, query: HandoverQuery) => string;
  /** A file as a text. Rejects if it fails. */
  readonly text: (file: HandoverText, query: HandoverQuery) => Promise<string>;
};

/**
 * What the explorer requests of one visualization. Nodes are pack rows. Every call rejects if it fails or is aborted.
 *
 * A `filter` is written by `filter-text`. The response covers only what it keeps, and a node without kept keywords does
 * not exist. The empty text is no filter.
 */
export interface ExplorerSource
  extends Pick<
    CallsAbout<Client['visualizations']>,
    'node' | 'keywords' | 'members' | 'notInHierarchy' | 'notInHierarchyKeyword' | 'checkScore' | 'changes' | 'change'
  > {
  slice(query: SliceQuery, signal: AbortSignal, onBytes?: (bytes: Bytes) => void): Promise<Slice>;
  /** The fields that slices can include, and the other members of the file. */
  fields(): Promise<readonly (Field | WithheldField)[]>;
  /** The URL of the keywords outside the hierarchy as a table, or in the form of an upload. */
  notInHierarchyUrl(form: 'csv' | 'json'): string;
  search(query: SearchQuery, filter: string, signal: AbortSignal): Promise<SearchAnswer>;
  /**
   * The URL of a branch as a table, or as a file that can be uploaded again. `kind` selects the rows of the table:
   * keywords, or the groups above them. If omitted, the table has all rows.
   */
  exportUrl(form: 'csv' | 'json', node: number, filter: string, kind?: 'keywords' | 'clusters'): string;
  /** A page of a flat list: from a rank on, or the one that shows a node. */
  rows(
    query: ListQuery,
    part: { readonly count: number } & ({ readonly from: number } | { readonly around: number }),
    signal: AbortSignal,
  ): Promise<LevelRows>;
  /**
   * The distribution of the keywords over a figure or field, named as in a filter, or over `type`, `intent` or `depth`:
   * of the keywords that the other conditions of the filter keep.
   */
  histogram(figure: string, filter: string, signal: AbortSignal, sum?: string): Promise<Histogram>;
  /** Totals of the selected rows: each keyword in them counts once. */
  selectionTotals(selection: ListSelection, signal: AbortSignal): Promise<SelectionTotals>;
  /** The rows of a level as points, and totals of their quadrants. */
  points(query: Omit<PointsQuery, 'areasOf'>, signal: AbortSignal): Promise<LevelPoints>;
  /** The largest of them in a window, and counts of the others by cell. */
  density(query: PointsQuery, edges: DensityEdges, signal: AbortSignal): Promise<PlotDensity>;
  /** The URL of a flat list as a table, in its order: a workbook with some columns, or a CSV file with all. */
  listUrl(query: ListQuery, columns?: readonly string[]): string;
  /** The given nodes as a table, in the given order; likewise. */
  table(nodes: readonly number[], filter: string, columns?: readonly string[]): Promise<Blob>;
  /** The path of a node ID; under a filter as far as it is kept. */
  locate(address: string, filter: string): Promise<Located>;
  /**
   * All uploads of the owner, newest first, including the one that is shown. Absent for data that belong to nobody or are
   * not published: they are compared with no other upload.
   */
  uploads?(signal: AbortSignal): Promise<readonly Visualization[]>;
  /** The saved views of these data. */
  readonly views: SavedTextCalls;
  /** Those of the user for all visualizations. */
  readonly filterPresets: SavedTextCalls;
  readonly savedScores: SavedTextCalls;
  /** Drafts have none: the calls reject. */
  readonly plan: PlanCalls;
  /** Likewise. */
  readonly warnings: CallsAbout<Client['warnings']>;
  readonly handover: HandoverCalls;
}

/** The points of a level as the server places them. Equal queries have equal answers. Nodes are pack rows. */
export type PointsQuery = {
  readonly level: PointLevel;
  /** The same for the areas of a filter, which is about the whole map. */
  readonly areasOf: AreaLevel;
  readonly within: number;
  readonly filter: string;
  readonly x: Metric;
  readonly y: Metric;
  /** What decides which points are the largest. */
  readonly size: Metric;
  /** Where quadrants are divided; without one, at the median. */
  readonly tx?: number;
  readonly ty?: number;
  /** 0 for totals without points; as many as possible if absent. */
  readonly count?: number;
};

/** Where the cells of a window begin, followed by the end of the last one; in values of the axes. */
export type DensityEdges = { readonly x: number[]; readonly y: number[] };
