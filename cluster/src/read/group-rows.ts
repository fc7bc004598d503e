import { isKeywordName, suggestionOf } from './names.ts';
import { type GroupRows, isFigure } from './reading.ts';
import { hasLetter, shareOf } from './values.ts';

type Cells = readonly string[];

/** By chance, one row has nothing beside its keyword; and so has each second one of a table whose figures are mostly unknown. */
const minGroups = 2;
const minRowsPerGroup = 2;

/**
 * Whether a table has rows with nothing but a name above the keywords of a group: the first row is one, and all other rows have more. None
 * follows another, unless the first two are a group in a group. `areLikely`: whether their names look unlike the keywords, which a tool may
 * know nothing about.
 */
export function groupRowsIn(
  header: Cells | undefined,
  cells: readonly Cells[],
): { readonly groupRows: GroupRows; readonly areLikely: boolean } | undefined {
  const names = header?.findIndex(isKeywordName) ?? -1;
  if (!header || names < 0 || !header.some((name) => isFigure(suggestionOf(name)?.meaning ?? 'keep'))) return undefined;
  const rows = cells.filter((record) => record.some(isFilled));
  const groups = rows.flatMap((record, row) => (namesGroup(record, names) ? [row] : []));
  const areNested = groups[1] === 1;
  const areApart = groups.every((row, at) => row !== groups[at - 1]! + 1 || (areNested && row !== groups[at - 2]! + 2));
  const inner = groups.filter((row, at) => groups[at + 1] !== row + 1);
  const isMostly = groups.length >= minGroups && rows.length - groups.length >= minRowsPerGroup * inner.length;
  if (groups[0] !== 0 || !areApart || !isMostly) return undefined;
  const [own, others] = [true, false].map((areGroups) =>
    rows.filter((record) => namesGroup(record, names) === areGroups).map((record) => record[names]!.trim()),
  );
  const groupRows: GroupRows = { names, groups: header.length, ...(areNested && { isNested: true }) };
  return { groupRows, areLikely: haveCapitals(own!, others!) || areShorter(own!, others!) };
}

/** The maximum number of columns of groups before the keywords. */
const maxLevels = 4;

/**
 * Names for the columns of a table without a header that is a tree: each group stands in a column before that of its keywords, once, in its first row or
 * in a row above them. "Level 1", "Level 2", "Keyword", "Column 4". Undefined for another table.
 */
export function treeHeader(cells: readonly Cells[]): string[] | undefined {
  const rows = cells.filter((record) => record.some(isFilled));
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const columns = Array.from({ length: width }, (_, at) => rows.map((record) => record[at] ?? '').filter(isFilled));
  const texts = columns.filter((column) => column.length > 0 && shareOf(column, hasLetter) === 1);
  const keywords = columns.indexOf(texts.reduce((one, other) => (other.length > one.length ? other : one), []));
  const levels = columns.slice(0, Math.max(0, keywords));
  const isTree =
    levels.length > 0 &&
    levels.length <= maxLevels &&
    isFilled(rows[0]![0] ?? '') &&
    levels.every((column, at) => texts.includes(column) && column.length <= columns[at + 1]!.length) &&
    levels.at(-1)!.length >= minGroups &&
    columns[keywords]!.length >= minRowsPerGroup * levels.at(-1)!.length &&
    new Set(columns[keywords]).size === columns[keywords]!.length;
  if (!isTree) return undefined;
  return columns.map((_, at) => (at < keywords ? `Level ${at + 1}` : at === keywords ? 'Keyword' : `Column ${at + 1}`));
}

/** Whether names begin with capitals, and keywords do not, so that the former are those of groups. */
export function haveCapitals(names: readonly string[], keywords: readonly string[]): boolean {
  const isCapital = (text: string) => /^\p{Lu}/u.test(text);
  return [isCapital, isAllCapital].some((has) => names.every(has) && shareOf(keywords, has) < rarely);
}

const rarely = 0.1;

export const isAllCapital = (text: string): boolean => /^\p{Lu}{2}/u.test(text) && text === text.toUpperCase();

/** Whether names have fewer words than keywords or, in scripts without blanks, letters. */
export function areShorter(names: readonly string[], keywords: readonly string[]): boolean {
  const lengths = (texts: readonly string[], length: (text: string) => number) =>
    texts.reduce((sum, text) => sum + length(text), 0) / texts.length;
  const haveBlanks = [...names, ...keywords].some((text) => /\s/u.test(text));
  const length = (text: string) => (haveBlanks ? text.split(/\s+/u).length : text.length);
  return lengths(names, length) <= shorter * lengths(keywords, length);
}

const shorter = 0.75;

const isFilled = (cell: string): boolean => cell.trim() !== '';

/** Whether a row has nothing but a name. */
const namesGroup = (record: Cells, names: number): boolean =>
  isFilled(record[names] ?? '') && record.every((cell, at) => at === names || !isFilled(cell));

/** The names of the columns that groups get, from the outside to the inside. */
export const groupNames = (levels: number): string[] =>
  levels === 1 ? ['Group'] : Array.from({ length: levels }, (_, at) => `Group ${at + 1}`);

/** A function that puts rows into their groups, from the first row on. It returns undefined for a row that is a group. */
export function intoGroups({ names, groups, isNested }: GroupRows): (record: Cells) => Cells | undefined {
  let [outer, group] = ['', ''];
  let isBelowGroup = false;
  return (record) => {
    if (namesGroup(record, names)) {
      if (isBelowGroup) outer = group;
      group = record[names]!.trim();
      isBelowGroup = true;
      return undefined;
    }
    isBelowGroup = false;
    const own = Array.from({ length: groups }, (_, at) => record[at] ?? '');
    // Cells beyond the header are a fault still.
    return [...own, ...(isNested ? [outer, group] : [group]), ...record.slice(groups)];
  };
}
