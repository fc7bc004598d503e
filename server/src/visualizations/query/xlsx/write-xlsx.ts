import { Zip, ZipDeflate } from 'fflate';
import {
  type CellKind,
  type CellValue,
  cellXml,
  columnName,
  declaration,
  escapeXml,
  spreadsheet,
  stylesXml,
  type XlsxCell,
} from './cell-xml.ts';

export type XlsxColumn = {
  readonly title: string;
  readonly kind: CellKind;
  /** In characters. */
  readonly width: number;
};

export type XlsxSheet = {
  /** Any text: it is shortened and made unique. */
  readonly name: string;
  /** Whether it has exactly this name, which is among the reserved ones. */
  readonly isFixed?: true;
  readonly columns: readonly XlsxColumn[];
  /** In blocks. A cell of a column of links is a link if it has an address with http or https. */
  readonly rows: AsyncIterable<readonly (readonly XlsxCell[])[]>;
};

/** Rows of one sheet below its head, and links in one sheet: Excel opens no more. */
const maxRows = 1_048_575;
const maxLinks = 65_530;
const maxLinkLength = 2_079;

export type WorkbookParts = {
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** The names of all fixed sheets. */
  readonly reserved?: readonly string[];
  /** Below the head. */
  readonly rowsPerSheet?: number;
};

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const partType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const encoder = new TextEncoder();
/** Higher levels are much slower and hardly smaller. */
const level = 3;

/**
 * A workbook, part by part. Every sheet has a bold head that stays in place, as its first column does, and a filter. A
 * sheet with too many rows continues in another one.
 *
 * Memory: a block of rows, and the links of one sheet.
 */
export async function* writeXlsx(
  sheets: AsyncIterable<XlsxSheet>,
  { modified, reserved = [], rowsPerSheet = maxRows }: WorkbookParts,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let fault: Error | undefined;
  const zip = new Zip((error, bytes) => {
    if (error) fault = error;
    else ready.push(bytes);
  });
  function* drain(): Generator<Uint8Array> {
    if (fault) throw fault;
    yield* ready.splice(0);
  }
  const begin = (path: string): ZipDeflate => {
    const part = new ZipDeflate(path, { level });
    part.mtime = modified;
    zip.add(part);
    return part;
  };
  /** To its end, so that other requests run between two pieces. */
  function* push(part: ZipDeflate, pieces: Iterable<string>): Generator<Uint8Array> {
    for (const piece of pieces) {
      part.push(encoder.encode(piece));
      yield* drain();
    }
    part.push(new Uint8Array(), true);
  }
  const whole = (path: string, xml: string): void => begin(path).push(encoder.encode(declaration + xml), true);

  const names = createSheetNames(reserved);
  const written: Written[] = [];
  for await (const { name, isFixed, columns, rows } of sheets) {
    const unique = names.nameOf(name, isFixed ?? false);
    let open: OpenSheet | undefined;
    const start = (): OpenSheet => {
      const number = written.length + 1;
      const part = begin(`xl/worksheets/sheet${number}.xml`);
      const sheet = { name: open ? names.next(unique) : unique, part, rows: 0, links: [], number };
      part.push(encoder.encode(headXml(columns)));
      return sheet;
    };
    function* end(sheet: OpenSheet): Generator<Uint8Array> {
      yield* push(sheet.part, endXml(sheet, columns));
      if (sheet.links.length > 0)
        yield* push(begin(`xl/worksheets/_rels/sheet${sheet.number}.xml.rels`), linksXml(sheet.links));
      written.push({ name: sheet.name, range: rangeOf(sheet.rows, columns) });
    }
    open = start();
    for await (const block of rows) {
      let xml = '';
      for (const row of block) {
        if (open.rows === rowsPerSheet) {
          open.part.push(encoder.encode(xml));
          xml = '';
          yield* end(open);
          open = start();
        }
        xml += rowXml(open, columns, row);
      }
      open.part.push(encoder.encode(xml));
      yield* drain();
    }
    yield* end(open);
    yield* drain();
  }
  whole('xl/styles.xml', stylesXml().slice(declaration.length));
  whole('xl/workbook.xml', workbookXml(written));
  whole('xl/_rels/workbook.xml.rels', workbookRelations(written.length));
  whole('_rels/.rels', relationsXml([['rId1', 'officeDocument', 'xl/workbook.xml']]));
  whole('[Content_Types].xml', typesXml(written.length));
  zip.end();
  yield* drain();
}

type Written = { readonly name: string; readonly range: string };
type Link = { readonly ref: string; readonly address: string };
type OpenSheet = {
  readonly name: string;
  readonly number: number;
  readonly part: ZipDeflate;
  readonly links: Link[];
  /** Below the head. */
  rows: number;
};

function rowXml(sheet: OpenSheet, columns: readonly XlsxColumn[], cells: readonly XlsxCell[]): string {
  const number = sheet.rows + 2;
  sheet.rows++;
  let xml = '';
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at];
    const [kind, value] = typeof cell === 'object' ? [cell.kind, cell.value] : [columns[at]!.kind, cell];
    const ref = `${columnName(at)}${number}`;
    const isLink = kind === 'link' && takesLink(sheet, ref, value);
    xml += cellXml(ref, kind === 'link' && !isLink ? 'text' : kind, value);
  }
  return `<row r="${number}">${xml}</row>`;
}

