import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { Merger } from '../src/merge/merge.ts';
import { TextReader, type TextSyntax } from '../src/read/csv.ts';
import { textList } from '../src/read/data-rows.ts';
import type { Problem } from '../src/read/reading.ts';
import { recogniseText } from '../src/read/recognise.ts';
import { maxFieldBytes, maxRecordBytes } from '../src/read/records.ts';
import { utf8, utf16 } from './support/lists.ts';
import { randomNumbers } from './support/random-numbers.ts';

type Read = { lines: number[]; cells: string[][]; problems: Problem[]; largest: number; largestText: number };

/** Reads pieces that end at the given positions. */
function read(bytes: Uint8Array, syntax: Partial<TextSyntax> = {}, ends: readonly number[] = []): Read {
  const result: Read = { lines: [], cells: [], problems: [], largest: 0, largestText: 0 };
  const reader = new TextReader(
    { encoding: 'utf-8', delimiter: ',', ...syntax },
    {
      rows({ line, cells }) {
        result.lines.push(...line);
        for (const row of cells) result.cells.push([...row]);
        result.largest = Math.max(result.largest, cells.length);
        result.largestText = Math.max(result.largestText, cells.flat().join('').length);
      },
      problem: (problem) => result.problems.push(problem),
    },
  );
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    reader.write(bytes.subarray(from, end));
    from = end;
  }
  reader.end();
  return result;
}

const small = 'Keyword,"a ""b"", c"\r\n\n"x\r\ny",é漢😀\rlast "q",\n"open" x,"z"';
const smallCells = [
  ['Keyword', 'a "b", c'],
  ['x\r\ny', 'é漢😀'],
  ['last "q"', ''],
  ['"open" x', 'z'],
];

describe('a small file', () => {
  test('has its records, with the line each starts on', () => {
    expect(read(utf8(small))).toMatchObject({ cells: smallCells, lines: [1, 3, 5, 6], problems: [] });
  });

  // Shows P20.2.
  test('reads the same however it is split', () => {
    const bytes = utf8(`\ufeff${small}`);
    for (let one = 0; one <= bytes.length; one++) {
      for (let two = one; two <= bytes.length; two++) {
        const { cells, lines } = read(bytes, { blockBytes: one % 7 }, [one, two]);
        expect([cells, lines], `${one}, ${two}`).toEqual([smallCells, [1, 3, 5, 6]]);
      }
    }
  });

  test.each(['utf-16le', 'utf-16be'] as const)(
    'reads the same in %s, with and without a mark, at every split',
    (encoding) => {
      for (const mark of ['', '\ufeff']) {
        const bytes = utf16(mark + small, encoding === 'utf-16le');
        for (let at = 0; at <= bytes.length; at++)
          expect(read(bytes, { encoding }, [at]).cells, `${at}`).toEqual(smallCells);
      }
    },
  );
});

describe('a quote that belongs to a keyword', () => {
  const kept = [
    ['oak desk', '100'],
    ['"12 inch hose', '90'],
    ['pine desk', '80'],
    ['"best" reel', '70'],
    ['ash desk', '60'],
  ];

  test('swallows no rows if the next quote opens a field', () => {
    const text = 'oak desk,100\n"12 inch hose,90\npine desk,80\n"best" reel,70\nash desk,60\n';
    for (let at = 0; at <= text.length; at++) {
      const { cells, lines, problems } = read(utf8(text), { blockBytes: 1 + (at % 40) }, [at]);
      expect([cells, lines, problems], `${at}`).toEqual([kept, [1, 2, 3, 4, 5], []]);
    }
    const others = 'oak desk,100,x\r\n"12 inch hose,90,"red, blue"\r\n"pine desk",80,y';
    expect(read(utf8(others)).cells).toEqual([
      ['oak desk', '100', 'x'],
      ['"12 inch hose', '90', 'red, blue'],
      ['pine desk', '80', 'y'],
    ]);
  });

  test('swallows no rows if the next one ends a field, and the lines between are rows of the table', () => {
    const inches = (end: string) =>
      read(utf8(['oak desk,100', '"best hose,90', 'pine desk,80', 'hose 12",70', 'ash,60'].join(end)));
    for (const end of ['\n', '\r\n', '\r']) {
      expect(inches(end).cells.map(([keyword]) => keyword)).toEqual([
        'oak desk',
        '"best hose',
        'pine desk',
        'hose 12"',
        'ash',
      ]);
      expect(inches(end).lines).toEqual([1, 2, 3, 4, 5]);
    }
    const words = 'a,b,c\n"d,e,f\ng,h,i\nj",k,l';
    expect(read(utf8(words)).cells).toHaveLength(4);
  });

  test.each([
    ['a text with commas', 'oak desk,"first, line\nsecond, line",100'],
    ['an address', 'oak desk,100\n"Ringgold, GA\nhotel",5'],
    ['a list of addresses', 'oak desk,x,1\npine desk,"https://a.example/\nhttps://b.example/\nhttps://c.example/",2'],
  ])('is none around the lines of %s', (_what, text) => {
    expect(read(utf8(text)).cells.at(-1)!.join(' ')).toContain('\n');
  });
});

