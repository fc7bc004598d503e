import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import { parseXml } from './xml.ts';
import type { ZipEntry } from './zip.ts';

/** How the numbers of cells are shown, as far as that changes what they say. */
export type NumberFormat =
  | { readonly kind: 'number' | 'percent' | 'date' }
  /** With zeros before it: "000" shows 7 as 007. */
  | { readonly kind: 'digits'; readonly digits: number };

/** The formats of a workbook's cells, by the number of the style that a cell names. */
export type CellFormats = {
  readonly byStyle: readonly NumberFormat[];
  /** The serial number of 1 January 1970. */
  readonly epoch: number;
};

export const plainFormats: CellFormats = { byStyle: [], epoch: 25_569 };

/** A workbook has at most about 65,000 styles. */
const maxStyles = 1 << 16;
const number: NumberFormat = { kind: 'number' };

/**
 * Reads the formats of cells from the part with the styles.
 *
 * Source: ECMA-376, part 1, sections 18.8.10, 18.8.30 and 18.8.31.
 * @throws WorkbookError
 */
export async function readFormats(source: ByteSource, entry: ZipEntry): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const byStyle: NumberFormat[] = [];
  let isInCells = false;
  await parseXml(source, entry, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt' && formatCode !== undefined && codes.size < maxStyles)
        codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells && byStyle.length < maxStyles)
        byStyle.push(formatOf(Number(numFmtId ?? 0), codes.get(Number(numFmtId ?? 0))));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return byStyle;
}

/** @param code of a format that the workbook defines; the others are known by their numbers */
function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    if (id === 9 || id === 10) return { kind: 'percent' };
    return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
      ? { kind: 'date' }
      : number;
  }
  // Only the section for positive numbers; colours, texts and escaped signs say nothing.
  const plain = code
    .split(';', 1)[0]!
    .slice(0, longestCode)
    .replaceAll(/\[[^\]]*\]|"[^"]*"|\\.|_./gu, '');
  if (plain.includes('%')) return { kind: 'percent' };
  if (/y/iu.test(plain) || /d/iu.test(plain)) return { kind: 'date' };
  return /^0{2,}$/u.test(plain) ? { kind: 'digits', digits: plain.length } : number;
}

/** Excel's own limit. */
const longestCode = 255;

/** A number as its cell shows it, without the separators and rounding of the format: "007", "10%", "2026-04-15". */
export function shownNumber(value: number, format: NumberFormat | undefined, epoch: number): string | undefined {
  switch (format?.kind) {
    case 'percent':
      return `${Number((100 * value).toPrecision(15))}%`;
    case 'digits':
      return Number.isInteger(value) && value >= 0 ? String(value).padStart(format.digits, '0') : undefined;
    case 'date': {
      const day = new Date(Math.round((value - epoch) * 86_400) * 1000);
      // Beyond what a calendar holds it is no date.
      return value >= 1 && value < lastSerial
        ? day.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
        : undefined;
    }
    default:
      return undefined;
  }
}

/** 31 December 9999. */
const lastSerial = 2_958_466;
