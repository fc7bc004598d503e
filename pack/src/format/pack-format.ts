import type { TreeCounts } from '../tree/tree.ts';
import type { TrendKind } from '../upload/trend-columns.ts';
import type { NumberRollUp, WithheldField } from '../upload/upload-tables.ts';

/** Incremented by any change to the columns, their meaning or their order. Older packs are built again. */
export const packFormatVersion = 10;

/** The number of bytes that each block hash covers. */
export const blockBytes = 1024 * 1024;

/** "No row" and "no branch" in columns of rows and branches. */
export const noRow = 0xffffffff;

/** The number of rows in the precomputed slice of the root. */
export const rootSliceRows = 4000;

/** The deepest level that `depth` can represent. */
export const maxDepth = 0xffff;

/**
 * The columns with one value per row. Their meaning, units and unknown values are documented only in
 * docs/pack-format.md. An optional column is omitted if none of its values are known.
 */
export const rowColumns = [
  { name: 'parent', kind: 'uint32' },
  { name: 'depth', kind: 'uint16' },
  { name: 'type', kind: 'type' },
  { name: 'name', kind: 'text' },
  { name: 'folded', kind: 'list' },
  { name: 'address', kind: 'uint64' },
  { name: 'is_keyword', kind: 'uint8' },
  { name: 'previous', kind: 'uint32', optional: true },
  { name: 'own_volume', kind: 'float64', optional: true },
  { name: 'own_difficulty', kind: 'float32', optional: true },
  { name: 'own_cpc', kind: 'float32', optional: true },
  { name: 'own_competition', kind: 'float32', optional: true },
  { name: 'own_position', kind: 'float32', optional: true },
  { name: 'own_intent', kind: 'uint8', optional: true },
  { name: 'node_start', kind: 'uint32' },
  { name: 'node_end', kind: 'uint32' },
  { name: 'keyword_start', kind: 'uint32', optional: true },
  { name: 'keyword_end', kind: 'uint32', optional: true },
  { name: 'branch', kind: 'list' },
] as const;

/** The columns with one value per branch: the elements of the list `branch`, one structure per row with children. */
export const branchColumns = [
  { name: 'first_child', kind: 'uint32' },
  { name: 'child_count', kind: 'uint32' },
  { name: 'leaves', kind: 'uint32' },
  { name: 'nodes', kind: 'uint32' },
  { name: 'keywords', kind: 'uint32' },
  { name: 'repeats', kind: 'uint32' },
  { name: 'volume', kind: 'float64' },
  { name: 'volume_known', kind: 'uint32' },
  { name: 'difficulty', kind: 'float32' },
  { name: 'difficulty_weighted', kind: 'float32' },
  { name: 'difficulty_known', kind: 'uint32' },
  { name: 'cpc', kind: 'float32' },
  { name: 'cpc_weighted', kind: 'float32' },
  { name: 'cpc_known', kind: 'uint32' },
  { name: 'competition', kind: 'float32' },
  { name: 'competition_known', kind: 'uint32' },
  { name: 'position', kind: 'float32' },
  { name: 'position_known', kind: 'uint32' },
  { name: 'position_weighed', kind: 'uint32' },
  { name: 'informational', kind: 'uint32' },
  { name: 'navigational', kind: 'uint32' },
  { name: 'commercial', kind: 'uint32' },
  { name: 'transactional', kind: 'uint32' },
  { name: 'intent_known', kind: 'uint32' },
  { name: 'top_keyword', kind: 'uint32' },
  { name: 'child_keywords', kind: 'uint32' },
  { name: 'child_volume', kind: 'float64' },
] as const;

type RowColumn = (typeof rowColumns)[number];
export type BranchColumn = (typeof branchColumns)[number]['name'];
export type OptionalColumn = Extract<RowColumn, { readonly optional: true }>['name'];
/** Columns of a {@link PackField}: `field` for rows, the others for branches. The suffix is the name of the field. */
export type FieldColumn =
  | `field:${string}`
  | `sum:${string}`
  | `mean:${string}`
  | `weighed:${string}`
  | `top:${string}`
  | `top_count:${string}`
  | `known:${string}`;
