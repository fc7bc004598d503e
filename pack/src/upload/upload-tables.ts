import type { CanonicalField } from './fields.ts';
import type { SimilarNodes } from './similar-nodes.ts';

/**
 * An uploaded file as columns, passed from `upload-reader` to `tree-builder`.
 *
 * There are two tables. `nodes` contains the hierarchy in document order: row 0 is the root, and `parent[i] < i` for
 * every other row. `keywords` contains the entries of the `keywords` array in order. Names are unescaped UTF-8, back to
 * back in one buffer; lone surrogates are U+FFFD.
 */
export type UploadTables = {
  readonly nodes: EntryColumns & {
    /** The row of the parent; `parent[0]` is 0. */
    readonly parent: Uint32Array;
    /** Index into `types`. */
    readonly type: Uint16Array;
  };
  readonly keywords: EntryColumns;
  /** Node types in the spelling of the file; `types[0]` is '' and means no type. */
  readonly types: readonly string[];
  /** The number of bytes read, which is the length of the file. */
  readonly bytes: number;
  /** Which nodes are similar; absent if the file does not say it. */
  readonly similar?: SimilarNodes;
};

/**
 * The tables while rows are still arriving. They have no metrics, and columns may be longer than the number of rows.
 * The end of a row in the file is 0 until it is complete; until then its name may be missing or change.
 */
export type GrowingTables = {
  readonly nodes: Omit<UploadTables['nodes'], 'metrics'>;
  readonly keywords: Omit<EntryColumns, 'metrics'>;
  readonly types: readonly string[];
};

/** The columns for the names of a table. */
export type NameColumns = Pick<EntryColumns, 'rows' | 'names' | 'nameStart' | 'nameLength'>;

export type EntryColumns = {
  readonly rows: number;
  readonly names: Uint8Array;
  /** The first byte of the name in `names`. */
  readonly nameStart: Uint32Array;
  readonly nameLength: Uint32Array;
  /** The byte range of the JSON object (or string) in the file; the end is exclusive. Files are shorter than 4 GiB. */
  readonly byteStart: Uint32Array;
  readonly byteEnd: Uint32Array;
  readonly metrics: MetricColumns;
};

/** Canonical keyword metrics (fields.ts). NaN is unknown, never 0. A column without known values is absent. */
export type MetricColumns = {
  /** Searches per month, ≥ 0. */
  readonly volume?: Float64Array;
  /** 0 to 100. */
  readonly difficulty?: Float32Array;
  /** Cost per click, ≥ 0. */
  readonly cpc?: Float32Array;
  /** Ad competition, 0 to 1. */
  readonly competition?: Float32Array;
  /** Search result position, ≥ 1. */
  readonly position?: Float32Array;
  /** Bits: 1 informational, 2 navigational, 4 commercial, 8 transactional. 0 is unknown. */
  readonly intent?: Uint8Array;
};

/** A member of nodes or keyword entries as a column of both tables; absent for a table without known values. */
export type UploadField = NumberField | CategoryField | SetField;

/**
 * How a branch gets its number: as the sum or the mean over its keywords, or as its `own` number from the file, which its keywords then
 * have, too; a branch without one has the mean over its keywords.
 */
export type NumberRollUp = 'sum' | 'mean' | 'own';

export type NumberField = {
  readonly kind: 'number';
  /** In the first spelling found in the file. */
  readonly name: string;
  readonly rollUp: NumberRollUp;
  /** The canonical field, if recognised. */
  readonly is?: CanonicalField;
  /** NaN is unknown. */
  readonly nodes: Float64Array | undefined;
  readonly keywords: Float64Array | undefined;
};

export type CategoryField = {
  readonly kind: 'category';
  readonly name: string;
  /** Present for addresses and their parts. */
  readonly is?: 'url';
  /** At most 255, plus the first value, which is empty and means unknown. */
  readonly values: readonly string[];
  readonly nodes: Uint8Array | undefined;
  readonly keywords: Uint8Array | undefined;
};

export type SetField = {
  readonly kind: 'set';
  readonly name: string;
  /** At most 64, plus the first value, which is empty. */
  readonly values: readonly string[];
  /** Two numbers per row, see `member-sets`; no bits if unknown. */
  readonly nodes: Uint32Array | undefined;
  readonly keywords: Uint32Array | undefined;
};

/**
 * A member without a column, and the reason: more different values than a category or a set can have, values that are
 * too long, a name that indicates addresses or prose, or more members than there are columns.
 */
export type WithheldField = { readonly name: string; readonly why: 'values' | 'members' | 'long' | 'prose' | 'more' };

export type MetricName = keyof MetricColumns;

const arrays = {
  volume: Float64Array,
  difficulty: Float32Array,
  cpc: Float32Array,
  competition: Float32Array,
  position: Float32Array,
  intent: Uint8Array,
} as const satisfies Record<MetricName, unknown>;

export type MetricArrays = { [Name in MetricName]: InstanceType<(typeof arrays)[Name]> };

/** In the order of their columns in a pack. */
export const metricNames = Object.keys(arrays) as MetricName[];

/** A column filled with zeros. */
export function emptyColumn<Name extends MetricName>(name: Name, rows: number): MetricArrays[Name] {
  return new arrays[name](rows) as MetricArrays[Name];
}

/** A column in which every row is unknown. */
export function emptyMetric<Name extends MetricName>(name: Name, rows: number): MetricArrays[Name] {
  const column = emptyColumn(name, rows);
  if (name !== 'intent') column.fill(Number.NaN);
  return column;
}
