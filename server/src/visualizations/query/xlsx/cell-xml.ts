/** What a column holds, and with it how a spreadsheet shows it. */
const cellKinds = [
  'text',
  'wrapped',
  'count',
  'decimal',
  'money',
  'percent',
  'score',
  'month',
  'day',
  'link',
  'heading',
] as const;
export type CellKind = (typeof cellKinds)[number];

/** A text, a number, or a time in milliseconds since 1970 for a month or a day; undefined for unknown: an empty cell. */
export type CellValue = string | number | undefined;
/** A value that is shown differently from its column. */
export type XlsxCell = CellValue | { readonly kind: CellKind; readonly value: CellValue };

/** Excel's limit for the text of a cell, in UTF-16 units. */
const maxCellLength = 32_767;

/** Number formats; those below 164 are built in. Source: ECMA-376 part 1, 18.8.30. */
const formats: Partial<Record<CellKind, { readonly id: number; readonly code?: string }>> = {
  count: { id: 3 },
  decimal: { id: 164, code: '0.0' },
  money: { id: 2 },
  percent: { id: 165, code: '0 %' },
  score: { id: 166, code: '#,##0.0' },
  month: { id: 167, code: 'mmm yyyy' },
  day: { id: 168, code: 'yyyy-mm-dd' },
};

/** The style of each kind, and of a text of it that must not be read as a formula. */
const styleOf = (kind: CellKind, isQuoted: boolean): number => 1 + 2 * cellKinds.indexOf(kind) + Number(isQuoted);

/** The part of a workbook with its styles. */
export function stylesXml(): string {
  const custom = Object.values(formats).filter(({ code }) => code !== undefined);
  const numFmts = custom.map(({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${escapeXml(code!)}"/>`);
  const xfs = cellKinds.flatMap((kind) => {
    const font = kind === 'heading' ? 1 : kind === 'link' ? 2 : 0;
    const format = formats[kind]?.id ?? 0;
    const alignment = kind === 'wrapped' ? '<alignment vertical="top" wrapText="1"/>' : '<alignment vertical="top"/>';
    return ['', ' quotePrefix="1"'].map(
      (quote) =>
        `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${quote} applyNumberFormat="1" applyFont="1" applyAlignment="1">${alignment}</xf>`,
    );
  });
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';
  const font = (extra: string, colour: string) =>
    `<font>${extra}<sz val="11"/><color ${colour}/><name val="Calibri"/><family val="2"/></font>`;
  return `${declaration}<styleSheet xmlns="${spreadsheet}"><numFmts count="${numFmts.length}">${numFmts.join('')}</numFmts><fonts count="3">${font('', 'theme="1"')}${font('<b/>', 'theme="1"')}${font('<u/>', 'rgb="FF0563C1"')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${xfs.length + 1}">${plain}${xfs.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** A cell, or an empty text for an unknown one. @param ref such as `B7` */
export function cellXml(ref: string, kind: CellKind, value: CellValue): string {
  if (value === undefined || value === '' || Number.isNaN(value)) return '';
  if (typeof value === 'string') {
    const text = value.length > maxCellLength ? `${value.slice(0, maxCellLength - 1)}…` : value;
    const style = styleOf(kind, formulaStart.test(text));
    return `<c r="${ref}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
  }
  const number = kind === 'month' || kind === 'day' ? serialDay(value) : value;
  return `<c r="${ref}" s="${styleOf(kind, false)}"><v>${number}</v></c>`;
}

/** What a spreadsheet would read as a formula when a person edits the cell: shown with a quote before it, which is no part of the text. */
const formulaStart = /^[=+\-@\t\r]/u;

/** The number of a day as spreadsheets count them. */
const serialDay = (time: number): number => Math.floor(time / 86_400_000) + 25_569;

/** `A`, `B`, …, `Z`, `AA`. */
export function columnName(index: number): string {
  const above = Math.floor(index / 26) - 1;
  return (above < 0 ? '' : columnName(above)) + String.fromCharCode(65 + (index % 26));
}

/**
 * A text as XML. Characters that XML lacks are written as `_x0001_`, as Excel does, and a text that looks like that is
 * escaped itself.
 *
 * Source: ECMA-376 part 1, 22.9.2.19.
 */
export function escapeXml(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text
    .replace(/_(?=x[0-9a-fA-F]{4}_)/gu, '_x005F_')
    .replace(noXml, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML lacks
const noXml = /[\x00-\x08\x0b-\x1f\ufffe\uffff]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const needsEscape = /[&<>"_\x00-\x08\x0b-\x1f\ufffe\uffff]/u;