/**
 * Columns of a pack whose file has trends. `own_trend` of rows and `trend` of branches are lists of twelve numbers or none, with the elements
 * `own_month` and `month`. `trend_known` is the number of a branch's keywords that have a trend.
 */
export type TrendColumn = 'own_trend' | 'own_month' | 'trend' | 'month' | 'trend_known';
export const optionalColumns = rowColumns.flatMap((column) => ('optional' in column ? [column.name] : []));

/** Columns of a pack with merged entries: a list per row, and the byte ranges in it. */
export type MergedColumn = 'merged' | 'merged_range';

/** Columns of a pack that says which nodes are similar: a list per row, and the rows in it. */
type SimilarColumn = 'similar' | 'similar_row';

/** Every column of texts. `fold` has one text for each row whose name differs from its fold. */
export type TextColumn = 'name' | 'fold';
/** `uint64` columns are read as pairs of 32-bit numbers, low half first; lists as the start of each row's part. */
export type NumberColumn =
  | Exclude<RowColumn['name'], 'name'>
  | BranchColumn
  | FieldColumn
  | TrendColumn
  | MergedColumn
  | SimilarColumn;

/** The array type for a column of each kind, and its `perRow` numbers per row. */
export const numberKinds = {
  uint8: { array: Uint8Array, perRow: 1 },
  uint16: { array: Uint16Array, perRow: 1 },
  type: { array: Uint16Array, perRow: 1 },
  category: { array: Uint8Array, perRow: 1 },
  uint32: { array: Uint32Array, perRow: 1 },
  list: { array: Uint32Array, perRow: 1 },
  uint64: { array: Uint32Array, perRow: 2 },
  float32: { array: Float32Array, perRow: 1 },
  float64: { array: Float64Array, perRow: 1 },
} as const;

type KindOf<C extends NumberColumn> = C extends `field:${string}`
  ? 'float64' | 'category' | 'uint64'
  : C extends `sum:${string}` | `mean:${string}`
    ? 'float64'
    : C extends `top:${string}`
      ? 'uint8'
      : C extends FieldColumn | MergedColumn | SimilarColumn | 'own_trend' | 'trend' | 'trend_known'
        ? 'uint32'
        : C extends 'own_month'
          ? 'float32'
          : C extends 'month'
            ? 'float64'
            : Extract<RowColumn | (typeof branchColumns)[number], { readonly name: C }>['kind'];
export type NumberArray<C extends NumberColumn> = InstanceType<
  (typeof numberKinds)[KindOf<C> & keyof typeof numberKinds]['array']
>;

/** One field of the record batch. `over`: what its values belong to. */
export type Part = {
  readonly name: NumberColumn | TextColumn | 'structure';
  readonly kind: keyof typeof numberKinds | 'text' | 'structure';
  readonly over: 'rows' | 'folds' | 'branches' | 'merged' | 'similar' | 'months of rows' | 'months of branches';
};

/** A member of the file beyond the metrics with standard columns. Names come from the file and are unique. */
export type PackField =
  | {
      readonly name: string;
      readonly kind: 'number';
      /** Which figure describes a branch: the sum over its keywords, or their mean. */
      readonly rollUp: NumberRollUp;
      /** The smallest known value of nodes and keywords. A field that can be negative cannot be used as a size. */
      readonly least: number;
      /** Impressions, which weight positions and rates; or a field weighted by them, which has additional columns. */
      readonly role?: 'weight' | 'weighed';
    }
  | {
      readonly name: string;
      readonly kind: 'category';
      /** The values by number; the first one is empty and means unknown. */
      readonly values: readonly string[];
      /** The number of distinct keywords of the whole tree by value; 0 for the first one. */
      readonly counts: readonly number[];
    }
  | {
      readonly name: string;
      /** Several values at once: bit `n` of a row's 64 bits represents value `n + 1`. */
      readonly kind: 'set';
      /** The first one is empty, as for a category, and has no bit. */
      readonly values: readonly string[];
      readonly counts: readonly number[];
    };

/** The columns of a pack beyond those that every pack has. */
export type PackShape = Pick<PackMetadata, 'optional' | 'fields' | 'trend' | 'similar'> & { readonly merged?: number };

type Column = { readonly name: NumberColumn | 'name'; readonly kind: keyof typeof numberKinds | 'text' };

