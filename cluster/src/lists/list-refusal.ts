import { shareText } from '../../../pack/src/filter-words/share-text.ts';
import { formatCount } from '../draft/context.ts';
import type { RowReport } from '../read/data-rows.ts';
import type { Column, Note, Problem, ProblemReason, Reading, WorkbookFault } from '../read/reading.ts';
import type { ListRefusal } from './read-lists.ts';

/** A code of the catalogue of texts, with its parameters. */
type CodedRefusal = { readonly code: string; readonly params?: Readonly<Record<string, string>> };

/** Why a file cannot be read, as a code of the catalogue. */
export function codedRefusal(refusal: ListRefusal['refusal']): CodedRefusal {
  const code = `list/${refusal.code}`;
  if (refusal.code === 'no-such-line') return { code, params: { line: formatCount(refusal.line) } };
  if (refusal.code === 'no-such-number')
    return { code, params: { column: formatCount(refusal.column), columns: formatCount(refusal.columns) } };
  if (refusal.code === 'no-such-sheet')
    return { code, params: { sheet: refusal.sheet, sheets: refusal.sheets.join(', ') } };
  if (refusal.code === 'too-many-columns') return { code, params: { columns: formatCount(refusal.columns) } };
  if (refusal.code === 'all-unreadable' || refusal.code === 'no-answers') {
    const { rows, problems } = refusal;
    return { code, params: { rows: formatCount(rows), lines: problems.map(shownProblem).join('; ') } };
  }
  return refusal.code === 'workbook' ? { code, params: { what: workbookFaults[refusal.what] } } : { code };
}

const shownProblem = ({ line, text }: Problem): string => `line ${formatCount(line)}: ${text}`;

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
  const code = note.code === 'summary-of-clusters' ? 'list/summary' : `list/${note.code}`;
  switch (note.code) {
    case 'summary-of-clusters':
    case 'keywords-in-cells':
    case 'groups-in-rows':
    case 'group-rows':
    case 'results-guess':
    case 'in-millions':
    case 'counts-rows':
    case 'several-volumes':
    case 'volume-of-year':
    case 'volume-of-year-divided':
      return { code, params: { column: note.column } };
    case 'unread-figures':
    case 'global-figures':
    case 'other-lists':
    case 'filled-down':
      return { code, params: { columns: note.columns.join(', ') } };
    case 'encoding-guess':
      return { code, params: { encoding: note.encoding } };
    case 'header-guess':
      return { code, params: { line: formatCount(note.line) } };
    case 'unsplit':
      return { code, params: { sign: note.sign === '\t' ? 'Tab' : note.sign } };
    case 'words-in-figures':
      return { code, params: { column: note.column, words: note.words.join(', ') } };
    case 'zero-cpc':
      return { code, params: { column: note.column, share: shareText(shareOfZeros(note, columns, report), 0) } };
    case 'ctr-scale':
      return { code, params: scalesOf(note, columns) };
    case 'thousands-guess':
      return { code, params: { column: note.column, sample: note.sample, read: readAs(note) } };
    case 'date-order':
      return { code, params: { column: note.column, first: isDayFirst(columns) ? 'day' : 'month' } };
    case 'month-order':
      return { code, params: { column: note.column, read: note.isNewest ? 'newest' : 'oldest' } };
    case 'other-sheets':
      return { code, params: { sheets: note.sheets.join(', ') } };
    default:
      return { code };
  }
}

/** The notes of a reading, without the questions that its rows answer. @param report of all rows, once they have been read */
export const openNotes = ({ notes }: Reading, report?: Pick<RowReport, 'highRates'>): readonly Note[] =>
  notes.filter((note) => note.code !== 'ctr-scale' || !report?.highRates.includes(note.column));

/** What a click rate may mean, and how it is read. */
function scalesOf({ column, sample }: Extract<Note, { code: 'ctr-scale' }>, columns: readonly Column[]) {
  const share = `${Number((100 * sample).toPrecision(12))} %`;
  const percent = `${sample} %`;
  const isPercent = columns.find(({ name }) => name === column)?.isPercent;
  return { column, sample: String(sample), share, percent, read: isPercent ? percent : share };
}

/** "1234" or "1.234". */
const readAs = ({ sample, are }: Extract<Note, { code: 'thousands-guess' }>): string => {
  const number = sample.replace(/[^\d.,]/gu, '');
  return are ? number.replace(/[.,]/u, '') : number.replace(',', '.');
};

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
export const codeOfProblem = (reason: ProblemReason): string => `list/${reason}`;
