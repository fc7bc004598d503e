import { isKeywordName, suggestionOf } from './names.ts';
import { type GroupRows, isFigure } from './reading.ts';

type Cells = readonly string[];

/** By chance, one row has nothing beside its keyword; and so has each second one of a table whose figures are mostly unknown. */
const minGroups = 2;
const minRowsPerGroup = 2;

/**
 * Whether a table has rows with nothing but a name above the keywords of a group: the first row is one, and all other rows have more. None
 * follows another, unless the first two are a group in a group. Of those, the inner one counts.
 */
export function groupRowsIn(header: Cells | undefined, cells: readonly Cells[]): GroupRows | undefined {
  const names = header?.findIndex(isKeywordName) ?? -1;
  if (!header || names < 0 || !header.some((name) => isFigure(suggestionOf(name)?.meaning ?? 'keep'))) return undefined;
  const rows = cells.filter((record) => record.some(isFilled));
  const groups = rows.flatMap((record, row) => (namesGroup(record, names) ? [row] : []));
  const areNested = groups[1] === 1;
  const areApart = groups.every((row, at) => row !== groups[at - 1]! + 1 || (areNested && row !== groups[at - 2]! + 2));
  const isMostly = groups.length >= minGroups && rows.length >= (1 + minRowsPerGroup) * groups.length;
  return groups[0] === 0 && areApart && isMostly ? { names, groups: header.length } : undefined;
}

const isFilled = (cell: string): boolean => cell.trim() !== '';

/** Whether a row has nothing but a name. */
const namesGroup = (record: Cells, names: number): boolean =>
  isFilled(record[names] ?? '') && record.every((cell, at) => at === names || !isFilled(cell));

/** A function that puts rows into their groups, from the first row on. It returns undefined for a row that is a group. */
export function intoGroups({ names, groups }: GroupRows): (record: Cells) => Cells | undefined {
  let group = '';
  return (record) => {
    if (namesGroup(record, names)) {
      group = record[names]!.trim();
      return undefined;
    }
    const own = Array.from({ length: groups }, (_, at) => record[at] ?? '');
    // Cells beyond the header are a fault still.
    return [...own, group, ...record.slice(groups)];
  };
}
