import type { ByteSource } from '../../../pack/src/format/byte-source.ts';

/** A list that is harmful by its length or by its contents. */
export type HostileList = {
  readonly name: string;
  /** The first bytes. */
  readonly start: string;
  /** What follows, again and again, until the file has its length. */
  readonly part: string;
  /** Why it is refused; otherwise it is read. */
  readonly refusal?: string;
  /** Of a file that is read: the rows, if their number does not depend on the length, and why others cannot be read. */
  readonly rows?: number;
  readonly reason?: string;
  /** Whether it is rows without end, of which each takes memory by design: not read at any length. */
  readonly hasRows?: boolean;
};

const header = 'Keyword,Volume\nhose,1\n';

export const hostileLists: readonly HostileList[] = [
  {
    name: 'a quote that is never closed, then one line',
    start: `${header}"`,
    part: 'x',
    rows: 1,
    reason: 'quote-not-closed',
  },
  {
    name: 'a quote that is never closed, then rows',
    start: `${header}"open,1\n`,
    part: 'k,1\n',
    reason: 'quote-not-closed',
    hasRows: true,
  },
  { name: 'a quote on every line', start: header, part: '"k,1\n', reason: 'quote-not-closed', hasRows: true },
  { name: 'doubled quotes', start: `${header}"`, part: '""', rows: 1, reason: 'quote-not-closed' },
  { name: 'a field of quotes in quotes', start: `${header}"`, part: '""","', reason: 'record-too-long' },
  { name: 'a header of millions of columns', start: 'Keyword', part: ',', refusal: 'no-rows' },
  {
    name: 'a header of thousands of columns',
    start: `Keyword${',c'.repeat(5000)}\n`,
    part: 'k,1\n',
    refusal: 'too-many-columns',
  },
  {
    name: 'rows of a thousand columns',
    start: `Keyword${',c'.repeat(999)}\n`,
    part: `k${',1'.repeat(999)}\n`,
    hasRows: true,
  },
  { name: 'a row of millions of cells', start: header, part: ',1', rows: 1, reason: 'record-too-long' },
  { name: 'one line', start: header, part: 'x', rows: 1, reason: 'field-too-long' },
  { name: 'one line from the first byte on', start: '', part: 'x', refusal: 'no-rows' },
  { name: 'lines of delimiters alone', start: header, part: ',\n', rows: 1 },
  { name: 'rows without a keyword', start: header, part: ',1\n', rows: 1, reason: 'no-keyword' },
  { name: 'empty lines', start: header, part: '\r\n', rows: 1 },
  { name: 'NULs from the first byte on', start: '', part: '\0', refusal: 'not-text' },
  { name: 'NULs after some rows', start: `${header}${'k,1\n'.repeat(300_000)}`, part: '\0', reason: 'field-too-long' },
  { name: 'rows that are all called totals', start: header, part: 'Total: k,1\n', hasRows: true },
  {
    name: 'rows that are called totals, then others',
    start: `Keyword,Volume\n${'Total: k,1\n'.repeat(100_000)}`,
    part: 'k,1\n',
    hasRows: true,
  },
  { name: 'an empty line after each row', start: header, part: 'k,1\n\n', hasRows: true },
  { name: 'rows of one keyword alone', start: 'Keyword\nhose\n', part: 'k\n', hasRows: true },
  {
    name: 'rows of one keyword with dates and addresses',
    start: 'Keyword,Date,URL,Clicks\n',
    part: 'k,2026-04-01,http://a.b/c,1\nk,2026-03-01,http://a.b/d,1\n',
    hasRows: true,
  },
  { name: 'keywords that all differ', start: 'Keyword,Volume\n', part: '#,1\n', hasRows: true },
  {
    name: 'texts that all differ in a column that is kept',
    start: 'Keyword,Volume,Remark\n',
    part: 'k,1,#\n',
    hasRows: true,
  },
];

/** A file of a length that exists only while it is read. `#` in a part stands for a text that never repeats. */
export function hostileSource({ start, part }: HostileList, size: number): ByteSource {
  const encode = (text: string) => new TextEncoder().encode(text);
  const first = encode(start);
  // A whole number of parts, so that it can be laid end to end.
  const repeats = Math.max(1, Math.ceil((1 << 16) / part.length));
  const isNumbered = part.includes('#');
  const blockOf = (number: number) =>
    encode(
      isNumbered
        ? Array.from({ length: repeats }, (_, at) => part.replace('#', textOf(number * repeats + at))).join('')
        : part.repeat(repeats),
    );
  const block = blockOf(0);
  return {
    size: Math.max(size, first.length),
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const place = offset + at;
        if (place < first.length) {
          bytes[at++] = first[place]!;
          continue;
        }
        const [number, within] = [
          Math.floor((place - first.length) / block.length),
          (place - first.length) % block.length,
        ];
        const from = (isNumbered ? blockOf(number) : block).subarray(within, within + length - at);
        bytes.set(from, at);
        at += from.length;
      }
      return bytes;
    },
  };
}

/** Texts of one length that differ. */
export const textOf = (number: number): string => `remark ${String(number).padStart(10, '0')} ${'x'.repeat(40)}`;
