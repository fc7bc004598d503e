import { countOfBytes, numberOfBytes } from '../../../pack/src/upload/numbers.ts';
import { isUnknown } from '../../../pack/src/upload/spelling.ts';
import { readSeries, trendMonths } from '../../../pack/src/upload/trend-text.ts';

/** Whether a cell says anything: not empty, "n/a", "-" or the like. */
export const isKnown = (text: string): boolean => !isUnknown(text.trim());

/** Whether a known figure is 0, as "0.00" and "0,00" are. */
export const isZero = (text: string): boolean => /^0+(?:[.,]0*)?$/u.test(text.trim());

/** Whether a kind of result in search results is an ordinary one, as "Organic, Sitelinks" is, unlike "Image pack" and "Ads top". */
export const isOrganic = (text: string): boolean => /(?:^|[,;])\s*organic\s*(?:$|[,;])/iu.test(text);

/** The apostrophe that spreadsheets, and this product's own tables, put before a text that would run as a formula. */
const apostrophe = /^'(?=[\s"]*[=+\-@|\uff1d\uff0b\uff0d\uff20])/u;

/** A text as a spreadsheet shows it: "+oak desk" for "'+oak desk". */
export const withoutApostrophe = (text: string): string => (text.startsWith("'") ? text.replace(apostrophe, '') : text);

/** A row that only draws a line below a header: "---", ":---:", "====". */
export function isRule(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 0 && filled.every((cell) => /^[:+]?[-=_+]{3,}[:+]?$/u.test(cell.trim()));
}

export const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

/** Whether a text is one address, or a host as in "example.com". */
export const isAddress = (text: string): boolean =>
  (/^https?:\/\/\S+$/iu.test(text) && !/[,;|]https?:/iu.test(text)) ||
  /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:\/\S*)?$/u.test(text);

/** Whether a text is an address with its scheme; hosts are also what people search for. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/iu.test(text.trim());

/** Whether a text is a series of numbers, as in a trend: "0.67,0.81". */
export function isSeries(text: string): boolean {
  const series = encoder.encode(text);
  return readSeries(series, 0, series.length, lastNumbers) > 0;
}

/** Where the numbers of a series go that is only recognised. */
const lastNumbers = new Float64Array(trendMonths);

/** How the numbers of a column are written. */
type NumberStyle = {
  readonly hasDecimalComma: boolean;
  /** Whether a value shows that decimals have a point, so that "1.300" is 1.3 even where things are counted. */
  readonly hasDecimalPoint?: boolean | undefined;
  /** Counts have no thousandths: "1.300" is 1300. */
  readonly isCount: boolean;
};

/** The number in a cell, also before a remark, as in "45 (hard)", "1,300*" and "12 ▲"; NaN if it holds none. */
export function numberOfCell(text: string, style: NumberStyle): number {
  const number = plainNumber(text, style);
  const [, before] = (Number.isNaN(number) && remarked.exec(text.trim())) || [];
  return before === undefined ? number : plainNumber(before, style);
}

const remarked = /^([^()\p{L}]*\d[km%]?)\s*(?:\([^()]{1,20}\)|[*▲▼△▽↑↓⬆⬇↗↘]\ufe0f?|\/\s?100)$/iu;

function plainNumber(text: string, { hasDecimalComma, hasDecimalPoint, isCount }: NumberStyle): number {
  const shown = text.startsWith('="') ? text.replace(/^="([^"]*)"$/u, '$1') : text;
  const plain = hasDecimalComma ? shown.replaceAll('.', '').replace(',', '.') : shown;
  if (plain.length > longest) return Number.NaN;
  const { written } = encoder.encodeInto(plain.trim(), bytes);
  return isCount && !hasDecimalPoint ? countOfBytes(bytes, 0, written) : numberOfBytes(bytes, 0, written);
}

/** A number is not longer, in characters. */
const longest = 64;
const bytes = new Uint8Array(3 * longest);
const encoder = new TextEncoder();

/** A rate without a percent sign, whose scale it does not state; NaN if a cell holds none. */
export const plainRateOf = (text: string, { hasDecimalComma }: Pick<NumberStyle, 'hasDecimalComma'>): number =>
  /[%\u066a]/u.test(text) ? Number.NaN : numberOfCell(text, { hasDecimalComma, isCount: false });

/** Share of the texts for which something holds; 1 if there are none. */
export function shareOf(texts: readonly string[], holds: (text: string) => boolean): number {
  if (texts.length === 0) return 1;
  let count = 0;
  for (const text of texts) if (holds(text)) count++;
  return count / texts.length;
}
