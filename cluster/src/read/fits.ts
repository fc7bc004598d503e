import { intentsOfCodes, intentsOfText } from '../../../pack/src/upload/intent-texts.ts';
import { competitionOfLevel } from '../../../pack/src/upload/metric-values.ts';
import { isoDate } from '../../../pack/src/upload/written-dates.ts';
import { marketOf } from './markets.ts';
import { namesPlace } from './names.ts';
import { isFigure, type Meaning } from './reading.ts';
import { hasLetter, isAddress, isSeries, numberOfCell, shareOf } from './values.ts';

/** The first known values of a column. */
type ColumnValues = { readonly name: string; readonly values: readonly string[]; readonly hasDecimalComma: boolean };

const isNumber = (column: ColumnValues) => (text: string) =>
  !Number.isNaN(numberOfCell(text, { hasDecimalComma: column.hasDecimalComma, isCount: false }));

/** Whether most of the values of a column are numbers. */
export const holdsNumbers = (column: ColumnValues): boolean =>
  column.values.length > 0 &&
  shareOf(column.values, isNumber(column)) >= 0.8 &&
  shareOf(column.values, hasLetter) < 0.5;

/**
 * Whether a column can have a meaning. Figures may have a few words among them, which stand for "unknown" in some tool's
 * language. Keywords may be digits if the column is called so and they differ, unlike the keyword counts of clusters.
 */
export function fits(column: ColumnValues, meaning: Meaning): boolean {
  if (shareThatFits(column, meaning) >= minShare(meaning)) return true;
  if (meaning === 'keyword')
    return !/s$/iu.test(column.name) && new Set(column.values).size >= 0.95 * column.values.length;
  return isFigure(meaning) && column.values.some(isNumber(column)) && wordsIn(column).length <= maxWords;
}

/** More different words in a column of figures mean that it holds something else. */
const maxWords = 3;

/** The different texts in a column of figures that are no numbers: all of them, or the first {@link maxWords} and one more. */
export function wordsIn(column: ColumnValues): string[] {
  const isNumeric = isNumber(column);
  const words = new Set<string>();
  for (const value of column.values) {
    if (!isNumeric(value)) words.add(value);
    if (words.size > maxWords) break;
  }
  return [...words];
}

/** Share of a column's known values that fit a meaning. */
export function shareThatFits(column: ColumnValues, meaning: Meaning): number {
  const isFit = fitOf(column, meaning);
  return isFit ? shareOf(column.values, isFit) : 1;
}

/** Whether one value fits a meaning; undefined if every text does. */
function fitOf(column: ColumnValues, meaning: Meaning): ((text: string) => boolean) | undefined {
  switch (meaning) {
    case 'keyword':
    case 'level1':
    case 'level2':
    case 'level3':
    case 'level4':
      return hasLetter;
    case 'intent':
      return (text) => intentsOfText(text) !== 0 || intentsOfCodes(text) !== 0;
    case 'informational':
    case 'navigational':
    case 'commercial':
    case 'transactional':
      return (text) => /^(?:true|false|yes|no|1|0|x)$/iu.test(text);
    case 'url':
    case 'resultUrl':
      return isAddress;
    case 'trend':
      return isSeries;
    case 'competition':
      return (text) => isNumber(column)(text) || !Number.isNaN(competitionOfLevel(text));
    case 'date':
      return isDateText;
    case 'country':
      return namesPlace(column.name) ? (text) => marketOf(text) !== undefined : undefined;
    case 'serpFeatures':
    case 'language':
    case 'keep':
    case 'leaveOut':
      return undefined;
    default:
      return isNumber(column);
  }
}

/** The share of the known values that has to fit. */
export const minShare = (meaning: Meaning): number => (/^(?:keyword|intent|level\d)$/u.test(meaning) ? 0.5 : 0.8);

/** Days, months and times in any form that is read: see `isoDate`; also the serial numbers of spreadsheets. */
const isDateText = (text: string): boolean =>
  /^\d{4}-\d{2}/u.test(isoDate(text, true)) || /^(?:\d{5}(?:\.\d+)?|\d{8}|\d{10}|\d{13})$/u.test(text);
