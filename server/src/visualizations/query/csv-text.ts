import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import type { CellValue } from './xlsx/cell-xml.ts';

/**
 * A line of a table, with its end. An unknown cell is empty, and never 0. Texts that a spreadsheet would take for
 * formulas are neutralised.
 *
 * Exports have tens of millions of cells; a CSV library took three quarters of their time.
 *
 * Source: RFC 4180. Quotes cells with a lone CR or LF as well, which many programs take for the end of a line.
 */
export function csvLine(cells: readonly CellValue[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) line += ',';
    const cell = cells[index];
    if (typeof cell === 'string') line += csvText(cell);
    else if (cell !== undefined) line += cell;
  }
  return `${line}\r\n`;
}

function csvText(text: string): string {
  const harmless = harmlessCell(text);
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const needsQuotes = /[",\r\n]/;
