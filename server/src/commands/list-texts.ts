import type { ListRefusal } from '@kc/cluster/lists/read-lists';
import type { ProblemReason } from '@kc/cluster/read/reading';
import { say } from '@kc/rules/messages';

/** Why a file cannot be read. */
export function refusalText(refusal: ListRefusal['refusal']): string {
  switch (refusal.code) {
    case 'zip':
      return say('list/zip');
    case 'old-excel':
      return say('list/old-excel');
    case 'not-text':
      return say('list/not-text');
    case 'json':
      return say('list/json');
    case 'no-rows':
      return say('list/no-rows');
    case 'no-keyword-column':
      return say('list/no-keyword-column');
    case 'too-many-columns':
      return say('list/too-many-columns', { columns: refusal.columns.toLocaleString('en-US') });
    case 'workbook':
      return say('list/workbook', { what: workbookFaults[refusal.what] });
  }
}

const workbookFaults = {
  damaged: 'damaged',
  entries: 'more than 1,000 parts',
  size: 'more than 2 GiB unpacked',
  ratio: 'packed more than 200 times',
  texts: 'more than 256 MiB of texts',
  doctype: 'it has a document type',
  'no-sheet': 'it has no sheet of cells',
} as const;

const reasons = {
  'quote-not-closed': 'list/quote-not-closed',
  'field-too-long': 'list/field-too-long',
  'record-too-long': 'list/record-too-long',
  'not-in-encoding': 'list/not-in-encoding',
  'one-cell': 'list/one-cell',
  'too-many-cells': 'list/too-many-cells',
  'no-keyword': 'list/no-keyword',
  'keyword-too-long': 'list/keyword-too-long',
} as const;

/** Why a row cannot be read. */
export const problemText = (reason: ProblemReason): string => say(reasons[reason]);
