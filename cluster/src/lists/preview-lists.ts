import { Merger } from '../merge/merge.ts';
import type { RowReport } from '../read/data-rows.ts';
import { marketsOfNames } from '../read/markets.ts';
import type { Reading, Refusal } from '../read/reading.ts';
import { headBytes, recogniseText } from '../read/recognise.ts';
import {
  differentFiles,
  type ListFile,
  type OpenedList,
  ofMarket,
  openList,
  type ReadFile,
  type ReadLists,
  workbookFault,
} from './read-lists.ts';

/** The maximum number of different keywords that a preview merges: more would not fit into the memory of a page. */
const maxPreviewKeywords = 4_000_000;

export type PreviewCounts = {
  readonly rows: number;
  /** How many different keywords there are. */
  readonly keywords: number;
  /** Whether there are more than {@link maxPreviewKeywords}: then only rows are still counted. */
  readonly isOver: boolean;
};

type PreviewOptions = {
  /** The market whose rows alone are used. */
  readonly market?: string | undefined;
  readonly maxKeywords?: number;
};

/** What a preview reports. `file` is the place of the file among those that are read. */
export type PreviewNews =
  /** First as judged by the beginning of a file, then by all of it. */
  | { readonly kind: 'reading'; readonly file: number; readonly reading: Reading }
  | { readonly kind: 'refused'; readonly file: number; readonly refusal: Refusal }
  /** Of all files so far. */
  | { readonly kind: 'counts'; readonly counts: PreviewCounts }
  | { readonly kind: 'rows'; readonly file: number; readonly report: RowReport };

/**
 * Reads lists for a person who may still correct how they are read: reports early what is known, and continues with the other files if one cannot be
 * read.
 *
 * @returns what was merged; undefined if nothing can be read, or if there are too many keywords
 * @throws any error of a source, which is also how a preview that is no longer wanted is ended
 */
export async function previewLists(
  files: readonly ListFile[],
  tell: (news: PreviewNews) => void,
  { market, maxKeywords = maxPreviewKeywords }: PreviewOptions = {},
): Promise<ReadLists | undefined> {
  const { different, repeated } = await differentFiles(files);
  const markets = marketsOfNames(different.map(({ name }) => name));
  const marketIn = (list: ListFile) => markets[different.indexOf(list)];
  for (const [file, list] of files.entries()) {
    const first = await firstReading(list);
    if (first) tell({ kind: 'reading', file, reading: ofMarket(first, marketIn(list)) });
  }
  const merger = new Merger(market);
  const read: ReadFile[] = [];
  let over = 0;
  const counts = (): PreviewCounts => {
    const merged = merger.counts;
    return { rows: merged.rows + over, keywords: merged.keywords, isOver: over > 0 };
  };
  for (const [file, list] of files.entries()) {
    const opened = await openList(list);
    if ('code' in opened) {
      tell({ kind: 'refused', file, refusal: opened });
      continue;
    }
    const reading = ofMarket(opened.reading, marketIn(list));
    tell({ kind: 'reading', file, reading });
    if (!reading.columns.some(({ meaning }) => meaning === 'keyword')) continue;
    const isRepeated = repeated.includes(list);
    const take = isRepeated ? undefined : merger.file(reading);
    const report = await rowsOf(opened, (rows) => {
      // Of a file that was added twice, the second copy is read for its report alone.
      if (!take) return;
      if (merger.counts.keywords > maxKeywords) over += rows.line.length;
      else take(rows);
      tell({ kind: 'counts', counts: counts() });
    });
    if ('code' in report) {
      tell({ kind: 'refused', file, refusal: report });
      continue;
    }
    tell({ kind: 'rows', file, report });
    if (!isRepeated) read.push({ name: list.name, reading, report });
  }
  tell({ kind: 'counts', counts: counts() });
  const isWhole = over === 0 && merger.counts.rows > 0;
  return isWhole ? { ...merger.finish(), files: read, repeated: repeated.map(({ name }) => name) } : undefined;
}

/** How a large text file is probably read, judged by its beginning. To be sure, the whole file has to be read. */
async function firstReading({ name, source, corrections }: ListFile): Promise<Reading | undefined> {
  if (source.size <= headBytes) return undefined;
  const reading = recogniseText({ name, head: await source.read(0, headBytes), isWhole: false }, corrections);
  return 'code' in reading ? undefined : reading;
}

async function rowsOf(list: OpenedList, take: Parameters<OpenedList['readRows']>[0]): Promise<RowReport | Refusal> {
  const report = await list.readRows(take).catch(workbookFault);
  return typeof report === 'string' ? { code: 'workbook', what: report } : report;
}
