import type { ByteSource } from '../../../pack/src/format/byte-source.ts';
import { hostileSource, textOf } from './hostile-lists.ts';
import { workbookParts } from './workbooks.ts';

/** A workbook with one part that is harmful by its length or by its contents. */
export type HostileWorkbook = {
  readonly name: string;
  /** Which part. */
  readonly path: string;
  /** The items of shared texts, if they are another part. */
  readonly shared?: string;
  /** Its first bytes. */
  readonly start: string;
  /** What follows, again and again, until the part has its length. `#` stands for a text that never repeats. */
  readonly part: string;
  /** The last bytes. */
  readonly end: string;
  /** Why it is refused; `no-rows` if it is read, and is not a list. */
  readonly refusal: string;
  /** Whether only a long part is too much; one of few MiB is read. */
  readonly onlyLong?: boolean;
};

const sheet = 'xl/worksheets/sheet1.xml';
const texts = 'xl/sharedStrings.xml';
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

export const hostileWorkbooks: readonly HostileWorkbook[] = [
  {
    name: 'shared texts that all differ',
    path: texts,
    start: '<sst>',
    part: '<si><t>#</t></si>',
    end: '</sst>',
    refusal: 'texts',
    onlyLong: true,
  },
  {
    name: 'empty shared texts',
    path: texts,
    start: '<sst>',
    part: '<si/>',
    end: '</sst>',
    refusal: 'texts',
    onlyLong: true,
  },
  {
    name: 'a shared text of many runs',
    path: texts,
    start: '<sst><si>',
    part: `<r><t>${'x'.repeat(100)}</t></r>`,
    end: '</si></sst>',
    refusal: 'texts',
  },
  {
    name: 'tags in tags',
    path: sheet,
    start: '<worksheet>',
    part: '<a>',
    end: '',
    refusal: 'damaged',
  },
  {
    name: 'a cell of many values',
    path: sheet,
    start: '<worksheet><sheetData><row><c t="inlineStr"><is>',
    part: `<t>${'x'.repeat(100)}</t>`,
    end: '</is></c></row></sheetData></worksheet>',
    refusal: 'damaged',
  },
  {
    name: 'a row of long cells',
    path: sheet,
    start: '<worksheet><sheetData><row>',
    part: cell('x'.repeat(1000)),
    end: '</row></sheetData></worksheet>',
    refusal: 'damaged',
  },
  {
    name: 'rows of one long shared text',
    path: sheet,
    shared: `<si><t>${'x'.repeat(500_000)}</t></si>`,
    start: '<worksheet><sheetData>',
    part: '<row><c t="s"><v>0</v></c></row>',
    end: '</sheetData></worksheet>',
    refusal: 'repeats',
  },
  {
    name: 'rows without cells',
    path: sheet,
    start: '<worksheet><sheetData>',
    part: '<row/>',
    end: '</sheetData></worksheet>',
    refusal: 'no-rows',
  },
  {
    name: 'one endless tag',
    path: sheet,
    start: '<worksheet><sheetData><row ',
    part: 'x',
    end: '',
    refusal: 'damaged',
  },
  {
    name: 'one endless comment',
    path: sheet,
    start: '<worksheet><!--',
    part: 'x',
    end: '--></worksheet>',
    refusal: 'damaged',
    onlyLong: true,
  },
  {
    name: 'sheets without end',
    path: 'xl/workbook.xml',
    start: '<workbook xmlns:r="r"><sheets>',
    part: '<sheet name="#" r:id="rId1"/>',
    end: '</sheets></workbook>',
    refusal: 'no-rows',
  },
  {
    name: 'relations without end',
    path: 'xl/_rels/workbook.xml.rels',
    start: '<Relationships>',
    part: '<Relationship Id="#" Target="worksheets/sheet1.xml"/>',
    end: '</Relationships>',
    refusal: 'entries',
  },
];

const localHeader = 30;
const directoryEntry = 46;

/**
 * An XLSX file that exists only while it is read. Nothing is packed, so that its length is that of the harmful part.
 *
 * @param size of that part, in bytes
 */
export function hostileWorkbook({ path, shared = '', start, part, end }: HostileWorkbook, size: number): ByteSource {
  const parts = new Map<string, ByteSource>(
    Object.entries(workbookParts({ sheets: { One: '<worksheet/>' }, shared })).map(([name, text]) => [
      name,
      bytesSource(encode(String(text))),
    ]),
  );
  // Whole parts only: a tag that is cut off would be damage.
  const length = part.replace('#', textOf(0)).length;
  const whole = length * Math.floor((size - start.length - end.length) / length);
  const middle = hostileSource({ name: path, start, part }, start.length + whole);
  parts.set(path, joined([middle, bytesSource(encode(end))]));
  return archiveOf(parts);
}

/** A ZIP archive of parts that are not packed. */
function archiveOf(parts: ReadonlyMap<string, ByteSource>): ByteSource {
  const sources: ByteSource[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of parts) {
    const header = headerOf(localHeader, 0x04034b50, name, content.size, [18, 22, 26]);
    const entry = headerOf(directoryEntry, 0x02014b50, name, content.size, [20, 24, 28]);
    new DataView(entry.buffer).setUint32(42, offset, true);
    sources.push(bytesSource(header), content);
    directory.push(entry);
    offset += header.length + content.size;
  }
  const tail = new Uint8Array(22);
  const view = new DataView(tail.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(10, parts.size, true);
  view.setUint32(
    12,
    directory.reduce((sum, { length }) => sum + length, 0),
    true,
  );
  view.setUint32(16, offset, true);
  return joined([...sources, ...[...directory, tail].map(bytesSource)]);
}

/** @param fields where packed size, unpacked size and length of the name stand */
function headerOf(
  length: number,
  signature: number,
  name: string,
  size: number,
  [packed, unpacked, nameLength]: readonly [number, number, number],
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  view.setUint32(packed, size, true);
  view.setUint32(unpacked, size, true);
  view.setUint16(nameLength, name.length, true);
  bytes.set(encode(name), length);
  return bytes;
}

const encode = (text: string) => new TextEncoder().encode(text);

const bytesSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read: async (offset, length) => bytes.slice(offset, offset + length),
});

/** Sources one after the other. */
function joined(sources: readonly ByteSource[]): ByteSource {
  return {
    size: sources.reduce((sum, { size }) => sum + size, 0),
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      let start = 0;
      for (const source of sources) {
        const [from, to] = [Math.max(offset, start), Math.min(offset + length, start + source.size)];
        if (from < to) bytes.set(await source.read(from - start, to - from), from - offset);
        start += source.size;
      }
      return bytes;
    },
  };
}
