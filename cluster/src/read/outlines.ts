import { areShorter, haveCapitals, isAllCapital } from './group-rows.ts';
import { isKnownName, isListTitle, keywordsOnLine } from './names.ts';
import { type Outline, type Rows, type Separator, separators } from './reading.ts';
import { hasLetter, isAddress, isRule, shareOf } from './values.ts';

// Lists without columns that have headings among their keywords: above lines that stand further to the right or have marks, in Markdown, behind
// empty lines, or before a colon on the line of their keywords.

type Row = { readonly line: number; readonly cells: readonly string[] };

/** Where a line stands: a heading stands further to the left than the lines below it. */
type Place = { readonly width: number; readonly name: string; readonly isHeading: boolean };
type Heading = Place & { readonly row: Row; hasKeywords: boolean };

const bullet = /^(?:[\p{Pd}·*+>→]\s+|[•▪◦‣・✓✔➤●○■▸►]\s*)(?=\S)/u;
const number = /^(?:\d{1,5}[.)]|\(\d{1,5}\)|[a-z][.)])\s+(?=\S)/iu;
const markdown = /^(#{1,6})\s+(?=\S)/u;
const emphasised = /^(\*\*|__)([^*_]+)\1\s?[:：]?$/u;
const ended = /\s?[:：]$/u;
/** "=== Desks ===". */
const framed = /^[=~-]{2,}\s/u;
const framedEnd = /\s[=~-]{2,}$/u;

/** How far to the right a line stands at one indentation: a line that is a heading by itself, one without a mark, a number, a bullet. */
const steps = { heading: 0, plain: 1, number: 2, bullet: 3, blank: 4 } as const;
const ofMarkdown = -10;
const tab = '    ';

function placeOf(line: string): Place {
  const text = line.trim();
  const signs = markdown.exec(text)?.[1];
  if (signs !== undefined) return { width: ofMarkdown + signs.length, name: nameOf(text), isHeading: true };
  const blanks = line.replaceAll('\t', tab).search(/\S/u);
  const isHeading =
    emphasised.test(text) || (framed.test(text) && framedEnd.test(text)) || (ended.test(text) && !isSentence(text));
  const mark = bullet.test(text) ? 'bullet' : number.test(text) ? 'number' : 'plain';
  return { width: steps.blank * blanks + steps[isHeading ? 'heading' : mark], name: nameOf(text), isHeading };
}

/** A line that is a heading by what is before it, or by its letters. */
const placeInBlock = (line: string, isHeading: boolean): Place => ({
  width: isHeading ? steps.heading : steps.plain,
  name: nameOf(line),
  isHeading,
});

/** The name in a heading: "Desks" of "## Desks", "- **Desks:**" and "1. Desks:". */
function nameOf(heading: string): string {
  const plain = heading
    .trim()
    .replace(framed, '')
    .replace(framedEnd, '')
    .replace(markdown, '')
    .replace(bullet, '')
    .replace(number, '');
  return plain.replace(emphasised, '$2').replace(ended, '').trim();
}

/** Whether a text is a sentence rather than a keyword. */
export const isSentence = (text: string): boolean => text.split(/\s+/u).length >= 4 && /[.!:。]$/u.test(text);

/**
 * Turns the lines of a list with headings into rows of a keyword and its groups, the outer ones first. A line is a heading if it looks like
 * one, or if the next one stands further to the right. One without keywords is passed on like a keyword.
 */
export class OutlineRows {
  readonly #outline: Outline;
  /** The headings above the next line. */
  readonly #above: Heading[] = [];
  #last: { readonly row: Row; readonly place: Place } | undefined;
  #line = Number.NEGATIVE_INFINITY;
  readonly #name: (heading: string) => void;
  /** How many lines stand between two headings of which one is above the other. */
  misfits = 0;
  /** How many headings have no keywords. */
  unused = 0;

  /** @param name receives the names of headings */
  constructor(outline: Outline, name: (heading: string) => void = () => undefined) {
    this.#outline = outline;
    this.#name = name;
  }

  /** Takes the next lines. @returns the rows that are complete with them */
  rows(lines: readonly Row[]): Row[] {
    // Their groups stand on their own lines.
    if (this.#outline.kind === 'titles') return [...lines];
    return lines.flatMap((row) => {
      const isBehindGap = row.line > this.#line + 1;
      this.#line = row.line;
      if (isRule(row.cells)) return [];
      // DataRows tells why it is no keyword.
      if (isSentence(row.cells[0]!.trim())) return [this.#row(row, [])];
      const text = row.cells[0]!;
      const { kind } = this.#outline;
      const place =
        kind === 'indents'
          ? placeOf(text)
          : placeInBlock(text, kind === 'blocks' ? isBehindGap : isAllCapital(text.trim()));
      const found = this.#takeLast(place.width);
      this.#last = { row, place };
      return found;
    });
  }

  /** The rows that waited for the next line. Must be the last call. */
  end(): Row[] {
    return [...this.#takeLast(Number.NEGATIVE_INFINITY), ...this.#endHeadings(Number.NEGATIVE_INFINITY)];
  }

  /** @param next the width of the line behind it */
  #takeLast(next: number): Row[] {
    if (!this.#last) return [];
    const { row, place } = this.#last;
    const ended = this.#endHeadings(place.width);
    if (place.isHeading || next > place.width) {
      this.#name(place.name);
      this.#above.push({ ...place, row, hasKeywords: false });
      return ended;
    }
    for (const heading of this.#above) heading.hasKeywords = true;
    return [...ended, this.#row(row)];
  }

  /** Ends the headings that are not above a line with this width. @returns those without keywords */
  #endHeadings(width: number): Row[] {
    const empty: Row[] = [];
    let ended: Heading | undefined;
    while (this.#above.length > 0 && this.#above.at(-1)!.width >= width) {
      ended = this.#above.pop()!;
      if (!ended.hasKeywords) empty.push(this.#row(ended.row, []));
    }
    if (ended && ended.width > width && width >= 0) this.misfits++;
    this.unused += empty.length;
    return empty;
  }

  #row({ line, cells }: Row, names = this.#above.map(({ name }) => name)): Row {
    const { levels } = this.#outline;
    const inner = names.slice(levels - 1).join(' / ');
    const groups = [...names.slice(0, levels - 1), inner];
    return { line, cells: [cells[0]!, ...Array.from({ length: levels }, (_, at) => groups[at] ?? '')] };
  }
}

/** Fewer headings may be chance. */
const minHeadings = 2;
/** Nearly all keywords stand below a heading, and hardly any line out of place. */
const mostlyGrouped = 0.9;
const rarelyMisfit = 0.02;
const maxLevels = 4;

/** The outline of a list, if it seems to be one, and whether that is likelier than that all lines are keywords. */
export type FoundOutline = { readonly outline: Outline; readonly areLikely: boolean };

/** Whether lines stand above others that stand further to the right, or look like headings. */
export function indentsIn({ line, cells }: Rows): FoundOutline | undefined {
  const found = outlineOf(rowsOf({ line, cells }), 'indents');
  return found && { outline: found.outline, areLikely: true };
}

/** Whether some of the cells of a column stand further to the right than those above them, by blanks. */
export const areIndented = (cells: readonly string[]): boolean =>
  cells.some((cell) => /^\s/u.test(cell)) &&
  indentsIn({ line: cells.map((_, at) => at), cells: cells.map((cell) => [cell]) }) !== undefined;

/** The outline that lines are. */
export function outlineIn(lines: Rows): FoundOutline | undefined {
  const indents = indentsIn(lines);
  if (indents) return indents;
  const found = outlineOf(rowsOf(lines), 'blocks');
  // Keywords may have nothing but capitals, too.
  if (!found) {
    const capitals = outlineOf(rowsOf(lines), 'capitals');
    return capitals && { outline: capitals.outline, areLikely: false };
  }
  const { outline, headings, keywords } = found;
  const areLikely = haveCapitals(headings, keywords);
  return areLikely || areShorter(headings, keywords) ? { outline, areLikely } : undefined;
}

/** What stands before a colon on a line, and behind it. */
function partsOf(line: string): { readonly title: string; readonly rest: string } | undefined {
  const plain = line.trim().replace(bullet, '').replace(number, '');
  const [, title, rest] = /^([^:：]{1,60})[:：]\s*(\S.*)$/su.exec(plain.replace(emphasisedTitle, '$2:')) ?? [];
  return title === undefined ? undefined : { title: title.trim(), rest: rest! };
}

const emphasisedTitle = /^(\*\*|__)([^*_:：]{1,60})(?:[:：]\1|\1[:：])/u;

/** Rows of the keywords on a line and of their title: "Desks: oak desk, pine desk". */
export function titledRows(line: string, separator: Separator): string[][] {
  const { title, rest } = partsOf(line) ?? { title: '', rest: line };
  return keywordsOnLine(rest, separator).map((keyword) => [keyword, title]);
}

/** What stands between the keywords of lines that all have a title of their own before them; undefined for other lines. */
export function separatorBehindTitles({ cells }: Rows): Separator | undefined {
  const lines = cells.map(([line]) => line!).filter((line) => line.trim() !== '');
  const titles = lines.map((line) => partsOf(line)?.title);
  const areTitles =
    titles.length >= minHeadings &&
    new Set(titles).size === titles.length &&
    titles.every((title) => title !== undefined && hasLetter(title) && !isListTitle(title) && !isKnownName(title));
  if (!areTitles) return undefined;
  return separators.find((separator) => {
    if (separator === ' #') return false;
    const words = lines.flatMap((line) => titledRows(line, separator).map(([word]) => word!));
    return words.length > lines.length && shareOf(words, (word) => hasLetter(word) && !isAddress(word)) === 1;
  });
}

/** The lines of an outline as rows of a keyword and its groups. */
export function outlineRows({ line, cells }: Rows, outline: Outline): Rows {
  const reader = new OutlineRows(outline);
  const rows = [...reader.rows(cells.map((record, at) => ({ line: line[at]!, cells: record }))), ...reader.end()];
  return { line: rows.map((row) => row.line), cells: rows.map((row) => row.cells) };
}

const rowsOf = ({ line, cells }: Rows): Row[] =>
  cells.flatMap((record, at) => ((record[0] ?? '').trim() === '' ? [] : [{ line: line[at]!, cells: record }]));

function outlineOf(lines: readonly Row[], kind: 'indents' | 'blocks' | 'capitals') {
  const headings: string[] = [];
  const reader = new OutlineRows({ kind, levels: maxLevels }, (name) => headings.push(name));
  const rows = [...reader.rows(lines), ...reader.end()].filter(({ cells }) => !isSentence(cells[0]!.trim()));
  const keywords = rows.length - reader.unused;
  const isOutline =
    new Set(headings).size >= minHeadings &&
    keywords >= headings.length - reader.unused &&
    reader.misfits <= rarelyMisfit * keywords &&
    rows.filter(({ cells }) => cells[1] !== '').length >= mostlyGrouped * keywords;
  if (!isOutline) return undefined;
  const levels = rows.reduce((most, { cells }) => Math.max(most, cells.filter(Boolean).length - 1), 1);
  return { outline: { kind, levels }, headings, keywords: rows.map(({ cells }) => cells[0]!.trim()) };
}
