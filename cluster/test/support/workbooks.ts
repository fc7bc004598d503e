import { strToU8, type Zippable, zipSync } from 'fflate';
import type { ByteSource } from '../../../pack/src/format/byte-source.ts';

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The XML of a sheet of texts and numbers; texts are shared ones. */
export function sheetOf(rows: readonly (readonly (string | number)[])[], shared: string[]): string {
  const cell = (value: string | number, at: string) => {
    if (value === '') return '';
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    return `<c r="${at}" t="s"><v>${shared.push(value) - 1}</v></c>`;
  };
  const xml = rows.map((row, index) => {
    const cells = row.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${index + 1}`));
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  return `${header}<worksheet ${main}><sheetData>${xml.join('')}</sheetData></worksheet>`;
}

export const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export type WorkbookParts = {
  /** The XML of each sheet by its name. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The XML of the items of shared texts. */
  readonly shared?: string;
  /** Other parts, or the same ones with other contents. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  readonly level?: 0 | 6;
};

/** An XLSX file as Excel and the exporters of keyword tools write it. */
export function workbookOf({ level = 6, ...made }: WorkbookParts): Uint8Array {
  const zippable: Zippable = {};
  for (const [name, content] of Object.entries(workbookParts(made)))
    zippable[name] = [typeof content === 'string' ? strToU8(content) : content, { level }];
  return zipSync(zippable);
}

/** What is packed into an XLSX file, by path. */
export function workbookParts({
  sheets,
  shared,
  parts = {},
}: Omit<WorkbookParts, 'level'>): Record<string, string | Uint8Array> {
  const names = Object.keys(sheets);
  const listed = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const related = names.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const texts = `<Relationship Id="rIdS" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/>`;
  return {
    '[Content_Types].xml': `${header}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'xl/workbook.xml': `${header}<workbook ${main} xmlns:r="${relations}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${header}<Relationships xmlns="x">${related.join('')}${texts}</Relationships>`,
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheets[name]!])),
    // Excel writes them last.
    'xl/sharedStrings.xml': `${header}<sst ${main}>${shared ?? ''}</sst>`,
    ...parts,
  };
}

/** A workbook of one sheet. */
export function tableWorkbook(rows: readonly (readonly (string | number)[])[]): Uint8Array {
  const shared: string[] = [];
  const sheet = sheetOf(rows, shared);
  return workbookOf({
    sheets: { Keywords: sheet },
    shared: shared.map((text) => `<si><t>${escaped(text)}</t></si>`).join(''),
  });
}

/** Bytes with random access, which count how many were read. */
export function sourceOf(bytes: Uint8Array): ByteSource & { readonly taken: () => number } {
  let taken = 0;
  return {
    size: bytes.length,
    taken: () => taken,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new RangeError(`${offset}, ${length}`);
      taken += length;
      return bytes.slice(offset, offset + length);
    },
  };
}
