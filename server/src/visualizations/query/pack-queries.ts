import { totalmem } from 'node:os';
import { branchMembers } from '@kc/pack/detail/branch-members';
import { type KeywordCursor, listKeywords } from '@kc/pack/detail/list-keywords';
import { describeNode, describePath } from '@kc/pack/detail/node-detail';
import { detailUnplaced } from '@kc/pack/detail/not-in-hierarchy';
import { runAround, siblingsOf } from '@kc/pack/detail/siblings';
import { noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { FilteredPack } from '@kc/pack/filter/filtered-pack';
import { type Histogram, takeHistogram, withoutPart } from '@kc/pack/filter/histogram';
import { locate, locateLast } from '@kc/pack/format/locate';
import { namesAt } from '@kc/pack/format/names-at';
import { type PackField, rootSliceRows } from '@kc/pack/format/pack-format';
import { openPack, type PackReader } from '@kc/pack/format/pack-reader';
import type { SliceQuery } from '@kc/pack/slice/slice';
import { askableFields } from '@kc/pack/slice/slice-fields';
import { encodeSlice, sliceWireVersion } from '@kc/pack/slice/slice-wire';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { isRecognised } from '@kc/pack/upload/unrecognised';
import type { UnplacedDetail, UnplacedPage } from '@kc/rules/keyword-shapes';
import type { BranchMembers, Field, NodeDetail, SearchAnswer, WithheldField } from '@kc/rules/shapes';
import type { Storage } from '../../storage/storage.ts';
import { pauseFor } from './cancellation.ts';
import { createExports, type Exports } from './exports.ts';
import { createFilters, type OpenPack } from './filters.ts';
import { createOpenPacks } from './open-packs.ts';
import { createSearches, type SearchQuery } from './searches.ts';
import { loadTextFinder } from './text-finder.ts';
import { createUnplacedLists, type UnplacedQuery } from './unplaced-lists.ts';

export type KeywordLines = {
  keywords: { node: number; name: string; volume?: number }[];
  next?: KeywordCursor;
};

/**
 * Questions to packs, by their storage key. Whoever asks has settled that the asker may see it.
 *
 * A `filter` is a canonical text; absent or empty, there is none. A `signal` fires when the asker goes away: then the answer
 * is an error, and a filter that nobody else waits for is given up.
 */
export interface PackQueries extends Exports {
  /**
   * The body of a slice answer; `undefined` when the query's filter keeps nothing of the node.
   * @throws RangeError when the node or a field is not in the pack
   */
  slice(packKey: string, query: SliceQuery, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** What else the file says of its keywords: what slices can be asked to bring along, then what has no column. */
  fields(packKey: string): Promise<(Field | WithheldField)[]>;
  /** `undefined` when the filter keeps nothing of the node. @throws RangeError when it is not in the pack */
  node(
    keys: { readonly pack_key: string; readonly file_key: string },
    node: number,
    filter?: string,
    signal?: AbortSignal,
  ): Promise<NodeDetail | undefined>;
  /** A page of a branch's keywords, the heaviest first. @throws RangeError when the node is not in the pack */
  keywords(
    packKey: string,
    node: number,
    limit: number,
    after: KeywordCursor | undefined,
    filter?: string,
    signal?: AbortSignal,
  ): Promise<KeywordLines>;
  /** Of each set, how many keywords of a branch have each member. @throws RangeError when the node is not in the pack */
  members(packKey: string, node: number, filter?: string, signal?: AbortSignal): Promise<BranchMembers[]>;
  /** Keywords that no node names, by a part of their name. */
  notInHierarchy(packKey: string, query: UnplacedQuery, signal?: AbortSignal): Promise<UnplacedPage>;
  /** One of them; `undefined` when the row is none. */
  notInHierarchyKeyword(
    keys: { readonly pack_key: string; readonly file_key: string },
    row: number,
  ): Promise<UnplacedDetail | undefined>;
  /** From the root to the last of these addresses (16 hex digits) that is in the pack; `undefined` when none is. */
  locate(packKey: string, addresses: readonly string[]): Promise<number[] | undefined>;
  /** Name and address of every node from the root to the one at an address, `undefined` when nothing is there. */
  placesTo(packKey: string, address: string): Promise<{ name: string; address: string }[] | undefined>;
  search(packKey: string, query: SearchQuery, filter?: string, signal?: AbortSignal): Promise<SearchAnswer>;
  /** What a filter keeps of a path, and the name of its last node where that is left out. */
  keptPath(
    packKey: string,
    path: readonly number[],
    filter: string,
    signal?: AbortSignal,
  ): Promise<{ path: number[]; hidden?: string }>;
  /** How the keywords spread that the filter keeps by what it says of everything else; `undefined` without such a column. */
  histogram(packKey: string, of: string, filter: string, signal?: AbortSignal): Promise<Histogram | undefined>;
  close(): Promise<void>;
}

/**
 * The slice that the pack brings, where that is the answer: the first one that a screen asks for. It is there once the
 * pack is open, so nothing else of the pack is read. The caller may keep it.
 */
function readySlice(pack: PackReader, { node, budget, skip, child, ranked, fields = [] }: SliceQuery) {
  const isFirst = node === 0 && skip === 0 && child === undefined && !ranked && fields.length === 0;
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

/** What this machine has, or the cgroup that the server runs in; 0 is how Node says that there is no limit. */
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
/** Blocks of all open packs together, of which none is read a second time while it is here; hot columns come on top. */
const budgetBytes = Math.max(192 * 2 ** 20, memoryBytes / 8);
/** Blocks of one pack. A slice of the root of ten million nodes needs some 200 MiB. */
const cacheBytes = budgetBytes / 2;
/** What filters of one pack may take, the newest apart: 1 byte a node, 4 a keyword that is kept and 150 a branch each. */
const filterBytes = 128 * 2 ** 20;

/** Answers in this thread; see `createQueryThread`. */
export function createPackQueries(storage: Storage): PackQueries {
  const find = loadTextFinder();
  const packs = createOpenPacks<OpenPack>(
    storage,
    async (source) => {
      const pack = await openPack(source, cacheBytes);
      return { pack, filters: createFilters(pack, filterBytes, find) };
    },
    (size) => Math.min(size, cacheBytes),
    budgetBytes,
  );
  const unplaced = createUnplacedLists(find);
  const searches = createSearches(find, unplaced);
  const use = <T>(key: string, work: (pack: PackReader) => Promise<T> | T) => packs.use(key, ({ pack }) => work(pack));
  /** The pack as the filter leaves it; the pack itself without one. */
  const under = <T>(
    key: string,
    filter: string | undefined,
    signal: AbortSignal | undefined,
    work: (pack: PackReader | FilteredPack) => Promise<T>,
  ) => packs.use(key, async ({ pack, filters }) => work(filter ? await filters.use(filter, signal) : pack));
  return {
    ...createExports(packs, storage),
    slice: (packKey, query, signal) =>
      under(packKey, query.filter, signal, async (pack) => {
        if ('kept' in pack)
          return query.rest || pack.keeps(query.node)
            ? encodeSlice(await takeSlice(pack, query, pauseFor(signal)))
            : undefined;
        return readySlice(pack, query) ?? encodeSlice(await takeSlice(pack, query, pauseFor(signal)));
      }),
    fields: (packKey) =>
      use(packKey, ({ metadata }) => [
        ...askableFields(metadata).map(asField).map(markCustom),
        ...metadata.withheld.map(({ name, why }) => markCustom({ name, kind: 'none' as const, why })),
      ]),
    node: ({ pack_key, file_key }, node, filter, signal) =>
      under(pack_key, filter, signal, async (pack) => {
        const [whole, keeps] = 'kept' in pack ? [pack.whole, pack.keeps] : [pack, undefined];
        if (keeps && !keeps(node)) return undefined;
        const original = await storage.open(file_key);
        try {
          const siblings = await siblingsOf(whole, node, await runAround(whole, node, keeps), pack);
          return { ...(await describeNode(pack, node, original)), ...(siblings && { siblings }) };
        } finally {
          await original.close();
        }
      }),
    keywords: (packKey, node, limit, after, filter, signal) =>
      under(packKey, filter, signal, async (pack) => {
        const [whole, counts] = 'kept' in pack ? [pack.whole, pack.counts] : [pack, undefined];
        const { rows, volume, next } = await listKeywords(whole, node, limit, after, counts);
        const names = await namesInOrder(pack, rows);
        const keywords = Array.from(rows, (row, at) => ({
          node: row,
          name: names[at]!,
          ...(!Number.isNaN(volume[at]) && { volume: volume[at]! }),
        }));
        return { keywords, ...(next && { next }) };
      }),
    members: (packKey, node, filter, signal) =>
      under(packKey, filter, signal, (pack) => branchMembers(pack, node, pauseFor(signal))),
    notInHierarchy: (packKey, query, signal) => use(packKey, (pack) => unplaced.page(pack, query, signal)),
    notInHierarchyKeyword: ({ pack_key, file_key }, row) =>
      use(pack_key, async (pack) => {
        if (row < pack.metadata.nodes || row >= pack.rows) return undefined;
        const original = await storage.open(file_key);
        try {
          return await detailUnplaced(pack, row, original);
        } finally {
          await original.close();
        }
      }),
    locate: (packKey, addresses) =>
      use(packKey, async (pack) => {
        const path = await locateLast(pack, addresses, pauseFor());
        return path && [...path];
      }),
    placesTo: (packKey, address) =>
      use(packKey, async (pack) => {
        const path = await locate(pack, address, pauseFor());
        return path && describePath(pack, path);
      }),
    search: (packKey, query, filter, signal) =>
      under(packKey, filter, signal, (pack) => searches.search(pack, query, signal)),
    keptPath: (packKey, path, filter, signal) =>
      packs.use(packKey, async ({ pack, filters }) => {
        const { keeps } = await filters.use(filter, signal);
        const gone = path.findIndex((row) => !keeps(row));
        if (gone < 0) return { path: [...path] };
        const [hidden] = await namesAt(pack, Uint32Array.of(path.at(-1)!));
        return { path: path.slice(0, gone), hidden: hidden! };
      }),
    histogram: (packKey, of, filter, signal) =>
      packs.use(packKey, async ({ filters }) => {
        const rest = withoutPart(readFilter(filter) ?? noFilter, of);
        return takeHistogram(await filters.use(writeFilter(rest), signal), of, pauseFor(signal));
      }),
    close: () => packs.close(),
  };
}

/** Marks a field whose name is not recognised as a metric. */
function markCustom<T extends Field | WithheldField>(field: T): T {
  return isRecognised(field.name) ? field : { ...field, isCustom: true };
}
