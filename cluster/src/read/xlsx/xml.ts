import { SaxesParser } from 'saxes';
import type { ByteSource } from '../../../../pack/src/format/byte-source.ts';
import { unpack, WorkbookError, type ZipEntry } from './zip.ts';

/** Receives an XML document. Names are without their prefix. */
type XmlListener = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Asked after each piece; the rest is not read if this returns true. */
  isDone?(): boolean;
};

/** The maximum length of a tag or text of XML, in characters. A cell holds 32,767. */
const longestText = 1 << 22;
/** The maximum depth of nested tags, because the parser remembers each open one. Those of a workbook are about ten deep. */
const deepest = 256;

/**
 * Parses an XML part piece by piece. Document types are refused, and with them entities of the document.
 *
 * @throws WorkbookError; also what the listener throws
 */
export async function parseXml(source: ByteSource, entry: ZipEntry, listener: XmlListener): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser();
  let sinceEvent = 0;
  let depth = 0;
  parser.on('doctype', () => {
    throw new WorkbookError('doctype');
  });
  parser.on('error', () => {
    throw new WorkbookError('damaged');
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceEvent = 0;
    if (++depth > deepest) throw new WorkbookError('damaged');
    listener.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0;
    depth--;
    listener.close?.(localName(name));
  });
  parser.on('text', (text) => listener.text?.(text));
  parser.on('cdata', (text) => listener.text?.(text));
  let isWhole = true;
  await unpack(source, entry, (bytes) => {
    // Unpacked pieces may be large. The parser gets small ones, so that an endless text is noticed early.
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      const text = decoded(decoder, bytes.subarray(from, from + pieceBytes));
      sinceEvent += text.length;
      parser.write(text);
      if (sinceEvent > longestText) throw new WorkbookError('damaged');
    }
    isWhole = !(listener.isDone?.() ?? false);
    return isWhole;
  });
  if (isWhole) parser.close();
}

const pieceBytes = 1 << 16;

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw new WorkbookError('damaged');
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The value of an attribute with any prefix. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(attributes).find((one) => localName(one) === name);
  return key === undefined ? undefined : attributes[key];
}
