import type { Keywords, MergeReport } from '../merge/keywords.ts';
import { Merger } from '../merge/merge.ts';
import type { RowReport } from '../read/data-rows.ts';
import type { Corrections, Reading, Refusal } from '../read/reading.ts';
import { headBytes, recogniseText } from '../read/recognise.ts';
import { textList } from '../read/text-list.ts';

/** A list, which is read twice: its beginning to recognise it, then all of it. */
export type ListFile = {
  readonly name: string;
  bytes(): AsyncIterable<Uint8Array>;
};

/** A list that was read. */
export type ReadFile = { readonly name: string; readonly reading: Reading; readonly report: RowReport };

export type ReadLists = {
  readonly keywords: Keywords;
  readonly report: MergeReport;
  /** In the order of the files. */
  readonly files: readonly ReadFile[];
};

/** Why no list could be read, and the file that is to blame. */
export type ListRefusal = { readonly file: string; readonly refusal: Refusal | { readonly code: 'no-keyword-column' } };

export type ReadingOptions = {
  /** Hold for every file. */
  readonly corrections?: Corrections;
  /** A correction by the name of a column, for every file that has it. */
  readonly meanings?: ReadonlyMap<string, Reading['columns'][number]['meaning']>;
};

/** Recognises files and merges their rows into keywords. The first file that cannot be read refuses all. */
export async function readLists(
  files: readonly ListFile[],
  options: ReadingOptions = {},
): Promise<ReadLists | ListRefusal> {
  const readings: Reading[] = [];
  for (const file of files) {
    const reading = await recognise(file, options);
    if ('code' in reading) return { file: file.name, refusal: reading };
    if (!reading.columns.some(({ meaning }) => meaning === 'keyword'))
      return { file: file.name, refusal: { code: 'no-keyword-column' } };
    readings.push(reading);
  }
  const merger = new Merger();
  const read: ReadFile[] = [];
  for (const [place, reading] of readings.entries()) {
    const { name, bytes } = files[place]!;
    const list = textList(reading, merger.file(reading));
    for await (const piece of bytes()) list.write(piece);
    read.push({ name, reading, report: list.end() });
  }
  if (read.every(({ report }) => report.rows === 0)) return { file: files[0]!.name, refusal: { code: 'no-rows' } };
  return { ...merger.finish(), files: read };
}

/** How a file is read, without reading more than its beginning. */
export async function recognise(file: ListFile, options: ReadingOptions = {}): Promise<Reading | Refusal> {
  const head = { name: file.name, ...(await beginningOf(file)) };
  const { corrections = {}, meanings = new Map() } = options;
  const reading = recogniseText(head, corrections);
  if ('code' in reading || meanings.size === 0) return reading;
  const byColumn = reading.columns.flatMap(({ name }, column) => {
    const meaning = meanings.get(name);
    return meaning ? [[column, meaning] as const] : [];
  });
  return recogniseText(head, { ...corrections, meanings: Object.fromEntries(byColumn) });
}

async function beginningOf(file: ListFile): Promise<{ head: Uint8Array; isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isWhole = true;
  for await (const piece of file.bytes()) {
    isWhole = length + piece.length <= headBytes;
    pieces.push(piece.slice(0, headBytes - length));
    length += pieces.at(-1)!.length;
    if (!isWhole) break;
  }
  const head = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    head.set(piece, at);
    at += piece.length;
  }
  return { head, isWhole };
}
