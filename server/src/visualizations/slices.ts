import { locate } from '@kc/pack/locate';
import { describeNode } from '@kc/pack/node-detail';
import { openPack, type PackReader } from '@kc/pack/pack-reader';
import { searchPack } from '@kc/pack/search';
import type { SliceQuery } from '@kc/pack/slice';
import { encodeSlice } from '@kc/pack/slice-wire';
import { takeSlice } from '@kc/pack/take-slice';
import type { NodeDetail, SearchHit } from '@kc/rules/shapes';
import type { Storage } from '../storage/storage.ts';
import { createOpenPacks } from './open-packs.ts';
import { describeHits } from './search-hits.ts';

/** Questions to packs, by their storage key. Whoever asks has settled that the asker may see it. */
export interface Slices {
  /** The body of a slice answer. @throws RangeError when the node is not in the pack */
  slice(packKey: string, query: SliceQuery): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws RangeError when the node is not in the pack */
  node(keys: { readonly pack_key: string; readonly file_key: string }, node: number): Promise<NodeDetail>;
  /** From the root to the node at an address of 16 hex digits, `undefined` when nothing is there. */
  locate(packKey: string, address: string): Promise<number[] | undefined>;
  search(packKey: string, text: string, limit: number): Promise<{ total: number; hits: SearchHit[] }>;
  close(): Promise<void>;
}

/** Blocks of one pack that are kept; hot columns come on top, about 40 bytes a node. */
const cacheBytes = 64 * 2 ** 20;
/** Of all open packs together. */
const budgetBytes = 192 * 2 ** 20;

/** Answers in this thread; see {@link import('./query-thread.ts').createQueryThread}. */
export function createSlices(storage: Storage): Slices {
  const packs = createOpenPacks<PackReader>(
    storage,
    (source) => openPack(source, cacheBytes),
    (size) => Math.min(size, cacheBytes),
    budgetBytes,
  );
  return {
    slice: (packKey, query) => packs.use(packKey, async (pack) => encodeSlice(await takeSlice(pack, query))),
    node: ({ pack_key, file_key }, node) =>
      packs.use(pack_key, async (pack) => {
        const original = await storage.open(file_key);
        try {
          return await describeNode(pack, node, original);
        } finally {
          await original.close();
        }
      }),
    locate: (packKey, address) =>
      packs.use(packKey, async (pack) => {
        const path = await locate(pack, address);
        return path && [...path];
      }),
    search: (packKey, text, limit) =>
      packs.use(packKey, async (pack) => {
        const { total, rows } = await searchPack(pack, text, limit);
        return { total, hits: await describeHits(pack, rows) };
      }),
    close: () => packs.close(),
  };
}
