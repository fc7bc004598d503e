import type { TreeCounts } from './tree.ts';

/** Anything that changes the columns, their meaning or their order changes it; older packs are built again. */
export const packFormatVersion = 1;

/** Bytes that one entry of the block hashes covers. */
export const blockBytes = 1024 * 1024;

/** "No row" in columns of rows. */
export const noRow = 0xffffffff;

/**
 * The columns of a pack in their order. Their meaning, units and unknown values are in docs/pack-format.md, and only
 * there.
 */
export const packColumns = [
  { name: 'parent', kind: 'uint32' },
  { name: 'first_child', kind: 'uint32' },
  { name: 'child_count', kind: 'uint32' },
  { name: 'depth', kind: 'uint32' },
  { name: 'type', kind: 'type' },
  { name: 'name', kind: 'text' },
  { name: 'folded', kind: 'text' },
  { name: 'address', kind: 'uint64' },
  { name: 'leaves', kind: 'uint32' },
  { name: 'nodes', kind: 'uint32' },
  { name: 'is_keyword', kind: 'uint8' },
  { name: 'own_volume', kind: 'float64' },
  { name: 'own_difficulty', kind: 'float32' },
  { name: 'own_cpc', kind: 'float32' },
  { name: 'own_competition', kind: 'float32' },
  { name: 'own_position', kind: 'float32' },
  { name: 'own_intent', kind: 'uint8' },
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
  { name: 'informational', kind: 'uint32' },
  { name: 'navigational', kind: 'uint32' },
  { name: 'commercial', kind: 'uint32' },
  { name: 'transactional', kind: 'uint32' },
  { name: 'intent_known', kind: 'uint32' },
  { name: 'top_keyword', kind: 'uint32' },
  { name: 'child_keywords', kind: 'float64' },
  { name: 'child_volume', kind: 'float64' },
  { name: 'node_start', kind: 'uint64' },
  { name: 'node_end', kind: 'uint64' },
  { name: 'keyword_start', kind: 'uint64' },
  { name: 'keyword_end', kind: 'uint64' },
] as const;

export type PackColumn = (typeof packColumns)[number]['name'];
export type ColumnKind = (typeof packColumns)[number]['kind'];
type ColumnsOfKind<K extends ColumnKind> = Extract<(typeof packColumns)[number], { readonly kind: K }>['name'];

export type TextColumn = ColumnsOfKind<'text'>;
/** `uint64` columns are read as pairs of 32 bits, low half first. */
export type NumberColumn = Exclude<PackColumn, TextColumn>;

/** The array that holds a column of each kind of number, `perRow` numbers a row. */
export const numberKinds = {
  uint8: { array: Uint8Array, perRow: 1 },
  type: { array: Uint16Array, perRow: 1 },
  uint32: { array: Uint32Array, perRow: 1 },
  uint64: { array: Uint32Array, perRow: 2 },
  float32: { array: Float32Array, perRow: 1 },
  float64: { array: Float64Array, perRow: 1 },
} as const;

export type NumberArray<C extends NumberColumn> = InstanceType<
  (typeof numberKinds)[Extract<(typeof packColumns)[number], { readonly name: C }>['kind'] &
    keyof typeof numberKinds]['array']
>;

/** What a pack says about itself beyond its columns. */
export type PackMetadata = TreeCounts & {
  readonly version: number;
  /** SHA-256 of the original file, 64 hex digits. */
  readonly sourceSha256: string;
  /** Bytes of the original file. */
  readonly sourceBytes: number;
  readonly types: readonly string[];
  readonly rootName: string;
};

/** A pack that is not what its writer wrote. A fault, never a person's doing. */
export class PackDamaged extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`The pack is damaged: ${what}`, options);
    this.name = 'PackDamaged';
  }
}
