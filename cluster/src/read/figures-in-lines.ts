import { isKnownName } from './names.ts';
import type { FigurePlace, Rows } from './reading.ts';
import { hasLetter, shareOf } from './values.ts';

const forms = {
  start: /^\s*(?<figure>\d[\d.,]{0,15}[km]?)(?<sign>\s[-–—=]\s|:\s|\s)/iu,
  end: /(?<sign>\s[-–—=:]\s?|[:=]\s?|\s[([]|\s)(?<figure>\d[\d.,]{0,15}[km]?)\s?(?:searches|sv|vol\.?|volume|clicks|impressions)?(?:\s?\/\s?mo|\s?\/\s?month|\sper month|\smonthly)?[)\]]?$/iu,
} as const;
/** The form of the end has no more characters. */
const longestEnd = 48;
/** The line above them: "Keyword - Volume". */
const namesOfBoth = /^([^-–—=:([]{2,60})[-–—=:([]\s?([^-–—=:([)\]]{2,60})[)\]]?$/u;

type Split = { readonly keyword: string; readonly sign: string; readonly figure: string };

function split(line: string, place: FigurePlace): Split | undefined {
  const text = line.trimEnd();
  const found = forms[place].exec(place === 'end' ? text.slice(-longestEnd) : text);
  if (!found) return undefined;
  const { length } = found[0];
  const keyword = (place === 'end' ? text.slice(0, -length) : text.slice(length)).trim();
  return hasLetter(keyword) ? { keyword, sign: found.groups!.sign!, figure: found.groups!.figure! } : undefined;
}

/** The keyword and the figure of a line, or the names of both; the line alone if it has no figure. */
export function splitAtFigure(line: string, place: FigurePlace): string[] {
  const found = split(line, place);
  if (found) return [found.keyword, found.figure];
  const names = namesOfBoth.exec(line.trim())?.slice(1) ?? [];
  return names.length > 0 && names.every(isKnownName) ? names.map((name) => name.trim()) : [line];
}

/** So many first lines tell. */
const searchedLines = 2000;
/** Fewer lines may have numbers by chance. */
const minLines = 3;
/** The minimum share of lines with a figure, if it is one. */
const mostLines = 0.9;
/** The minimum share of different keywords, if numbers are figures: "kredit 5.000" and "kredit 10.000" are keywords. */
const mostlyDifferent = 0.9;

/**
 * Where most lines have a number, and whether it is surely a figure. Keywords have numbers, too: "iphone 13", "10 best desks". What they do not
 * have is a sign between the words and the number, or thousands that are separated, while the words alone tell them apart. Undefined if most
 * lines have none.
 */
export function figuresIn({ cells }: Rows): { readonly place: FigurePlace; readonly isSure: boolean } | undefined {
  const lines = cells.slice(0, searchedLines).map(([line]) => line!);
  if (lines.length < minLines) return undefined;
  for (const place of ['end', 'start'] as const) {
    const found = lines.map((line) => split(line, place)).filter((one) => one !== undefined);
    const hasTitle = split(lines[0]!, place) === undefined;
    if (found.length < mostLines * (lines.length - Number(hasTitle))) continue;
    const figures = found.map(({ figure }) => figure);
    const hasThousands = figures.some((figure) => /\d[.,]\d{3}(?!\d)/u.test(figure));
    const hasSigns = place === 'end' && found.every(({ sign }) => sign.trim() !== '');
    // Small numbers count, and others may be years.
    const areLarge = shareOf(figures, (figure) => !/^(?:\d{1,2}|(?:19|20)\d\d)$/u.test(figure)) >= 0.3;
    const areNamed = hasTitle && splitAtFigure(lines[0]!, place).length > 1;
    const areDifferent = new Set(found.map(({ keyword }) => keyword)).size >= mostlyDifferent * found.length;
    return { place, isSure: areNamed || (areDifferent && (hasThousands || (hasSigns && areLarge))) };
  }
  return undefined;
}