/** Adds a link if the value is an address that Excel follows. Anything else stays a text. */
function takesLink({ links }: OpenSheet, ref: string, value: CellValue): boolean {
  if (typeof value !== 'string' || links.length >= maxLinks || value.length > maxLinkLength) return false;
  if (!/^https?:\/\/[^/\s]/iu.test(value) || /[\s\p{Cc}]/u.test(value)) return false;
  links.push({ ref, address: value });
  return true;
}

function headXml(columns: readonly XlsxColumn[]): string {
  const cols = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const cells = columns.map(({ title }, at) => cellXml(`${columnName(at)}1`, 'heading', title));
  return `${declaration}<worksheet xmlns="${spreadsheet}" xmlns:r="${relations}"><sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/><selection pane="bottomRight" activeCell="B2" sqref="B2"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols.join('')}</cols><sheetData><row r="1">${cells.join('')}</row>`;
}

const rangeOf = (rows: number, columns: readonly XlsxColumn[]): string =>
  `A1:${columnName(columns.length - 1)}${rows + 1}`;

function* endXml({ rows, links }: OpenSheet, columns: readonly XlsxColumn[]): Generator<string> {
  yield `</sheetData><autoFilter ref="${rangeOf(rows, columns)}"/>`;
  if (links.length > 0) {
    yield '<hyperlinks>';
    yield* inPieces(links, ({ ref }, at) => `<hyperlink ref="${ref}" r:id="rId${at + 1}"/>`);
    yield '</hyperlinks>';
  }
  yield '</worksheet>';
}

function* linksXml(links: readonly Link[]): Generator<string> {
  yield `${declaration}<Relationships xmlns="${packageRelations}">`;
  yield* inPieces(links, ({ address }, at) => {
    const target = escapeXml(address);
    return `<Relationship Id="rId${at + 1}" Type="${relations}/hyperlink" Target="${target}" TargetMode="External"/>`;
  });
  yield '</Relationships>';
}

/** As many links at a time as take a few milliseconds, however long their addresses are. */
const linksPerPiece = 256;

function* inPieces(links: readonly Link[], xmlOf: (link: Link, at: number) => string): Generator<string> {
  for (let from = 0; from < links.length; from += linksPerPiece)
    yield links
      .slice(from, from + linksPerPiece)
      .map((link, nth) => xmlOf(link, from + nth))
      .join('');
}

function workbookXml(sheets: readonly Written[]): string {
  const list = sheets.map(
    ({ name }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  // Excel keeps the range of a filter under this name.
  const filters = sheets.map(({ name, range }, at) => {
    const cells = range.replace(/[A-Z]+|\d+/gu, '$$$&');
    const sheet = escapeXml(`'${name.replaceAll("'", "''")}'`);
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${sheet}!${cells}</definedName>`;
  });
  return `<workbook xmlns="${spreadsheet}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews><sheets>${list.join('')}</sheets><definedNames>${filters.join('')}</definedNames></workbook>`;
}

type Relation = readonly [id: string, type: string, target: string];

const relationsXml = (list: readonly Relation[]): string =>
  `<Relationships xmlns="${packageRelations}">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const workbookRelations = (sheets: number): string =>
  relationsXml([
    ...Array.from({ length: sheets }, (_, at): Relation => {
      return [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`];
    }),
    [`rId${sheets + 1}`, 'styles', 'styles.xml'],
  ]);

function typesXml(sheets: number): string {
  const part = (name: string, type: string) => `<Override PartName="${name}" ContentType="${partType}.${type}+xml"/>`;
  const list = Array.from({ length: sheets }, (_, at) => part(`/xl/worksheets/sheet${at + 1}.xml`, 'worksheet'));
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', 'sheet.main')}${part('/xl/styles.xml', 'styles')}${list.join('')}</Types>`;
}

const maxLength = 31;
/** Excel keeps this name for itself. */
const ofExcel = 'history';

/** Gives each sheet a name that Excel accepts and that no other sheet has, whatever its case. */
interface SheetNames {
  /** @param isFixed whether it is one of the reserved names, which is used unchanged */
  nameOf(name: string, isFixed: boolean): string;
  /** The name of a sheet that continues another one: "SEO (2)". */
  next(name: string): string;
}

/** @param reserved names that only fixed sheets have */
export function createSheetNames(reserved: readonly string[]): SheetNames {
  const usedNames = new Set([ofExcel, ...reserved.map((name) => name.toLowerCase())]);
  const claim = (name: string): string => {
    usedNames.add(name.toLowerCase());
    return name;
  };
  const next = (name: string): string => {
    for (let nth = 2; ; nth++) {
      const suffix = ` (${nth})`;
      const numbered = cut(name, maxLength - suffix.length) + suffix;
      if (!usedNames.has(numbered.toLowerCase())) return claim(numbered);
    }
  };
  return {
    nameOf(name, isFixed) {
      if (isFixed) return name;
      const clean = cleanName(name);
      return usedNames.has(clean.toLowerCase()) ? next(clean) : claim(clean);
    },
    next,
  };
}

function cleanName(name: string): string {
  const plain = name.replace(/[[\]:*?/\\\p{Cc}\p{Cs}]/gu, ' ').replace(/\s+/gu, ' ');
  return cut(plain.replace(/^[\s']+/u, ''), maxLength).replace(/(?<![\s'])[\s']+$/u, '') || 'Sheet';
}

/** The first characters of a text, without half a surrogate pair at the end. */
function cut(text: string, length: number): string {
  let end = 0;
  for (const sign of text) {
    if (end + sign.length > length) break;
    end += sign.length;
  }
  return text.slice(0, end);
}
