import { createHash } from 'node:crypto';

/** An upload of any length that is not stored anywhere: its bytes are computed on demand. */
export type LargeFile = {
  readonly size: number;
  readonly keywords: number;
  /** Returns a copy of `length` bytes, or fewer at the end. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer>;
  sha256(): string;
};

const entryBytes = 2048;
const digits = 9;

/** A file of exactly `size` bytes: keyword objects with metrics and search results, as in real exports. */
export function largeFile(size: number): LargeFile {
  const head = Buffer.from('{"keywords":[\n');
  const end = Buffer.from(
    '{}],"hierarchy":{"name":"everything","type":"root","children":["trail shoes","road shoes"]}}',
  );
  const entries = Math.floor((size - head.length - end.length) / entryBytes);
  const endAt = head.length + entries * entryBytes;
  const start = '{"keyword":"trail shoes ';
  const rest = '","search_volume":1900,"kd":37,"cpc":1.2,"serp":"';
  const filler = 'https://example.com/trail-shoes A page about shoes. '.repeat(50);
  const fixed = start.length + digits + rest.length + '"},\n'.length;
  const template = Buffer.from(`${start}${'0'.repeat(digits)}${rest}${filler.slice(0, entryBytes - fixed)}"},\n`);

  const copyEntry = (entry: number, into: Uint8Array, at: number, from: number, to: number): void => {
    template.copy(into, at, from, to);
    let number = entry;
    for (let i = start.length + digits - 1; i >= start.length; i--) {
      if (i >= from && i < to) into[at + i - from] = 0x30 + (number % 10);
      number = Math.floor(number / 10);
    }
  };
  const file: LargeFile = {
    size,
    keywords: entries + 1,
    read(offset, length) {
      const stop = Math.min(size, offset + length);
      const bytes = new Uint8Array(stop - offset).fill(0x20);
      for (let at = offset; at < stop; ) {
        if (at < head.length) {
          at += head.copy(bytes, at - offset, at, Math.min(head.length, at + stop - offset));
        } else if (at < endAt) {
          const entry = Math.floor((at - head.length) / entryBytes);
          const from = (at - head.length) % entryBytes;
          const to = Math.min(entryBytes, from + stop - at);
          copyEntry(entry, bytes, at - offset, from, to);
          at += to - from;
        } else {
          const from = at - endAt;
          if (from < end.length) end.copy(bytes, at - offset, from);
          at = stop;
        }
      }
      return bytes;
    },
    sha256() {
      const hash = createHash('sha256');
      for (let at = 0; at < size; at += 2 ** 20) hash.update(file.read(at, 2 ** 20));
      return hash.digest('hex');
    },
  };
  return file;
}
