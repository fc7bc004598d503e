import type { TextQuery } from '@kc/pack/find/text-query';
import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import type { UnplacedDetail, UnplacedPage } from '@kc/rules/keyword-shapes';
import type {
  BranchMembers,
  Field,
  Histogram,
  NodeDetail,
  SavedView,
  SearchAnswer,
  WithheldField,
} from '@kc/rules/shapes';

/**
 * The path to a node, from the root to the node itself; empty if the node ID is unknown. For a node that only an
 * earlier upload had: the path to its nearest ancestor, and its name as `gone`.
 */
export type Located = { readonly path: readonly number[]; readonly gone?: string | undefined };

/** The number of bytes of a slice that have arrived, and its size if known. */
export type Bytes = { readonly read: number; readonly total: number | undefined };
/** A page of the keywords outside the hierarchy. */
export const unplacedAtATime = 200;

export type KeywordQuery = {
  readonly node: number;
  readonly filter: string;
  readonly after?: string | undefined;
  /** Page size; the server's default if absent. */
  readonly limit?: number;
};
export type KeywordPage = {
  readonly keywords: readonly { readonly node: number; readonly name: string; readonly volume?: number | undefined }[];
  readonly next?: string | undefined;
};

/** Requests `limit` hits after the best `skip`, and where all hits are below the node `under`, if given. */
export type SearchQuery = TextQuery & {
  readonly limit: number;
  readonly skip: number;
  readonly under?: number;
};

/** The saved views of these data, and changes to them. Each call rejects if it fails. */
export type SavedViewCalls = {
  readonly list: () => Promise<readonly SavedView[]>;
  /** Moves it to index `at`. */
  readonly save: (view: Omit<SavedView, 'id'> & { readonly at: number }) => Promise<SavedView>;
  /** Puts all of them in an order. */
  readonly order: (ids: readonly string[]) => Promise<readonly SavedView[]>;
  readonly rename: (id: string, name: string) => Promise<SavedView>;
  readonly remove: (id: string) => Promise<void>;
};

/**
 * What the explorer requests of one visualization. Nodes are pack rows. Every call rejects if it fails or is aborted.
 *
 * A `filter` is written by `filter-text`. The response covers only what it keeps, and a node without kept keywords does
 * not exist. The empty text is no filter.
 */
export interface ExplorerSource {
  slice(query: SliceQuery, signal: AbortSignal, onBytes?: (bytes: Bytes) => void): Promise<Slice>;
  /** The fields that slices can include, and the other members of the file. */
  fields(): Promise<readonly (Field | WithheldField)[]>;
  /**
   * The distribution of the keywords over a figure or field, named as in a filter, or over `type`, `intent` or `depth`:
   * of the keywords that the other conditions of the filter keep.
   */
  histogram(of: string, filter: string, signal: AbortSignal): Promise<Histogram>;
  node(node: number, filter: string, signal: AbortSignal): Promise<NodeDetail>;
  /** A page of a branch's keywords, heaviest first. `after` is the `next` of the previous page, absent at the end. */
  keywords(query: KeywordQuery, signal?: AbortSignal): Promise<KeywordPage>;
  /** For each set field, the number of keywords in a branch that have each member. */
  members(node: number, filter: string, signal: AbortSignal): Promise<readonly BranchMembers[]>;
  /** Matching keywords outside the hierarchy: a page after the first `skip`. */
  notInHierarchy(query: TextQuery, skip: number, signal: AbortSignal): Promise<UnplacedPage>;
  /** One of them, by its row. */
  notInHierarchyKeyword(row: number, signal: AbortSignal): Promise<UnplacedDetail>;
  /** The URL of all of them as a table, or in the form of an upload. */
  notInHierarchyUrl(form: 'csv' | 'json'): string;
  search(query: SearchQuery, filter: string, signal: AbortSignal): Promise<SearchAnswer>;
  /**
   * The URL of a branch as a table, or as a file that can be uploaded again. `kind` selects the rows of the table:
   * keywords, or the groups above them. If omitted, the table has all rows.
   */
  exportUrl(form: 'csv' | 'json', node: number, filter: string, kind?: 'keywords' | 'clusters'): string;
  /** The given nodes as a table, in the given order. */
  table(nodes: readonly number[], filter: string): Promise<Blob>;
  /** The path of a node ID; under a filter as far as it is kept. */
  locate(address: string, filter: string): Promise<Located>;
  /** Loaded separately, because most visits never use it. */
  views(): Promise<SavedViewCalls>;
}
