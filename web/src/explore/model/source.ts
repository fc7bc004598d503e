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
 * The path to a node, from the root to the node itself; empty if the node is unknown. For a node that no longer exists
 * in this visualization, the path to its nearest ancestor, with its name as `gone`.
 */
export type Located = { readonly path: readonly number[]; readonly gone?: string | undefined };

/** Bytes of a slice received so far, and the total if known. */
export type Bytes = { readonly read: number; readonly total: number | undefined };
/** Keywords per page in the list of keywords outside the hierarchy. */
export const unplacedAtATime = 200;

export type KeywordQuery = {
  readonly node: number;
  readonly filter: string;
  readonly after?: string | undefined;
  /** The page size; the server default if omitted. */
  readonly limit?: number;
};
export type KeywordPage = {
  readonly keywords: readonly { readonly node: number; readonly name: string; readonly volume?: number | undefined }[];
  readonly next?: string | undefined;
};

/** `limit` hits after the best `skip` ones. With `under`, the answer also says where all hits are below that node. */
export type SearchQuery = TextQuery & {
  readonly limit: number;
  readonly skip: number;
  readonly under?: number;
};

/** The reader's saved views of this visualization. Each call rejects on failure. */
export type SavedViewCalls = {
  readonly list: () => Promise<readonly SavedView[]>;
  /** Moves a view to the index `at`, counted from 0. */
  readonly save: (view: Omit<SavedView, 'id'> & { readonly at: number }) => Promise<SavedView>;
  /** Sets the order of all views. */
  readonly order: (ids: readonly string[]) => Promise<readonly SavedView[]>;
  readonly rename: (id: string, name: string) => Promise<SavedView>;
  readonly remove: (id: string) => Promise<void>;
};

/**
 * The requests that the explorer makes for one visualization. Nodes are pack rows. Every call rejects when it fails or
 * is aborted.
 *
 * A `filter` is in the form that `filter-text` writes. The response covers only what the filter keeps; a node with no
 * kept keywords does not exist in it. The empty text means no filter.
 */
export interface ExplorerSource {
  slice(query: SliceQuery, signal: AbortSignal, onBytes?: (bytes: Bytes) => void): Promise<Slice>;
  /** The fields that slices can include, and the other members of the file. */
  fields(): Promise<readonly (Field | WithheldField)[]>;
  /**
   * The distribution of keywords over a figure or field, named as in a filter, or over `type`, `intent` or `depth`. It
   * counts the keywords that all other criteria of the filter keep.
   */
  histogram(of: string, filter: string, signal: AbortSignal): Promise<Histogram>;
  node(node: number, filter: string, signal: AbortSignal): Promise<NodeDetail>;
  /**
   * A page of a branch's keywords, heaviest first. `after` is the `next` of the previous page, which is absent at the
   * end.
   */
  keywords(query: KeywordQuery, signal?: AbortSignal): Promise<KeywordPage>;
  /** For each field of kind set, how many keywords of a branch have each member. */
  members(node: number, filter: string, signal: AbortSignal): Promise<readonly BranchMembers[]>;
  /** A page of matching keywords outside the hierarchy, after the first `skip`. */
  notInHierarchy(query: TextQuery, skip: number, signal: AbortSignal): Promise<UnplacedPage>;
  /** One of them, by its row. */
  notInHierarchyKeyword(row: number, signal: AbortSignal): Promise<UnplacedDetail>;
  /** The URL for downloading all of them, as a table or in the upload format. */
  notInHierarchyUrl(form: 'csv' | 'json'): string;
  search(query: SearchQuery, filter: string, signal: AbortSignal): Promise<SearchAnswer>;
  /**
   * The URL of a branch as a table, or as a file that can be uploaded again. `kind` selects the rows of the table:
   * keywords, or the groups above them. If omitted, the table has all rows.
   */
  exportUrl(form: 'csv' | 'json', node: number, filter: string, kind?: 'keywords' | 'clusters'): string;
  /** The given nodes as a table, in the given order. */
  table(nodes: readonly number[], filter: string): Promise<Blob>;
  /** Resolves a node ID to a path. With a filter, the path ends at the last kept node. */
  locate(address: string, filter: string): Promise<Located>;
  /** Loads the saved-view requests on first use, because most visits do not need them. */
  views(): Promise<SavedViewCalls>;
}
