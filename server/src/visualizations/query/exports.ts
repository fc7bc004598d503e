import { branchJson, unplacedJson } from '@kc/pack/detail/branch-json';
import type { ByteSource } from '@kc/pack/format/byte-source';
import { placesAt } from '@kc/pack/format/locate';
import { namesAt } from '@kc/pack/format/names-at';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { SortMarks } from '@kc/pack/levels/row-values';
import type { Slice } from '@kc/pack/slice/slice';
import type { View } from '@kc/pack/sums/filtered-pack';
import type { Storage } from '../../storage/storage.ts';
import { pauseFor } from './cancellation.ts';
import type { Exported } from './export-csv.ts';
import { csvOf, type ExportedRows, type UnplacedRows } from './export-csv.ts';
import type { OpenPack } from './filters.ts';
import type { HandoverQuery } from './handover/handover-query.ts';
import { writeHandover } from './handover/write-handover.ts';
import type { Marks, SortMarksQuery } from './marks.ts';
import type { OpenPacks } from './open-packs.ts';
import { type MarkSlice, type TableRows, tableWorkbook } from './table-workbook.ts';

/** The name of an export of keywords that no node names, and of its only node. */
const unplacedName = 'Not in the hierarchy';

/** What is exported, and in which format. */
export type ExportQuery = (
  | ({ readonly form: 'csv' } & ExportedRows)
  | ({ readonly form: 'xlsx' } & TableRows)
  | { readonly form: 'json'; readonly node: number }
  | ({ readonly form: 'csv' | 'json' } & UnplacedRows)
) & {
  /** A filter in canonical form; empty for none. */
  readonly filter: string;
};

type ExportRequest = {
  /** Storage keys of a visualization. */
  readonly packKey: string;
  readonly fileKey: string;
  readonly query: ExportQuery;
  /** What a list is sorted by, or has columns of, that is not in the pack. */
  readonly sortedBy?: SortMarksQuery | undefined;
};

type HandoverRequest = Pick<ExportRequest, 'packKey' | 'fileKey'> & { readonly query: HandoverQuery };

type Cancellable = { readonly signal?: AbortSignal | undefined };

/**
 * Responses too long for memory: each is computed part by part, on demand. Between two parts the thread answers other
 * requests.
 */
export interface Exports {
  /** Begins an export. @returns its number, for the other two calls, and the name of a branch that is not everything */
  beginExport(params: ExportRequest & Cancellable): Promise<{ number: number; branch: string | undefined }>;
  /** As {@link beginExport}, for a plan or clusters in a form for other people. */
  beginHandover(params: HandoverRequest & Cancellable): Promise<{ number: number; branch: string | undefined }>;
  /** Undefined at the end. @throws RangeError if a row is no node, or there is no such export */
  nextPart(params: { readonly number: number }): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Must be called after the last part, or when no more parts are needed: one that is being computed is abandoned. */
  endExport(params: { readonly number: number }): Promise<void>;
}

type Running = {
  readonly parts: AsyncGenerator<Uint8Array>;
  readonly abort: AbortController;
  readonly release: () => void;
};

type PackRequest = { readonly packKey: string; readonly filter: string; readonly signal: AbortSignal };
type MarksOf = (key: string) => Marks;

/** What an export needs to know about marks. */
type ExportMarks = {
  /**
   * The marks that an export names, as they are when it begins: they may be evicted before its last part.
   *
   * @throws NoMarks if they have been evicted already
   */
  readonly holdMarks: (by: SortMarksQuery) => MarksOf;
  /** What the list of a pack, under a filter or not, is sorted by. */
  readonly sortMarks: (request: PackRequest, pack: View, by: SortMarksQuery, marksOf: MarksOf) => SortMarks;
  /** Adds the fields of a comparison and of a plan to a slice. */
  readonly withMarks: (
    slice: Slice,
    request: PackRequest & SortMarksQuery,
    pack: View,
    marksOf: MarksOf,
  ) => Promise<Slice>;
};

