import { addressesOf, unlistedAddresses } from '@kc/pack/detail/row-addresses';
import { pathPadding, type WalkedRows } from '@kc/pack/detail/walk-branch';
import { figureName, isRate } from '@kc/pack/filter-words/figure-name';
import type { ByteSource } from '@kc/pack/format/byte-source';
import { figures, figuresFor, intents } from '@kc/pack/format/figures';
import type { Pause } from '@kc/pack/format/in-pieces';
import { namesAt } from '@kc/pack/format/names-at';
import type { PackMetadata } from '@kc/pack/format/pack-format';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { membersOf, type SliceField } from '@kc/pack/slice/slice';
import type { View } from '@kc/pack/sums/filtered-pack';
import { searchesOf } from '@kc/pack/sums/kept-trends';
import { rollUpsOf } from '@kc/pack/sums/roll-ups';
import { trendMonths } from '@kc/pack/upload/trend-text';
import { type CsvLevels, kindsOf } from './csv-levels.ts';
import type { CellValue } from './xlsx/cell-xml.ts';

/** What a table is made of. */
export type CsvSource = {
  readonly pack: PackReader;
  /** The source of the figures: the pack, or the pack under a filter. */
  readonly figures: View;
  readonly levels: CsvLevels;
  /** The uploaded file. Read only for addresses that have no column in the pack. */
  readonly original: ByteSource;
  readonly pause: Pause;
};

/** A field has the name that the file gives it, but a click rate is called CTR. */
const titleOf = (name: string): string => (isRate(`field:${name}`) ? figureName(`field:${name}`) : name);

/** The header line. All titles are different. */
export function headerOf({ pack, levels }: Pick<CsvSource, 'pack' | 'levels'>): string[] {
  const usedTitles = new Set<string>();
  const unusedTitle = (name: string): string => {
    let title = name;
    for (let nth = 2; usedTitles.has(title.toLowerCase()); nth++) title = `${name} (${nth})`;
    usedTitles.add(title.toLowerCase());
    return title;
  };
  // The titles that every table has come first, so that no name in the file changes them.
  const ids = levels.isCut ? ['Id', 'Parent id'] : [];
  const [kind, keyword, ...own] = ['Kind', 'Keyword', ...ids, 'Name', 'Type', 'Depth', ...figureTitles].map(
    unusedTitle,
  );
  const months = trendTitles(pack.metadata).map(unusedTitle);
  return [
    kind!,
    ...levels.titles.map(unusedTitle),
    keyword!,
    ...own,
    ...pack.metadata.fields.flatMap(({ name }) => [unusedTitle(titleOf(name)), unusedTitle(`${titleOf(name)} known`)]),
    ...months,
    ...unlistedAddresses(pack).map(unusedTitle),
  ];
}

/** The lines of some rows, with cells in the order of {@link headerOf}. A branch has the figures of its keywords. */
export async function linesOf(source: CsvSource, { rows, paths }: WalkedRows): Promise<CellValue[][]> {
  const { pack, figures, levels, pause } = source;
  const width = levels.titles.length;
  // Reading is fast in ascending order; each line then picks its own values.
  const sorted = rows.toSorted();
  const places = new Map(Array.from(sorted, (row, place) => [row, place]));
  const place = Uint32Array.from(rows, (row) => places.get(row)!);
  const named = Uint32Array.from(new Set([...sorted, ...paths])).sort();
  const texts = await namesAt(pack, named);
  const nameOf = new Map(texts.map((text, index) => [named[index]!, text]));
  const kinds = await kindsOf(pack, sorted);
  const types = await pack.gather('type', sorted);
  const depths = await pack.gather('depth', sorted);
  const parents = await pack.gather('parent', sorted);
  const isKeyword = (index: number): boolean => kinds[place[index]!] === 'Keyword';
  /** The root, and a keyword that no node names, have none. */
  const parentAt = (index: number): CellValue => {
    const row = rows[index]!;
    return row === 0 || row >= pack.metadata.nodes ? undefined : parents[place[index]!]!;
  };
  const columns: Column[] = [
    (index) => kinds[place[index]!],
    ...Array.from({ length: width }, (_, level): Column => {
      return (index) => {
        const row = paths[index * width + level]!;
        // A keyword has its own column, whatever its level.
        return row === pathPadding || (row === rows[index] && isKeyword(index)) ? undefined : nameOf.get(row);
      };
    }),
    (index) => (isKeyword(index) ? nameOf.get(rows[index]!) : undefined),
    ...(levels.isCut ? [(index: number) => rows[index]!, parentAt] : []),
    (index) => nameOf.get(rows[index]!),
    (index) => pack.metadata.types[types[place[index]!]!] || undefined,
    (index) => (rows[index]! < pack.metadata.nodes ? depths[place[index]!]! : undefined),
    ...(await figureColumns(figures, sorted, pause)).map(
      (column): Column =>
        (index) =>
          column(place[index]!),
    ),
    ...(await addressColumns(source, rows, isKeyword)),
  ];
  return Array.from(rows, (_, index) => columns.map((column) => column(index)));
}

