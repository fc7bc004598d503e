import { TextReader } from './csv.ts';
import { headerOf, knownNames } from './headers.ts';
import { type Delimiter, delimiters, type Encoding, type Rows } from './reading.ts';
import { shareOf } from './values.ts';

const sampledRecords = 200;
const leastShare = 0.6;
const leastShareOfFigures = 0.4;

/** The delimiter of a text file by its first bytes; undefined if each line is one keyword. */
export function delimiterOf(head: Uint8Array, encoding: Encoding, isWhole: boolean): Delimiter | undefined {
  const stated = statedDelimiter(firstRecords(head, { encoding, delimiter: undefined }, isWhole, 1));
  if (stated) return stated;
  let best: { delimiter: Delimiter; score: number } | undefined;
  for (const delimiter of delimiters) {
    const { cells } = firstRecords(head, { encoding, delimiter }, isWhole, sampledRecords);
    const score = scoreOf(cells);
    if (score > (best?.score ?? 0)) best = { delimiter, score };
  }
  return best?.delimiter;
}

/** The delimiter of "sep=;", a line that Excel understands. */
export function statedDelimiter({ cells }: Rows): Delimiter | undefined {
  const stated = /^sep=(.)$/iu.exec(cells[0]?.[0]?.trimStart() ?? '')?.[1];
  return delimiters.find((delimiter) => delimiter === stated);
}

/** How well a delimiter explains the records: how many agree on how many fields, and whether they have known names. */
function scoreOf(cells: Rows['cells']): number {
  const header = headerOf(cells);
  const hasNames = header !== undefined && knownNames(cells[header]!) >= 2;
  // The lines above a header have another form.
  const records = hasNames ? cells.slice(header) : cells;
  const counts = new Map<number, number>();
  for (const record of records) counts.set(record.length, (counts.get(record.length) ?? 0) + 1);
  const [fields, alike] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), [0, 0]);
  const share = alike / records.length;
  if (fields < 2 || share < (endsInFigures(records, fields) ? leastShareOfFigures : leastShare)) return 0;
  return share * Math.log2(fields) + (hasNames ? 1 : 0);
}

/** Whether most records of a width end in a number: headings may stand between them. */
function endsInFigures(records: Rows['cells'], width: number): boolean {
  const last = records.filter(({ length }) => length === width).map((record) => record.at(-1)!);
  return shareOf(last, (cell) => /^[+-]?[\d.,]+ ?%?$/u.test(cell.trim())) > 0.5;
}

/** The first records of a file. A record that may go on after `head` is left out. */
export function firstRecords(
  head: Uint8Array,
  syntax: { encoding: Encoding; delimiter: Delimiter | undefined },
  isWhole: boolean,
  limit = Number.POSITIVE_INFINITY,
): Rows {
  const line: number[] = [];
  const cells: (readonly string[])[] = [];
  const reader = new TextReader(
    { ...syntax, blockBytes: 1 << 12 },
    {
      rows(rows) {
        line.push(...rows.line);
        cells.push(...rows.cells);
      },
      problem: () => undefined,
    },
  );
  const step = 1 << 14;
  let at = 0;
  for (; at < head.length && cells.length < limit; at += step) reader.write(head.subarray(at, at + step));
  // What the end of a cut file completes would be a guess.
  if (isWhole && at >= head.length) reader.end();
  else reader.passOn();
  return { line: line.slice(0, limit), cells: cells.slice(0, limit) };
}
