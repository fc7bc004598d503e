import { decimalSign } from './decimals.ts';
import type { Corrections, Delimiter, Meaning, Vendor } from './reading.ts';
import { isKnown, isRule } from './values.ts';

/** This many known values of a column are looked at. */
const checkedValues = 2000;

/** What is known of a column while its meaning is found. */
export type Draft = {
  readonly name: string;
  readonly isNamed: boolean;
  /** The first known values. */
  readonly values: readonly string[];
  readonly known: number;
  hasDecimalComma: boolean;
  hasDecimalPoint?: true;
  meaning: Meaning;
  misfit?: number;
  fillsDown?: true;
  isDayFirst?: boolean;
  isZeroUnknown?: true;
  isPercent?: boolean;
  monthsBack?: number;
  multiple?: number;
  /** Whether another column has the figure that its name suggests, as with volumes by device. */
  isOutranked?: true;
  currency?: string;
};

export type Table = {
  /** Undefined if the file has no header. */
  readonly header: readonly string[] | undefined;
  readonly cells: readonly (readonly string[])[];
  readonly vendor: Vendor;
  readonly delimiter?: Delimiter | undefined;
  /** Whether numbers are told from texts, as in JSON and workbooks. */
  readonly hasTypes?: boolean;
  readonly corrections: Corrections;
  /** The number of columns that the beginning of a file shows; all of them if undefined. */
  readonly early?: number | undefined;
};

/** The columns of a table, before any has a meaning, and the table without rows that cannot be read. */
export function draftsOf(given: Table): { readonly drafts: Draft[]; readonly table: Table } {
  const table = { ...given, cells: readable(given) };
  const width = table.header?.length ?? mostFrequentWidth(table.cells);
  const names = uniqueNames(table.header ?? Array.from({ length: width }, () => ''));
  return { drafts: names.map((name, at) => draftOf(name, at, table)), table };
}

/** The rows without those that have more cells than the header, whose values are in the wrong columns, and without rules. */
const readable = ({ header, cells }: Table): Table['cells'] =>
  cells.filter(
    (record) => !isRule(record) && (!header || record.slice(header.length).every((cell) => cell.trim() === '')),
  );

function draftOf(name: string, at: number, { header, cells }: Table): Draft {
  const values: string[] = [];
  let known = 0;
  for (const record of cells) {
    const cell = record[at];
    if (cell === undefined || !isKnown(cell)) continue;
    known++;
    if (values.length < checkedValues) values.push(cell.trim());
  }
  const isNamed = (header?.[at]?.trim() ?? '') !== '';
  const share = cells.length > 0 ? known / cells.length : 0;
  return { name, isNamed, values, known: share, hasDecimalComma: decimalSign(values) === ',', meaning: 'keep' };
}

function mostFrequentWidth(cells: Table['cells']): number {
  const counts = new Map<number, number>();
  for (const { length } of cells) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0])[0];
}

/** Names for all columns: "Column 2" for a nameless one, "Volume (2)" for a repeated one. */
function uniqueNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, at) => {
    const name = cell.trim() || `Column ${at + 1}`;
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} (${number})`;
    taken.add(unique);
    return unique;
  });
}