export function createExports(
  packs: OpenPacks<OpenPack>,
  storage: Storage,
  { holdMarks, sortMarks, withMarks }: ExportMarks,
): Exports {
  const running = new Map<number, Running>();
  let nextNumber = 0;
  return {
    async beginExport({ packKey, fileKey, query, sortedBy = {}, signal }) {
      const { filter } = query;
      const marksOf = holdMarks(sortedBy);
      const { exported, ...handle } = await holdPack(packs, packKey, filter, signal);
      const request = { packKey, filter, signal: handle.abort.signal };
      const marks = sortMarks(request, exported.figures, sortedBy, marksOf);
      const number = nextNumber++;
      const mark: MarkSlice = (slice) => withMarks(slice, { ...request, ...sortedBy }, exported.figures, marksOf);
      running.set(number, { parts: partsOf({ ...exported, marks }, storage, fileKey, query, mark), ...handle });
      return { number, branch: await partNamed(exported.pack, query) };
    },
    async beginHandover({ packKey, fileKey, query, signal }) {
      const { exported, ...handle } = await holdPack(packs, packKey, query.filter, signal);
      const number = nextNumber++;
      const write = (original: ByteSource) => writeHandover(exported, original, query);
      running.set(number, { parts: withOriginal(storage, fileKey, write), ...handle });
      return { number, branch: await partNamed(exported.pack, query) };
    },
    async nextPart({ number }) {
      const found = running.get(number);
      if (!found) throw new RangeError(`Export ${number}`);
      const { value, done } = await found.parts.next();
      return done ? undefined : (value as Uint8Array<ArrayBuffer>);
    },
    async endExport({ number }) {
      const found = running.get(number);
      running.delete(number);
      found?.abort.abort(new Error('Nobody reads this export any more'));
      await found?.parts.return(undefined);
      found?.release();
    },
  };
}

/** Undefined for everything, and for a list of rows. */
async function partNamed(pack: PackReader, query: ExportQuery | HandoverQuery): Promise<string | undefined> {
  if ('unplaced' in query) return unplacedName;
  const one = 'nodes' in query && query.nodes?.length === 1 ? query.nodes : [];
  const node = (await placesAt(pack, one)).get(one[0] ?? '') ?? ('node' in query ? query.node : 0);
  if (node === 0) return undefined;
  const [name] = await namesAt(pack, Uint32Array.of(node));
  return name;
}

function partsOf(
  exported: Exported,
  storage: Storage,
  fileKey: string,
  query: ExportQuery,
  mark: MarkSlice,
): AsyncGenerator<Uint8Array> {
  if (query.form === 'xlsx') return tableWorkbook(exported, mark, query);
  return withOriginal(storage, fileKey, (original) => {
    if (query.form === 'csv') return csvOf(exported, original, query);
    if ('unplaced' in query) return unplacedJson(exported.pack, original, unplacedName, exported.pause);
    return branchJson(exported.pack, original, query.node, exported);
  });
}

/** What is written while the uploaded file is open. */
async function* withOriginal(
  storage: Storage,
  fileKey: string,
  write: (original: ByteSource) => AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const original = await storage.open(fileKey);
  try {
    yield* write(original);
  } finally {
    await original.close();
  }
}

/** A pack that stays open until it is released. */
function holdPack(
  packs: OpenPacks<OpenPack>,
  key: string,
  filter: string,
  signal: AbortSignal | undefined,
): Promise<{ exported: Exported; abort: AbortController; release: () => void }> {
  return new Promise((resolve, reject) => {
    const hold = async ({ pack, filters }: OpenPack) => {
      const filtered = filter === '' ? undefined : await filters.use(filter, signal);
      const abort = new AbortController();
      const pause = pauseFor(abort.signal);
      const exported = {
        pack,
        pause,
        ...(filtered ? { figures: filtered, keeps: filtered.keeps } : { figures: pack }),
      };
      await new Promise<void>((release) => resolve({ exported, abort, release }));
    };
    packs.use(key, hold).catch(reject);
  });
}