/** The addresses of keywords that have no column in the pack. Groups have none. */
async function addressColumns(
  { pack, original, pause }: CsvSource,
  rows: Uint32Array,
  isKeyword: (index: number) => boolean,
): Promise<Column[]> {
  const names = unlistedAddresses(pack);
  if (names.length === 0) return [];
  const keywords = rows.filter((_, index) => isKeyword(index)).sort();
  const found = await addressesOf(pack, keywords, names, original, pause);
  const byRow = new Map(found.map((addresses, at) => [keywords[at]!, addresses]));
  return names.map((_, nth) => (index) => byRow.get(rows[index]!)?.[nth]);
}

/** One column of a table: its cell for each row of a block. */
export type Column = (index: number) => CellValue;

const metrics = figuresFor('filter');

/** The titles of the figures that every table has. */
const figureTitles: readonly string[] = [
  'Keywords',
  ...metrics.flatMap((figure) => [figures[figure].name, `${figures[figure].name} known`]),
  ...intents.map((intent) => `${intent[0]!.toUpperCase()}${intent.slice(1)}`),
  'Intent known',
];

/** The titles of the months, the oldest first: "Searches 2026-04", or "Searches month 1" if the file does not name them. */
export function trendTitles({ trend }: PackMetadata): string[] {
  if (!trend) return [];
  return Array.from({ length: trendMonths }, (_, month) => {
    if (trend.newest === undefined) return `Searches month ${month + 1}`;
    const [year, newest] = trend.newest.split('-').map(Number) as [number, number];
    return `Searches ${new Date(Date.UTC(year, newest - trendMonths + month)).toISOString().slice(0, 7)}`;
  });
}

/**
 * The columns of {@link figureTitles}, of the fields and of {@link trendTitles}, for ascending rows.
 *
 * @param source the pack, or the pack under a filter
 */
async function figureColumns(source: View, rows: Uint32Array, pause: Pause): Promise<Column[]> {
  const { fields } = source.metadata;
  const rolled = await rollUpsOf(source, rows);
  const children = await rolled.column('child_count');
  const keywords = await rolled.column('keywords');
  const columns: Column[] = [(at) => keywords[at]!];
  for (const name of metrics) {
    const values = await rolled.column(name);
    const known = await rolled.column(`${name}_known`);
    columns.push(
      (at) => knownNumber(values, at, children[at]! > 0),
      (at) => known[at]!,
    );
  }
  const intentKnown = await rolled.column('intent_known');
  for (const name of intents) {
    const values = await rolled.column(name);
    columns.push((at) => (intentKnown[at] === 0 ? undefined : values[at]!));
  }
  columns.push((at) => intentKnown[at]!);
  for (const field of fields) columns.push(...fieldColumns(await rolled.field(field), children));
  const searches = await searchesOf(source, rows, pause);
  for (let month = 0; searches && month < trendMonths; month++) {
    columns.push((at) => monthCell(searches[trendMonths * at + month]!));
  }
  return columns;
}

function fieldColumns(field: SliceField, children: Uint32Array): [Column, Column] {
  const known: Column = (at) => field.known[at]!;
  if (field.kind === 'number') return [(at) => knownNumber(field.value, at, children[at]! > 0), known];
  return [(at) => textOf(field, at), known];
}

/** The texts of a row in a field of the file; undefined for none. */
export const textOf = (field: Exclude<SliceField, { kind: 'number' }>, at: number): string | undefined =>
  (field.kind === 'set' ? membersOf(field, at).join(', ') : field.values[field.value[at]!]) || undefined;

/** 32-bit floats have seven significant digits, their means six. Further digits are noise. */
function knownNumber(values: Float32Array | Float64Array, at: number, isMean: boolean): number | undefined {
  const value = values[at]!;
  if (Number.isNaN(value)) return undefined;
  return values instanceof Float32Array ? Number(value.toPrecision(isMean ? 6 : 7)) : value;
}

/** Sums of whole searches are exact. Months computed from shares have seven significant digits. */
function monthCell(searches: number): number | undefined {
  if (Number.isNaN(searches)) return undefined;
  return Number.isInteger(searches) ? searches : Number(searches.toPrecision(7));
}
