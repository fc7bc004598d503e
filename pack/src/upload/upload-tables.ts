import type { CanonicalField } from './fields.ts';

/**
 * An uploaded file as columns: what `upload-reader` hands to `tree-builder`.
 *
 * Two tables. `nodes` holds the hierarchy in document order: row 0 is the root and `parent[i] < i` for every other
 * row. `keywords` holds the entries of the `keywords` array in their order. Names are UTF-8, unescaped, back to back
 * in one blob; lone surrogates became U+FFFD.
 *
 * Source: spec §3 "Uploaded file", decisions §4.
 */
export type UploadTables = {
  readonly nodes: EntryColumns & {
    /** Row of the parent; `parent[0]` is 0. */
    readonly parent: Uint32Array;
    /** Index into `types`. */
    readonly type: Uint16Array;
  };
  readonly keywords: EntryColumns;
  /** Node types as the file spells them; `types[0]` is '' and stands for a node without one. */
  readonly types: readonly string[];
  /** Bytes read: the length of the file. */
  readonly bytes: number;
};

/**
 * The tables while rows still come: without metrics, and columns may be longer than there are rows. The end of a row in the
 * file is 0 as long as it is not there; before, its name may be missing, or change.
 */
export type GrowingTables = {
  readonly nodes: Omit<UploadTables['nodes'], 'metrics'>;
  readonly keywords: Omit<EntryColumns, 'metrics'>;
  readonly types: readonly string[];
};

/** What is known of the names of a table. */
export type NameColumns = Pick<EntryColumns, 'rows' | 'names' | 'nameStart' | 'nameLength'>;

export type EntryColumns = {
  readonly rows: number;
  readonly names: Uint8Array;
  /** First byte of the name in `names`. */
  readonly nameStart: Uint32Array;
  readonly nameLength: Uint32Array;
  /** Byte range in the file of the JSON object (or string), end exclusive. Files are shorter than 4 GiB. */
  readonly byteStart: Uint32Array;
  readonly byteEnd: Uint32Array;
  readonly metrics: MetricColumns;
};

/** Canonical keyword metrics (fields.ts); NaN is unknown, never 0. A column is absent where it knows nothing. */
export type MetricColumns = {
  /** Searches a month, ≥ 0. */
  readonly volume?: Float64Array;
  /** 0 to 100. */
  readonly difficulty?: Float32Array;
  /** Money a click, ≥ 0. */
  readonly cpc?: Float32Array;
  /** Ad competition, 0 to 1. */
  readonly competition?: Float32Array;
  /** Search result position, ≥ 1. */
  readonly position?: Float32Array;
  /** Bits: 1 informational, 2 navigational, 4 commercial, 8 transactional. 0 is unknown. */
  readonly intent?: Uint8Array;
};

/** A member of nodes or of keyword entries as a column of both tables; absent for a table that knows nothing of it. */
export type UploadField = NumberField | CategoryField | SetField;

export type NumberField = {
  readonly kind: 'number';
  /** As the file spells it first. */
  readonly name: string;
  readonly rollUp: 'sum' | 'mean';
  /** What tools call it, where they do. */
  readonly is?: CanonicalField;
  /** NaN is unknown. */
  readonly nodes: Float64Array | undefined;
  readonly keywords: Float64Array | undefined;
};

export type CategoryField = {
  readonly kind: 'category';
  readonly name: string;
  /** At most 255 beside the first one, which is empty and stands for an unknown value. */
  readonly values: readonly string[];
  readonly nodes: Uint8Array | undefined;
  readonly keywords: Uint8Array | undefined;
};

export type SetField = {
  readonly kind: 'set';
  readonly name: string;
  /** At most 64 beside the first one, which is empty. */
  readonly values: readonly string[];
  /** Two numbers a row, see `member-sets`; no bit where none is known. */
  readonly nodes: Uint32Array | undefined;
  readonly keywords: Uint32Array | undefined;
};

/**
 * A member of which there is no column, and why: more different values than a category or a set can have, values that are
 * too long for one, addresses and prose by their name, or more members than there are columns.
 */
export type WithheldField = { readonly name: string; readonly why: 'values' | 'members' | 'long' | 'prose' | 'more' };
