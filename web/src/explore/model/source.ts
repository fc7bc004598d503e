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
 * The path to a node, root first, the node itself last; empty when nobody knows it. Of one that is in this visualization
 * no more, the path to its nearest ancestor, and its name as `gone`.
 */
export type Located = { readonly path: readonly number[]; readonly gone?: string | undefined };

/** Bytes of a slice that are here, and of all of it where that is known. */
export type Bytes = { readonly read: number; readonly total: number | undefined };
/** Keywords of a page of those that no node names. */
export const unplacedAtATime = 200;

export type KeywordQuery = {
  readonly node: number;
  readonly filter: string;
  readonly after?: string | undefined;
  /** Of a page; the server's usual when left out. */
  readonly limit?: number;
};
export type KeywordPage = {
  readonly keywords: readonly { readonly node: number; readonly name: string; readonly volume?: number | undefined }[];
  readonly next?: string | undefined;
};

/** `limit` hits after the `skip` best; and where all lie below the node `under`, where that is given. */
export type SearchQuery = TextQuery & {
  readonly limit: number;
  readonly skip: number;
  readonly under?: number;
};

/** What the reader saved of these data, and changes of it. Each rejects when it fails. */
export type SavedViewCalls = {
  readonly list: () => Promise<readonly SavedView[]>;
  /** At the place `at`, counted from 0. */
  readonly save: (view: Omit<SavedView, 'id'> & { readonly at: number }) => Promise<SavedView>;
  /** All of them, in an order. */
  readonly order: (ids: readonly string[]) => Promise<readonly SavedView[]>;
  readonly rename: (id: string, name: string) => Promise<SavedView>;
  readonly remove: (id: string) => Promise<void>;
};

/**
 * What the explorer asks of one visualization. Nodes are pack rows. Every call rejects when it fails or is aborted.
 *
 * A `filter` is the text of one, as `filter-text` writes it: the answer is of what it keeps alone, and a node of which
 * nothing is kept is not there. The empty text is no filter.
 */
export interface ExplorerSource {
  slice(query: SliceQuery, signal: AbortSignal, onBytes?: (bytes: Bytes) => void): Promise<Slice>;
  /** What slices can be asked to bring along, and what else the file has. */
  fields(): Promise<readonly (Field | WithheldField)[]>;
  /**
   * How the keywords spread over a figure or field, named as in a filter, or over `type`, `intent` or `depth`: those kept by
   * what the filter says of everything else.
   */
  histogram(of: string, filter: string, signal: AbortSignal): Promise<Histogram>;
  node(node: number, filter: string, signal: AbortSignal): Promise<NodeDetail>;
  /** A page of a branch's keywords, the heaviest first; `after` is the `next` of the page before, absent at the end. */
  keywords(query: KeywordQuery, signal?: AbortSignal): Promise<KeywordPage>;
  /** Of each field that is a set, how many keywords of a branch have each member. */
  members(node: number, filter: string, signal: AbortSignal): Promise<readonly BranchMembers[]>;
  /** Keywords that no node names and that match: those after the first `skip`, as many as a page holds. */
  notInHierarchy(query: TextQuery, skip: number, signal: AbortSignal): Promise<UnplacedPage>;
  /** One of them, by its row. */
  notInHierarchyKeyword(row: number, signal: AbortSignal): Promise<UnplacedDetail>;
  /** Where all of them are to be had as a table, or in the form of an upload. */
  notInHierarchyUrl(form: 'csv' | 'json'): string;
  search(query: SearchQuery, filter: string, signal: AbortSignal): Promise<SearchAnswer>;
  /**
   * The URL of a branch as a table, or as a file that can be uploaded again. `kind`: the rows of the table, keywords or
   * the groups above them; everything without it.
   */
  exportUrl(form: 'csv' | 'json', node: number, filter: string, kind?: 'keywords' | 'clusters'): string;
  /** Some nodes as a table, in their order. */
  table(nodes: readonly number[], filter: string): Promise<Blob>;
  /** Where an address is; under a filter, the path as far as it is kept. */
  locate(address: string, filter: string): Promise<Located>;
  /** Most visits never ask for them: how to comes with a script of its own. */
  views(): Promise<SavedViewCalls>;
}
