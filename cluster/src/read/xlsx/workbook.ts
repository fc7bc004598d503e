import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import type { RowSink } from '../reading.ts';
import { readSharedTexts, SharedTexts } from './shared-texts.ts';
import { plainFormats, readFormats, readSheet } from './sheet.ts';
import { attributeOf, parseXml } from './xml.ts';
import { maxEntries, WorkbookError, type ZipEntry, zipEntries } from './zip.ts';

/** An XLSX file whose sheets can be read one by one. */
export type Workbook = {
  /** The names of the sheets in their order, without those that are hidden. */
  readonly sheets: readonly string[];
  /**
   * Passes on the rows of a sheet, with their numbers as lines.
   * @param limit stops after about this many rows
   * @returns whether some of them are hidden
   * @throws WorkbookError
   */
  read(sheet: string, sink: Pick<RowSink, 'rows'>, limit?: number): Promise<boolean>;
};

/**
 * Opens an XLSX file. Nothing of it is evaluated, and nothing outside it is loaded. Memory: the shared texts, as UTF-8.
 *
 * Source: ECMA-376, part 1, sections 12.3 and 18.
 * @throws WorkbookError
 */
export async function openWorkbook(source: ByteSource): Promise<Workbook> {
  const entries = await zipEntries(source);
  const part =
    entries.get('xl/workbook.xml') ?? [...entries.values()].find(({ name }) => /(?:^|\/)workbook\.xml$/u.test(name));
  if (!part) throw new WorkbookError('damaged');
  const targets = await targetsOf(source, entries, part);
  const { sheets, epoch } = await sheetsOf(source, part, targets.byId, entries);
  if (sheets.size === 0) throw new WorkbookError('no-sheet');
  let texts: Promise<SharedTexts> | undefined;
  const styles = targets.styles && entries.get(targets.styles);
  const formats = { byStyle: styles ? await readFormats(source, styles) : plainFormats.byStyle, epoch };
  return {
    sheets: [...sheets.keys()],
    async read(sheet, sink, limit) {
      const entry = sheets.get(sheet);
      if (!entry) throw new WorkbookError('no-sheet');
      const shared = targets.sharedTexts && entries.get(targets.sharedTexts);
      texts ??= shared ? readSharedTexts(source, shared) : Promise.resolve(new SharedTexts());
      return readSheet(source, entry, await texts, sink, { formats, ...(limit !== undefined && { limit }) });
    },
  };
}

type Targets = {
  readonly byId: ReadonlyMap<string, string>;
  readonly sharedTexts: string | undefined;
  readonly styles: string | undefined;
};

/** Finds the parts that a workbook refers to. */
async function targetsOf(source: ByteSource, entries: ReadonlyMap<string, ZipEntry>, part: ZipEntry): Promise<Targets> {
  const folder = part.name.slice(0, part.name.lastIndexOf('/') + 1);
  const relations = entries.get(`${folder}_rels/${part.name.slice(folder.length)}.rels`);
  const byId = new Map<string, string>();
  let sharedTexts: string | undefined;
  let styles: string | undefined;
  if (!relations) throw new WorkbookError('damaged');
  await parseXml(source, relations, {
    open(name, { Id, Target, Type, TargetMode }) {
      if (name !== 'Relationship' || Target === undefined || TargetMode === 'External') return;
      const path = Target.startsWith('/') ? Target.slice(1) : folder + Target;
      if (Id !== undefined) byId.set(Id, path);
      if (byId.size > maxEntries) throw new WorkbookError('entries');
      if (Type?.endsWith('/sharedStrings')) sharedTexts = path;
      if (Type?.endsWith('/styles')) styles = path;
    },
  });
  return { byId, sharedTexts, styles };
}

/** Sheets of cells by name, each part once. Hidden ones are left out, and so are sheets of charts and the like. */
async function sheetsOf(
  source: ByteSource,
  part: ZipEntry,
  targets: ReadonlyMap<string, string>,
  entries: ReadonlyMap<string, ZipEntry>,
): Promise<{ readonly sheets: Map<string, ZipEntry>; readonly epoch: number }> {
  const sheets = new Map<string, ZipEntry>();
  let { epoch } = plainFormats;
  const found = new Set<ZipEntry>();
  await parseXml(source, part, {
    open(name, attributes) {
      // Some workbooks count days from 1904.
      if (name === 'workbookPr' && /^(?:1|true)$/u.test(attributes.date1904 ?? '')) epoch -= 1462;
      if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const path = targets.get(attributeOf(attributes, 'id') ?? '');
      const entry = path === undefined ? undefined : entries.get(path);
      // Each part once: otherwise one could be read again and again under any number of names.
      if (!entry || found.has(entry) || !path!.includes('worksheets/')) return;
      found.add(entry);
      sheets.set(attributes.name ?? `Sheet ${sheets.size + 1}`, entry);
    },
  });
  return { sheets, epoch };
}