test('a plain list has one keyword per line, commas included', () => {
  const { cells, lines } = read(utf8('red, blue\n"green, 2"\n\n"a" b\n"open\nlast'), { delimiter: undefined });
  expect(cells).toEqual([['red, blue'], ['green, 2'], ['"a" b'], ['"open'], ['last']]);
  expect(lines).toEqual([1, 2, 4, 5, 6]);
});

test('Windows-1252 is read as what it is', () => {
  const bytes = Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x2c, 0x80, 0x0a]);
  expect(read(bytes, { encoding: 'windows-1252' }).cells).toEqual([['café', '€']]);
});

describe('what cannot be read', () => {
  test('a line that is not UTF-8 is reported, and the others are read', () => {
    const bytes = Uint8Array.from([...utf8('a,1\r\nb'), 0xe9, ...utf8(',2\r\nc,3\r\n')]);
    const { cells, problems } = read(bytes);
    expect(cells).toEqual([
      ['a', '1'],
      ['c', '3'],
    ]);
    expect(problems).toEqual([{ line: 2, reason: 'not-in-encoding', text: 'b\ufffd,2' }]);
  });

  test.each([
    ['the end of the file', 'x,y\n'.repeat(3)],
    ['64 KiB', 'x,y\n'.repeat(20_000)],
  ])('a quote that is not closed before %s costs its own line only', (_, rest) => {
    const { cells, problems, lines } = read(utf8(`a,b\n"m\nn",o\nc,"open\n${rest}`));
    const rows = rest.split('\n').length - 1;
    expect(cells).toEqual([['a', 'b'], ['m\nn', 'o'], ...Array.from({ length: rows }, () => ['x', 'y'])]);
    expect(problems).toEqual([{ line: 4, reason: 'quote-not-closed', text: 'c,"open' }]);
    expect(lines.slice(2, 4)).toEqual([5, 6]);
  });

  test('a field or a record that is too long is left out', () => {
    const field = 'f'.repeat(maxFieldBytes + 1);
    const record = `${'r'.repeat(60_000)},`.repeat(maxRecordBytes / 50_000);
    const { cells, problems } = read(utf8(`a,b\n${field},1\nc,d\n${record}\n"${field}\n e,f\n`));
    expect(cells).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      [' e', 'f'],
    ]);
    expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'field-too-long'],
      [4, 'record-too-long'],
      [5, 'quote-not-closed'],
    ]);
    expect(problems.every(({ text }) => text.length === 80)).toBe(true);
  });

  // Shows P20.4.
  test.each([
    ['one line', 'x', 1],
    ['one quoted value', '"x', 1],
    ['one value of doubled quotes', '"', 1],
    ['one record of many fields', ',', 1],
    ['empty lines', '\n', 0],
    ['empty lines of CRLF', '\r\n', 0],
  ])('a file of %s without end is read in bounded memory', (_, part, problems) => {
    const seen: Problem[] = [];
    let rows = 0;
    const reader = new TextReader(
      { encoding: 'utf-8', delimiter: ',' },
      { rows: ({ line }) => (rows += line.length), problem: (problem) => seen.push(problem) },
    );
    const start = utf8('a,b\n');
    const piece = utf8(part.repeat((1 << 20) / part.length));
    const before = process.memoryUsage().arrayBuffers;
    reader.write(start);
    for (let at = 0; at < 48; at++) reader.write(piece);
    const after = process.memoryUsage().arrayBuffers;
    reader.end();
    expect(after - before).toBeLessThan(16 << 20);
    expect([rows, seen.length]).toEqual([1, problems]);
  });
});

