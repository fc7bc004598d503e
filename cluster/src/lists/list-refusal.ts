import { shareText } from '../../../pack/src/filter-words/share-text.ts';
import { shown } from '../draft/context.ts';
import type { RowReport } from '../read/data-rows.ts';
import type { Column, Note, Problem, ProblemReason, WorkbookFault } from '../read/reading.ts';
import type { ListRefusal } from './read-lists.ts';

/** A code of the catalogue of texts, with its parameters. */
export type CodedRefusal = { readonly code: string; readonly params?: Readonly<Record<string, string>> };

/** Why a file cannot be read, as a code of the catalogue. */
export function codedRefusal(refusal: ListRefusal['refusal']): CodedRefusal {
  const code = refusalCodes[refusal.code];
  if (refusal.code === 'no-such-sheet')
    return { code, params: { sheet: refusal.sheet, sheets: refusal.sheets.join(', ') } };
  if (refusal.code === 'too-many-columns') return { code, params: { columns: shown(refusal.columns) } };
  if (refusal.code === 'all-unreadable') {
    const { rows, problems } = refusal;
    return { code, params: { rows: shown(rows), lines: problems.map(shownProblem).join('; ') } };
  }
  return refusal.code === 'workbook' ? { code, params: { what: workbookFaults[refusal.what] } } : { code };
}

const shownProblem = ({ line, text }: Problem): string => `line ${shown(line)}: ${text}`;

/**
 * What a person should know about a reading, as a code of the catalogue.
 *
 * @param report of all rows, once they have been read: the note is about the first ones
 */
export function codedNote(
  note: Note,
  columns: readonly Column[] = [],
  report?: Pick<RowReport, 'known' | 'zeroCosts'>,
): CodedRefusal {
  const code = noteCodes[note.code];
  switch (note.code) {
    case 'summary-of-clusters':
      return { code, params: { column: note.column } };
    case 'unread-figures':
    case 'global-figures':
    case 'filled-down':
      return { code, params: { columns: note.columns.join(', ') } };
    case 'words-in-figures':
      return { code, params: { column: note.column, words: note.words.join(', ') } };
    case 'zero-cpc':
      return { code, params: { column: note.column, share: shareText(shareOfZeros(note, columns, report), 0) } };
    case 'date-order':
      return { code, params: { column: note.column, first: isDayFirst(columns) ? 'day' : 'month' } };
    case 'other-sheets':
      return { code, params: { sheets: note.sheets.join(', ') } };
    default:
      return { code };
  }
}

const isDayFirst = (columns: readonly Column[]): boolean =>
  columns.find(({ meaning }) => meaning === 'date')?.isDayFirst ?? true;

/** Of the known costs per click, the share that is 0. */
function shareOfZeros(
  note: Extract<Note, { code: 'zero-cpc' }>,
  columns: readonly Column[],
  report: Pick<RowReport, 'known' | 'zeroCosts'> | undefined,
): number {
  const known = report?.known[columns.findIndex(({ name }) => name === note.column)] ?? 0;
  return report && known > 0 ? report.zeroCosts / known : note.share;
}

const noteCodes = {
  'summary-of-clusters': 'list/summary',
  'no-keyword-column': 'list/no-keyword-column',
  'no-volume': 'list/no-volume',
  'unread-figures': 'list/unread-figures',
  'global-figures': 'list/global-figures',
  'words-in-figures': 'list/words-in-figures',
  'filled-down': 'list/filled-down',
  'zero-cpc': 'list/zero-cpc',
  'date-order': 'list/date-order',
  'encoding-guess': 'list/encoding-guess',
  'other-sheets': 'list/other-sheets',
} as const satisfies Record<Note['code'], string>;

const workbookFaults: Readonly<Record<WorkbookFault, string>> = {
  damaged: 'damaged',
  entries: 'more than 1,000 parts',
  size: 'more than 2 GiB unpacked',
  ratio: 'packed more than 200 times',
  repeats: 'its cells repeat texts to more than 100 times its size',
  texts: 'more than 256 MiB of texts',
  doctype: 'it has a document type',
  'no-sheet': 'it has no sheet of cells',
};

/** Why a row cannot be read, as a code of the catalogue. */
export const codeOfProblem = (reason: ProblemReason): string => problemCodes[reason];

const refusalCodes = {
  zip: 'list/zip',
  'old-excel': 'list/old-excel',
  'not-text': 'list/not-text',
  json: 'list/json',
  'no-rows': 'list/no-rows',
  'all-unreadable': 'list/all-unreadable',
  'all-left-out': 'list/all-left-out',
  'no-keyword-column': 'list/no-keyword-column',
  'too-many-columns': 'list/too-many-columns',
  'no-such-sheet': 'list/no-such-sheet',
  workbook: 'list/workbook',
} as const satisfies Record<ListRefusal['refusal']['code'], string>;

const problemCodes = {
  'quote-not-closed': 'list/quote-not-closed',
  'field-too-long': 'list/field-too-long',
  'record-too-long': 'list/record-too-long',
  'not-in-encoding': 'list/not-in-encoding',
  'one-cell': 'list/one-cell',
  'too-many-cells': 'list/too-many-cells',
  'no-keyword': 'list/no-keyword',
  'other-table': 'list/other-table',
  'keyword-too-long': 'list/keyword-too-long',
} as const satisfies Record<ProblemReason, string>;