/** The columns of rows in order; fields come before `branch`. */
export function rowColumnsOf({ optional, fields, trend, merged = 0, similar }: PackShape): Column[] {
  const fixed = rowColumns.filter((column) => !('optional' in column) || optional.includes(column.name));
  const own = fields.map(({ name, kind }): Column => ({ name: `field:${name}`, kind: kindOfField[kind] }));
  if (merged > 0) own.push({ name: 'merged', kind: 'list' });
  if (similar) own.push({ name: 'similar', kind: 'list' });
  if (trend) own.push({ name: 'own_trend', kind: 'list' });
  return [...fixed.slice(0, -1), ...own, fixed.at(-1)!];
}

const kindOfField = { number: 'float64', category: 'category', set: 'uint64' } as const;

export function branchColumnsOf({
  fields,
  trend,
}: Pick<PackShape, 'fields' | 'trend'>): (Column & { readonly kind: Part['kind'] })[] {
  return [
    ...branchColumns,
    ...fields.flatMap((field): Column[] => [...totalsOf(field), { name: `known:${field.name}`, kind: 'uint32' }]),
    ...(trend
      ? ([
          { name: 'trend', kind: 'list' },
          { name: 'trend_known', kind: 'uint32' },
        ] as const)
      : []),
  ];
}

function totalsOf(field: PackField): Column[] {
  const { name } = field;
  if (field.kind !== 'number') {
    return [
      { name: `top:${name}`, kind: 'uint8' },
      { name: `top_count:${name}`, kind: 'uint32' },
    ];
  }
  const sum: Column = { name: `sum:${name}`, kind: 'float64' };
  if (field.role !== 'weighed') return [sum];
  return [sum, { name: `mean:${name}`, kind: 'float64' }, { name: `weighed:${name}`, kind: 'uint32' }];
}

/** The fields of the record batch in the order of Arrow: a list before its elements. */
export function partsOf(shape: PackShape): Part[] {
  return rowColumnsOf(shape).flatMap(({ name, kind }): Part[] => {
    const part: Part = { name, kind, over: 'rows' };
    if (name === 'folded') return [part, { name: 'fold', kind: 'text', over: 'folds' }];
    if (name === 'merged') return [part, { name: 'merged_range', kind: 'uint32', over: 'merged' }];
    if (name === 'similar') return [part, { name: 'similar_row', kind: 'uint32', over: 'similar' }];
    if (name === 'own_trend') return [part, { name: 'own_month', kind: 'float32', over: 'months of rows' }];
    if (name !== 'branch') return [part];
    const below = branchColumnsOf(shape).flatMap((column): Part[] => {
      const ofBranches: Part = { ...column, over: 'branches' };
      if (column.name !== 'trend') return [ofBranches];
      return [ofBranches, { name: 'month', kind: 'float64', over: 'months of branches' }];
    });
    return [part, { name: 'structure', kind: 'structure', over: 'branches' }, ...below];
  });
}

/** The metadata of a pack. */
export type PackMetadata = TreeCounts & {
  readonly version: number;
  /** The SHA-256 of the original, 64 hex digits. */
  readonly sourceSha256: string;
  /** The size of the original in bytes. */
  readonly sourceBytes: number;
  /** The number of nodes with children. */
  readonly branches: number;
  readonly types: readonly string[];
  readonly rootName: string;
  /** The optional columns that are present. */
  readonly optional: readonly OptionalColumn[];
  /** Other fields of nodes and keywords, most known values first. */
  readonly fields: readonly PackField[];
  /** Members of the file that have no column. */
  readonly withheld: readonly WithheldField[];
  /**
   * For a file with trends: the last month, such as `2026-04`, if the file names months, and the unit of the numbers.
   */
  readonly trend?: { readonly newest?: string; readonly unit: TrendKind['unit'] };
  /** How many similar nodes all lists together have; absent if the file says nothing about them. */
  readonly similar?: number;
  /** The precomputed slice of the root before the seal, in wire format: its size, and its XXH32 (seed 0). */
  readonly rootSlice: { readonly bytes: number; readonly hash: number };
};

/** A pack that differs from what its writer wrote. Always a fault, never a user error. */
export class PackDamaged extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`The pack is damaged: ${what}`, options);
    this.name = 'PackDamaged';
  }
}