test('records that are complete can be had while a long one has only begun, at every split', () => {
  const text = 'a,b\n"c\n",d\r\n"e ""\n';
  for (let at = 0; at <= text.length; at++) {
    const seen: (readonly string[])[] = [];
    const lines: number[] = [];
    const reader = new TextReader(
      { encoding: 'utf-8', delimiter: ',' },
      {
        rows({ line, cells }) {
          seen.push(...cells);
          lines.push(...line);
        },
        problem: () => expect.fail('a problem'),
      },
    );
    reader.write(utf8(text.slice(0, at)));
    reader.passOn();
    const complete = at >= 11 ? 2 : at >= 4 ? 1 : 0;
    expect(seen, `${at}`).toHaveLength(complete);
    reader.write(utf8(text.slice(at)));
    reader.passOn();
    reader.write(utf8('x",f\n'));
    reader.end();
    expect([seen, lines], `${at}`).toEqual([
      [
        ['a', 'b'],
        ['c\n', 'd'],
        ['e "\nx', 'f'],
      ],
      [1, 2, 4],
    ]);
  }
});

test('rows arrive in batches of bounded size', () => {
  const { cells: long, largestText } = read(utf8(`${'x'.repeat(60_000)},1\n`.repeat(100)));
  expect(long).toHaveLength(100);
  expect(largestText).toBeLessThanOrEqual(2 * maxRecordBytes);
  const { cells, largest } = read(utf8('k,1\n'.repeat(50_000)));
  expect(cells).toHaveLength(50_000);
  expect(largest).toBeLessThanOrEqual(8192);
});

const mutations = Number(process.env.PROVE_RUNS ?? 300);
const seed = Number(process.env.PROVE_SEED ?? 1);

test(`${mutations} mutated files agree with papaparse and with a reader of one character at a time (seed ${seed})`, () => {
  const random = randomNumbers(seed);
  let compared = 0;
  for (let number = 0; number < mutations; number++) {
    const text = mutated(random);
    const shown = `${number}: ${JSON.stringify(text)}`;
    const { cells, lines, problems } = read(utf8(text), { blockBytes: 1 + random(200) }, [random(text.length)]);
    expect(cells, shown).toEqual(oneByOne(text));
    const lineEnd = random(2) === 0 ? '\r\n' : '\r';
    const other = read(utf8(text.replaceAll('\n', lineEnd)), { blockBytes: 1 + random(200) }, [random(text.length)]);
    const sameEnds = other.cells.map((row) => row.map((cell) => cell.replaceAll(lineEnd, '\n')));
    expect([sameEnds, other.lines, other.problems.length], shown).toEqual([cells, lines, problems.length]);
    const second = Papa.parse<string[]>(text, { delimiter: ',', newline: '\n', quoteChar: '"', skipEmptyLines: false });
    // Where a quote is out of place, the two read on differently; papaparse says so.
    const isClear = second.errors.length === 0 && !/" +(?:,|\n|$)/u.test(text);
    if (!isClear) continue;
    compared++;
    expect(problems, shown).toEqual([]);
    expect(cells.filter(hasText), shown).toEqual(second.data.filter(hasText));
  }
  expect(compared).toBeGreaterThan(mutations / 4);
});

test('files with blanks around quotes are never a fault, and lose no row without quotes', () => {
  const random = randomNumbers(seed + 2);
  const parts = ['a', '"', '""', ',', ', ', ' ,', ' ', '"b"', '"c, d"', '\n', '\r\n', '"e\nf"'];
  for (let number = 0; number < mutations; number++) {
    const text = Array.from({ length: random(40) }, () => parts[random(parts.length)]!).join('');
    const { cells } = read(utf8(text), { isSpaced: true, blockBytes: 1 + random(60) }, [random(text.length + 1)]);
    if (text.includes('"')) continue;
    const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '');
    const expected = lines.map((line) => line.split(',').map((cell) => cell.trim()));
    expect(cells, JSON.stringify(text)).toEqual(expected);
  }
});

test('any bytes are read or refused, and never a fault', () => {
  const random = randomNumbers(seed + 1);
  const parts = [
    'Keyword',
    'Volume',
    ',',
    ';',
    '\t',
    '|',
    '"',
    '""',
    '\n',
    '\r',
    'sep=;',
    '1,300',
    'é',
    '\ufeff',
    ' ',
    'Total',
    'n/a',
  ];
  for (let number = 0; number < mutations; number++) {
    const text = Array.from({ length: random(60) }, () => parts[random(parts.length)]!).join('');
    const bytes = random(2) === 0 ? utf8(text) : utf16(text, random(2) === 0);
    for (let change = random(3); change > 0 && bytes.length > 0; change--) bytes[random(bytes.length)] = random(256);
    const head = { name: 'x_us_2026-01-01.csv', head: bytes, isWhole: true };
    const reading = recogniseText(head);
    if ('code' in reading) continue;
    const merger = new Merger();
    const list = textList(reading, merger.file(reading));
    list.write(bytes);
    const { rows } = list.end();
    const { report } = merger.finish();
    expect(report.rows, JSON.stringify(text)).toBe(rows);
  }
});

