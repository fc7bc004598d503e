import type { Slice, SliceQuery } from '@kc/pack/slice';
import type { NodeDetail, SearchHit } from '@kc/rules/shapes';

/** What the explorer asks of one visualization. Nodes are pack rows. Every call rejects when it fails or is aborted. */
export interface ExplorerSource {
  slice(query: SliceQuery, signal: AbortSignal): Promise<Slice>;
  node(node: number, signal: AbortSignal): Promise<NodeDetail>;
  search(query: string, limit: number, signal: AbortSignal): Promise<{ total: number; hits: SearchHit[] }>;
  /** The path to an address, root first, the node itself last; empty when it is not in this visualization. */
  locate(address: string): Promise<readonly number[]>;
}
