import { noWay, type WalkedRows } from '@kc/pack/detail/walk-branch';
import { namesAt } from '@kc/pack/format/names-at';
import type { BranchColumn, PackField } from '@kc/pack/format/pack-format';
import type { PackReader, RowSource } from '@kc/pack/format/pack-reader';
import { rollUpsOf } from '@kc/pack/slice/rolled-rows';
import { membersOf, type SliceField } from '@kc/pack/slice/slice';
import type { Cell } from './csv-text.ts';

/** The names on the path to a node have one column each, up to this many: a file may be 65,000 levels deep. */
const mostLevels = 16;

/** One column of the table: its cell for each row of a block. */
type Column = (index: number) => Cell;

const counts = { keywords: 'Keywords' } as const satisfies Partial<Record<BranchColumn, string>>;
const metrics = {
  volume: 'Volume',
  difficulty: 'Difficulty',
  cpc: 'CPC',
  competition: 'Competition',
  position: 'Position',
} as const;
const intents = {
  informational: 'Informational',
  navigational: 'Navigational',
  commercial: 'Commercial',
  transactional: 'Transactional',
} as const;

/** The number of levels that have their own column. */
export const levelsOf = ({ metadata }: PackReader): number => Math.min(mostLevels, metadata.depth);

/** Whether the names alone are not enough to locate every node. */
const hasIds = ({ metadata }: PackReader): boolean => metadata.depth > mostLevels;

/** The header line. All column names are different. */
export function headerOf(pack: PackReader): string[] {
  const own = [
    ...Array.from({ length: levelsOf(pack) }, (_, level) => `Level ${level + 1}`),
    ...(hasIds(pack) ? ['Id', 'Parent id'] : []),
    'Name',
    'Type',
    'Depth',
    ...Object.values(counts),
    ...Object.values(metrics).flatMap((name) => [name, `${name} known`]),
    ...Object.values(intents),
    'Intent known',
  ];
  const taken = new Set(own.map((name) => name.toLowerCase()));
  const free = (name: string): string => {
    let title = name;
    for (let nth = 2; taken.has(title.toLowerCase()); nth++) title = `${name} (${nth})`;
    taken.add(title.toLowerCase());
    return title;
  };
  return [...own, ...pack.metadata.fields.flatMap(({ name }) => [free(name), free(`${name} known`)])];
}

/**
 * The lines of some rows, with cells in the order of {@link headerOf}. A branch has the sums and means of its keywords.
 *
 * @param figures the pack, or the pack under a filter
 */
export async function linesOf(pack: PackReader, figures: RowSource, { rows, ways }: WalkedRows): Promise<Cell[][]> {
  const levels = levelsOf(pack);
  // Reading is fast in ascending order; each line then picks its own values.
  const sorted = rows.toSorted();
  const places = new Map(Array.from(sorted, (row, place) => [row, place]));
  const place = Uint32Array.from(rows, (row) => places.get(row)!);
  const named = Uint32Array.from(new Set([...sorted, ...ways])).sort();
  const texts = await namesAt(pack, named);
  const nameOf = new Map(texts.map((text, index) => [named[index]!, text]));
  const types = await pack.gather('type', sorted);
  const depths = await pack.gather('depth', sorted);
  const parents = await pack.gather('parent', sorted);
  /** The root, and a keyword that no node names, have none. */
  const parentAt = (index: number): Cell => {
    const row = rows[index]!;
    return row === 0 || row >= pack.metadata.nodes ? undefined : parents[place[index]!]!;
  };
  const columns: Column[] = [
    ...Array.from({ length: levels }, (_, level): Column => {
      return (index) => {
        const row = ways[index * levels + level]!;
        return row === noWay ? undefined : nameOf.get(row);
      };
    }),
    ...(hasIds(pack) ? [(index: number) => rows[index]!, parentAt] : []),
    (index) => nameOf.get(rows[index]!),
    (index) => pack.metadata.types[types[place[index]!]!] || undefined,
    (index) => (rows[index]! < pack.metadata.nodes ? depths[place[index]!]! : undefined),
    ...(await figureColumns(figures, sorted, pack.metadata.fields)).map(
      (column): Column =>
        (index) =>
          column(place[index]!),
    ),
  ];
  return Array.from(rows, (_, index) => columns.map((column) => column(index)));
}

/** The number columns for ascending rows. */
async function figureColumns(source: RowSource, rows: Uint32Array, fields: readonly PackField[]): Promise<Column[]> {
  const rolled = await rollUpsOf(source, rows);
  const children = await rolled.column('child_count');
  const columns: Column[] = [];
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
    const values = await rolled.column(name);
    columns.push((at) => values[at]!);
  }
  for (const name of Object.keys(metrics) as (keyof typeof metrics)[]) {
    const values = await rolled.column(name);
    const known = await rolled.column(`${name}_known`);
    columns.push(
      (at) => knownNumber(values, at, children[at]! > 0),
      (at) => known[at]!,
    );
  }
  const intentKnown = await rolled.column('intent_known');
  for (const name of Object.keys(intents) as (keyof typeof intents)[]) {
    const values = await rolled.column(name);
    columns.push((at) => (intentKnown[at] === 0 ? undefined : values[at]!));
  }
  columns.push((at) => intentKnown[at]!);
  for (const field of fields) columns.push(...fieldColumns(await rolled.field(field), children));
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