/** Papaparse tells an empty line from `""` no more than we need to. */
const hasText = (row: readonly string[]): boolean => row.length > 1 || row[0] !== '';

/** A small table with a few random changes. Line ends are LF, because papaparse takes only one kind per file. */
function mutated(random: (below: number) => number): string {
  const values = ['shoes', 'red, blue', 'say "hi"', '', 'two\nlines', '12', '漢字', ' x ', 'a;b', '"'];
  const quote = (value: string) =>
    /[",\n]/u.test(value) || random(4) === 0 ? `"${value.replaceAll('"', '""')}"` : value;
  const row = () => Array.from({ length: 3 }, () => quote(values[random(values.length)]!)).join(',');
  let text = Array.from({ length: 2 + random(6) }, row).join('\n');
  const inserts = ['"', '""', ',', '\n', 'x', ' ', '"a,b"', ',"c\nd",', 'é'];
  for (let change = random(4); change > 0; change--) {
    const at = random(text.length);
    const cut = random(3) === 0 ? 1 + random(4) : 0;
    text = text.slice(0, at) + (cut ? '' : inserts[random(inserts.length)]!) + text.slice(at + cut);
  }
  return text;
}

/** The rules of `RecordCutter` for short texts with LF, written down a second time. */
function oneByOne(text: string): string[][] {
  const records: string[][] = [];
  /** Quotes at the start of fields that are text. */
  const kept = new Set<number>();
  let width = 0;
  let at = 0;
  while (at < text.length) {
    const record: string[] = [];
    const begin = at;
    let isOpen = false;
    let broken: number | undefined;
    for (;;) {
      const start = at;
      const quoted = /^"((?:[^"]|"")*)"(?=,|\n|$)(?!")/u.exec(kept.has(at) ? '' : text.slice(at));
      isOpen = !quoted && !kept.has(at) && /^"(?:[^"]|"")*$/u.test(text.slice(at));
      if (isOpen) {
        at = text.indexOf('\n', at);
        break;
      }
      let enclosed = quoted?.[0] ?? '';
      if (quoted) {
        record.push(quoted[1]!.replaceAll('""', '"'));
      } else {
        // A quote that closes too early: what it seemed to enclose is text, line ends included, unless it opens another field.
        const early = /^"((?:[^"]|"")*)"/u.exec(kept.has(at) ? '' : text.slice(at));
        const opensAnother = /[,\n]"$/u.test(early?.[0] ?? '');
        if (opensAnother) kept.add(at);
        const plain = early && !opensAnother ? `"${early[1]!.replaceAll('""', '"')}"` : '';
        enclosed = plain === '' ? '' : early![0];
        record.push(plain + /^[^,\n]*/u.exec(text.slice(at + enclosed.length))![0]);
      }
      at += enclosed.length;
      if (enclosed.includes('\n')) broken ??= start;
      if (!quoted) at += /^[^,\n]*/u.exec(text.slice(at))![0].length;
      if (text[at] !== ',') break;
      at++;
    }
    if (!isOpen && broken !== undefined && record.length <= width && areRows(text.slice(begin, at), width)) {
      kept.add(broken);
      at = begin;
      continue;
    }
    const isEmpty = text.slice(begin, at < 0 ? undefined : at) === '';
    if (!isOpen && !isEmpty) {
      records.push(record);
      if (broken === undefined) width = record.length;
    }
    if (at < 0) break;
    at++;
  }
  return records;
}

/** Whether the lines of a quoted text are rows of a table of so many columns: there are many, or one column has numbers. */
function areRows(text: string, width: number): boolean {
  const rows = text.split('\n').map((line) => line.split(','));
  const numbers = rows[0]!.filter((_, column) => rows.every((row) => /^\s*"?[\d.,]+"?\s*$/u.test(row[column] ?? '')));
  const hasWidth = width >= 2 && rows.every(({ length }) => length === width);
  return hasWidth && (numbers.length > 0 || (width >= 3 && rows.length >= 3));
}
