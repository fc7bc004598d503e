import type { ByteSource } from '../../../pack/src/format/byte-source.ts';
import type { Keywords, MergeReport } from '../merge/keywords.ts';
import { type MergeLimits, Merger } from '../merge/merge.ts';
import { DataRows, joinedReports, type RowReport, textList, whyNoRows } from '../read/data-rows.ts';
import { type FoundEncoding, guessedEncoding, isOtherEncoding, Utf8Lines } from '../read/encodings.ts';
import { JsonMembers, JsonRows, type ObjectTable } from '../read/json-rows.ts';
import { marketsOfNames } from '../read/markets.ts';
import type { Corrections, Meaning, Reading, Refusal, Rows, WorkbookFault } from '../read/reading.ts';
import { headBytes, kindOf, readingOfObjects, recogniseEncoded, recogniseText } from '../read/recognise.ts';
import { ResultAnswers } from '../read/search-results.ts';
import { recogniseWorkbook, sheetsInOrder } from '../read/xlsx/recognise-workbook.ts';
import { WorkbookError } from '../read/xlsx/zip.ts';

/** Bytes of a file that are read, or compared, at a time. */
const blockBytes = 1 << 20;

export type ListFile = {
  readonly name: string;
  readonly source: ByteSource;
  /** What a person corrected for this file alone. */
  readonly corrections?: Corrections;
};

/** A list that was read. */
export type ReadFile = { readonly name: string; readonly reading: Reading; readonly report: RowReport };

export type ReadLists = {
  readonly keywords: Keywords;
  readonly report: MergeReport;
  /** In the order of the files, without the repeated ones. */
  readonly files: readonly ReadFile[];
  /** The names of files with the bytes of an earlier one. They were not read again. */
  readonly repeated: readonly string[];
  /** The market whose rows alone were used; absent if all were. */
  readonly market?: string;
};

/** Why no list could be read, and the file that is to blame. */
export type ListRefusal = {
  readonly file: string;
  readonly refusal: Refusal | { readonly code: 'no-keyword-column' | 'all-left-out' };
};

/** What a person corrected, for every file. */
type ListCorrections = {
  readonly corrections?: Corrections;
  /** By the name of a column. */
  readonly meanings?: ReadonlyMap<string, Meaning>;
};

/** How lists are read as a whole: `market` is the one whose rows alone are used. */
type ListsCorrections = ListCorrections & Pick<MergeLimits, 'maxBytes'> & { readonly market?: string | undefined };

/** How a file is read, and a function that reads its rows. */
export type OpenedList = {
  readonly reading: Reading;
  readRows(take: (rows: Rows) => void): Promise<RowReport>;
};

/**
 * Recognises files and merges their rows into keywords. A file whose bytes equal those of an earlier one is used once. The
 * first file that cannot be read refuses all.
 *
 * @throws ListsTooLarge
 */
export async function readLists(
  files: readonly ListFile[],
  { market, maxBytes, ...corrections }: ListsCorrections = {},
): Promise<ReadLists | ListRefusal> {
  const { different, repeated } = await differentFiles(files);
  const opened: OpenedList[] = [];
  const markets = marketsOfNames(different.map(({ name }) => name));
  for (const [place, file] of different.entries()) {
    const list = await openList(file, corrections);
    if ('code' in list) return { file: file.name, refusal: list };
    if (!list.reading.columns.some(({ meaning }) => meaning === 'keyword'))
      return { file: file.name, refusal: { code: 'no-keyword-column' } };
    opened.push({ ...list, reading: ofMarket(list.reading, markets[place]) });
  }
  const merger = new Merger(market, { ...(maxBytes !== undefined && { maxBytes }) });
  const read: ReadFile[] = [];
  for (const [place, { reading, readRows }] of opened.entries()) {
    const { name } = different[place]!;
    const report = await readRows(merger.file(reading)).catch(workbookFault);
    if (typeof report === 'string') return { file: name, refusal: { code: 'workbook', what: report } };
    read.push({ name, reading, report });
  }
  if (merger.counts.rows === 0) return { file: files[0]!.name, refusal: whyNoRows(read.map(({ report }) => report)) };
  const names = repeated.map(({ name }) => name);
  return { ...merger.finish(), files: read, repeated: names, ...(market !== undefined && { market }) };
}

/** A reading, with the market that the name of the file says beside those of others, unless it has one. */
export const ofMarket = (reading: Reading, market: string | undefined): Reading =>
  market === undefined || reading.market !== undefined ? reading : { ...reading, market };

/** What is wrong with a workbook, if that is why its rows cannot be read. */
export function workbookFault(error: unknown): WorkbookFault {
  if (error instanceof WorkbookError) return error.what;
  throw error;
}

/** How a file is read, by its beginning; of a workbook, by the beginning of its sheets. */
export async function recognise(file: ListFile, corrections: ListCorrections = {}): Promise<Reading | Refusal> {
  const list = await openList(file, corrections);
  return 'code' in list ? list : list.reading;
}

