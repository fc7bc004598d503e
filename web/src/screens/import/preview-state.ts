import type { FigureTotals, GroupingChoices, GroupsPreview } from '@kc/cluster/lists/grouping-choice';
import type { FilterCounts } from '@kc/cluster/lists/keyword-filter';
import type { PreviewCounts, PreviewNews } from '@kc/cluster/lists/preview-lists';
import type { MergeReport } from '@kc/cluster/merge/keywords';
import type { RowReport } from '@kc/cluster/read/data-rows';
import type { Reading, Refusal } from '@kc/cluster/read/reading';

/** What the reading worker reports. `run` numbers its readings: older ones are ignored. */
export type PreviewMessage = { readonly run: number } & (
  | PreviewNews
  | {
      readonly kind: 'end';
      /** Absent if nothing could be merged. */
      readonly report?: MergeReport;
      readonly choices?: GroupingChoices;
      /** As recognised. */
      readonly groups?: GroupsPreview;
    }
  /** Of the grouping and the filter that a person chose. */
  | {
      readonly kind: 'chosen';
      readonly groups?: GroupsPreview;
      readonly filtered: FilterCounts;
      readonly totals: FigureTotals;
    }
  | { readonly kind: 'failed' }
);

/** What a page knows about one file. */
export type FilePreview = {
  readonly reading?: Reading;
  readonly refusal?: Refusal;
  readonly rows?: RowReport;
};

/** What a page knows about the lists, more and more while they are read. */
export type Preview = {
  readonly run: number;
  /** The lists that are read, by their keys, and what is known about each. */
  readonly keys: readonly number[];
  readonly files: readonly FilePreview[];
  readonly counts?: PreviewCounts;
  readonly isEnded: boolean;
  /** The files could not be read: they have changed on the disk, or the memory was not enough. */
  readonly hasFailed: boolean;
  readonly report?: MergeReport;
  readonly choices?: GroupingChoices;
  readonly groups?: GroupsPreview;
  readonly chosenGroups?: GroupsPreview;
  /** What the filter keeps, and the sums of its figures. */
  readonly filtered?: FilterCounts;
  readonly totals?: FigureTotals;
};

export const noPreview: Preview = { run: 0, keys: [], files: [], isEnded: false, hasFailed: false };

/**
 * Begins another reading. The readings of before stay until they are replaced, so that the page does not flicker.
 *
 * @param keys of the lists that are read now
 */
export const restarted = (last: Preview, run: number, keys: readonly number[]): Preview => ({
  ...noPreview,
  run,
  keys,
  files: keys.map((key) => {
    const reading = last.files[last.keys.indexOf(key)]?.reading;
    return reading ? { reading } : {};
  }),
});

export function withMessage(preview: Preview, message: PreviewMessage): Preview {
  if (message.run !== preview.run) return preview;
  switch (message.kind) {
    case 'reading':
      return withFile(preview, message.file, { reading: message.reading });
    case 'refused':
      return withFile(preview, message.file, { refusal: message.refusal });
    case 'rows':
      return withFile(preview, message.file, { rows: message.report });
    case 'counts':
      return { ...preview, counts: message.counts };
    case 'chosen': {
      const { chosenGroups: _, ...rest } = preview;
      const { filtered, totals, groups } = message;
      return { ...rest, filtered, totals, ...(groups && { chosenGroups: groups }) };
    }
    case 'failed':
      return { ...preview, isEnded: true, hasFailed: true };
    case 'end': {
      const { run: _run, kind: _kind, ...found } = message;
      return { ...preview, ...found, isEnded: true };
    }
  }
}

function withFile(preview: Preview, place: number, news: FilePreview): Preview {
  const files = preview.files.map((file, at) => {
    if (at !== place) return file;
    if (!news.refusal) return { ...file, ...news };
    return { refusal: news.refusal };
  });
  return { ...preview, files };
}

/** Above this share of unreadable rows a person is warned, and above the other the list is not sent. */
const warnedShare = 0.05;
const refusedShare = 0.5;

/** How bad a file is to read. */
export function severityOf({ rows }: FilePreview): 'good' | 'warned' | 'refused' {
  const share = rows ? rows.unreadable / Math.max(1, rows.rows + rows.unreadable) : 0;
  if (share > refusedShare) return 'refused';
  return share > warnedShare ? 'warned' : 'good';
}

/** Whether a file can be sent, as far as is known. */
export function isReadable(file: FilePreview): boolean {
  const { reading, refusal, rows } = file;
  if (refusal || rows?.rows === 0 || severityOf(file) === 'refused') return false;
  return reading?.columns.some(({ meaning }) => meaning === 'keyword') ?? false;
}

/** Whether the lists can be sent: they need not be read to their end. */
export const canSend = ({ files, hasFailed }: Preview): boolean =>
  !hasFailed && files.length > 0 && files.every(isReadable);
