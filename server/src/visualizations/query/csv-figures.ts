import type { FilteredPack } from '@kc/pack/filter/filtered-pack';
import { searchesOf } from '@kc/pack/filter/searches';
import { figures, figuresFor, intents } from '@kc/pack/format/figures';
import type { Pause } from '@kc/pack/format/in-pieces';
import type { PackMetadata } from '@kc/pack/format/pack-format';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { rollUpsOf } from '@kc/pack/slice/rolled-rows';
import { membersOf, type SliceField } from '@kc/pack/slice/slice';
import { trendMonths } from '@kc/pack/upload/trend-text';
import type { Cell } from './csv-text.ts';

/** One column of a table: its cell for each row of a block. */
export type Column = (index: number) => Cell;

const metrics = figuresFor('filter');

/** The titles of the figures that every table has. */
export const figureTitles: readonly string[] = [
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
export async function figureColumns(
  source: PackReader | FilteredPack,
  rows: Uint32Array,
  pause: Pause,
): Promise<Column[]> {
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
  if (field.kind === 'set') return [(at) => membersOf(field, at).join(', ') || undefined, known];
  return [(at) => field.values[field.value[at]!] || undefined, known];
}

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