/** Recognises a file by its beginning, and a text also by its encoding as a whole. */
export async function openList(
  file: ListFile,
  { corrections = {}, meanings }: ListCorrections = {},
): Promise<OpenedList | Refusal> {
  const { name, source } = file;
  const head = await source.read(0, Math.min(headBytes, source.size));
  const kind = kindOf(head);
  const open = kind === 'workbook' ? openWorkbook : kind === 'results' || kind === 'rows' ? openJson : openText;
  const own = { ...corrections, ...file.corrections };
  const list = await open(source, name, head, own);
  if ('code' in list || !meanings?.size) return list;
  const byColumn = list.reading.columns.flatMap((column, number) => {
    const meaning = meanings.get(column.name);
    return meaning ? [[number, meaning] as const] : [];
  });
  return open(source, name, head, { ...own, meanings: { ...Object.fromEntries(byColumn), ...own.meanings } });
}

async function openText(
  source: ByteSource,
  name: string,
  head: Uint8Array,
  corrections: Corrections,
): Promise<OpenedList | Refusal> {
  const file = { name, head, isWhole: head.length === source.size };
  let reading = recogniseText(file, corrections);
  if ('code' in reading) return reading;
  const other = corrections.encoding === undefined && reading.encoding === 'utf-8' && (await otherEncoding(source));
  if (other) {
    reading = recogniseEncoded(file, other, corrections);
    if ('code' in reading) return reading;
  }
  const recognised = reading;
  return {
    reading,
    async readRows(take) {
      const list = textList(recognised, take);
      await eachBlock(source, (block) => list.write(block));
      return list.end();
    },
  };
}

async function openJson(
  source: ByteSource,
  name: string,
  head: Uint8Array,
  corrections: Corrections,
): Promise<OpenedList | Refusal> {
  const areRows = kindOf(head) === 'rows';
  const reading = areRows
    ? readingOfObjects(name, await membersOf(source, head), corrections)
    : recogniseText({ name, head, isWhole: head.length === source.size }, corrections);
  if ('code' in reading) return reading;
  return {
    reading,
    async readRows(take) {
      const list = areRows ? new JsonRows(reading, new TextDecoder().decode(head), take) : new ResultAnswers(take);
      const decoder = new TextDecoder();
      await eachBlock(source, (block) => list.write(decoder.decode(block, { stream: true })));
      list.write(decoder.decode());
      return list.end();
    },
  };
}

/** The members of all objects of a file: a member may first appear anywhere. */
async function membersOf(source: ByteSource, head: Uint8Array): Promise<ObjectTable> {
  const decoder = new TextDecoder();
  const members = new JsonMembers(decoder.decode(head, { stream: true }));
  await eachBlock(source, (block) => members.write(decoder.decode(block, { stream: true })), head.length);
  return members.table;
}

/** The encoding of a file whose beginning is UTF-8, if it is not as a whole. */
async function otherEncoding(source: ByteSource): Promise<FoundEncoding | undefined> {
  const lines = new Utf8Lines();
  await eachBlock(source, (block) => lines.write(block));
  lines.end();
  return isOtherEncoding(lines) ? guessedEncoding(lines.sample) : undefined;
}

async function eachBlock(source: ByteSource, take: (block: Uint8Array) => void, from = 0): Promise<void> {
  for (let at = from; at < source.size; at += blockBytes) {
    take(await source.read(at, Math.min(blockBytes, source.size - at)));
  }
}

async function openWorkbook(
  source: ByteSource,
  name: string,
  _head: Uint8Array,
  corrections: Corrections,
): Promise<OpenedList | Refusal> {
  const found = await recogniseWorkbook(source, name, corrections);
  if ('code' in found) return found;
  const { workbook, reading } = found;
  return {
    reading,
    async readRows(take) {
      const reports: RowReport[] = [];
      for (const { sheet, skipped, market } of sheetsInOrder(reading)) {
        const ofMarket = (rows: Rows) => take(market === undefined ? rows : { ...rows, market });
        const rows = new DataRows({ ...reading, skipped }, ofMarket);
        await workbook.read(sheet, rows);
        rows.end();
        reports.push(rows.report);
      }
      return joinedReports(reports);
    },
  };
}

/** Of some files, those that are different, and those that repeat an earlier one byte for byte. */
export async function differentFiles<File extends { readonly source: ByteSource }>(
  files: readonly File[],
): Promise<{ readonly different: readonly File[]; readonly repeated: readonly File[] }> {
  const different: File[] = [];
  const repeated: File[] = [];
  for (const file of files) {
    const isRepeated = await someEqual(different, file.source);
    (isRepeated ? repeated : different).push(file);
  }
  return { different, repeated };
}

async function someEqual(files: readonly { readonly source: ByteSource }[], source: ByteSource): Promise<boolean> {
  for (const file of files) if (await areEqual(file.source, source)) return true;
  return false;
}

async function areEqual(one: ByteSource, other: ByteSource): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += blockBytes) {
    const length = Math.min(blockBytes, one.size - at);
    const [bytes, others] = await Promise.all([one.read(at, length), other.read(at, length)]);
    if (!bytes.every((byte, index) => byte === others[index])) return false;
  }
  return true;
}
