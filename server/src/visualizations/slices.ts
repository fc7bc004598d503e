import { type KeywordCursor, listKeywords } from '@kc/pack/list-keywords';
import { locate, locateLast } from '@kc/pack/locate';
import { describeNode, describePath, namesAt } from '@kc/pack/node-detail';
import { type PackField, rootSliceRows } from '@kc/pack/pack-format';
import { openPack, type PackReader } from '@kc/pack/pack-reader';
import { searchPack } from '@kc/pack/search';
import { runAround, siblingsOf } from '@kc/pack/siblings';
import type { SliceQuery } from '@kc/pack/slice';
import { askableFields } from '@kc/pack/slice-fields';
import { encodeSlice, sliceWireVersion } from '@kc/pack/slice-wire';
import { takeSlice } from '@kc/pack/take-slice';
import type { Field, NodeDetail, SearchHit } from '@kc/rules/shapes';
import type { Storage } from '../storage/storage.ts';
import { createExports, type Exports } from './exports.ts';
import { createOpenPacks } from './open-packs.ts';
import { describeHits } from './search-hits.ts';

export type KeywordLines = {
  keywords: { node: number; name: string; volume?: number }[];
  next?: KeywordCursor;
};

/** Questions to packs, by their storage key. Whoever asks has settled that the asker may see it. */
export interface Slices extends Exports {
  /** The body of a slice answer. @throws RangeError when the node or a field is not in the pack */
  slice(packKey: string, query: SliceQuery): Promise<Uint8Array<ArrayBuffer>>;
  /** What else the file says of its keywords: what slices can be asked to bring along. */
  fields(packKey: string): Promise<Field[]>;
  /** @throws RangeError when the node is not in the pack */
  node(keys: { readonly pack_key: string; readonly file_key: string }, node: number): Promise<NodeDetail>;
  /** A page of a branch's keywords, the heaviest first. @throws RangeError when the node is not in the pack */
  keywords(packKey: string, node: number, limit: number, after: KeywordCursor | undefined): Promise<KeywordLines>;
  /** From the root to the last of these addresses (16 hex digits) that is in the pack; `undefined` when none is. */
  locate(packKey: string, addresses: readonly string[]): Promise<number[] | undefined>;
  /** Name and address of every node from the root to the one at an address, `undefined` when nothing is there. */
  placesTo(packKey: string, address: string): Promise<{ name: string; address: string }[] | undefined>;
  search(packKey: string, text: string, limit: number): Promise<{ total: number; hits: SearchHit[] }>;
  close(): Promise<void>;
}

/**
 * The slice that the pack brings, where that is the answer: the first one that a screen asks for. It is there once the
 * pack is open, so nothing else of the pack is read. The caller may keep it.
 */
function readySlice(pack: PackReader, { node, budget, skip, child, fields = [] }: SliceQuery) {
  const isFirst = node === 0 && skip === 0 && child === undefined && fields.length === 0;
  const isWhole = pack.metadata.nodes <= Math.min(budget, rootSliceRows);
  if (!isFirst || (budget !== rootSliceRows && !isWhole)) return undefined;
  return pack.rootSlice[3] === sliceWireVersion ? pack.rootSlice.slice() : undefined;
}

/** In the shape of the contract. */
function asField(field: PackField): Field {
  return field.kind === 'number' ? field : { ...field, values: [...field.values], counts: [...field.counts] };
}

/** Reading is fast where rows rise. */
async function namesInOrder(pack: PackReader, rows: Uint32Array): Promise<string[]> {
  const rising = rows.toSorted();
  const names = await namesAt(pack, rising);
  const of = new Map(names.map((name, at) => [rising[at]!, name]));
  return Array.from(rows, (row) => of.get(row)!);
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
    ...createExports(packs, storage),
    slice: (packKey, query) =>
      packs.use(packKey, async (pack) => readySlice(pack, query) ?? encodeSlice(await takeSlice(pack, query))),
    fields: (packKey) => packs.use(packKey, (pack) => askableFields(pack.metadata).map(asField)),
    node: ({ pack_key, file_key }, node) =>
      packs.use(pack_key, async (pack) => {
        const original = await storage.open(file_key);
        try {
          const siblings = await siblingsOf(pack, node, await runAround(pack, node));
          return { ...(await describeNode(pack, node, original)), ...(siblings && { siblings }) };
        } finally {
          await original.close();
        }
      }),
    keywords: (packKey, node, limit, after) =>
      packs.use(packKey, async (pack) => {
        const { rows, volume, next } = await listKeywords(pack, node, limit, after);
        const names = await namesInOrder(pack, rows);
        const keywords = Array.from(rows, (row, at) => ({
          node: row,
          name: names[at]!,
          ...(!Number.isNaN(volume[at]) && { volume: volume[at]! }),
        }));
        return { keywords, ...(next && { next }) };
      }),
    locate: (packKey, addresses) =>
      packs.use(packKey, async (pack) => {
        const path = await locateLast(pack, addresses);
        return path && [...path];
      }),
    placesTo: (packKey, address) =>
      packs.use(packKey, async (pack) => {
        const path = await locate(pack, address);
        return path && describePath(pack, path);
      }),
    search: (packKey, text, limit) =>
      packs.use(packKey, async (pack) => {
        const { total, rows } = await searchPack(pack, text, limit);
        return { total, hits: await describeHits(pack, rows) };
      }),
    close: () => packs.close(),
  };
}
