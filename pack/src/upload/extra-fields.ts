import type { TrendListener } from './trend-columns.ts';

/**
 * Receives the members of entries that have no column in `MetricColumns`: unknown ones, and known ones such as traffic
 * or clicks (see `fieldOf` in fields.ts). There is one for nodes and one for keywords, see `createUploadReader`.
 *
 * Objects are not passed on, because they can be read from the byte range of the entry, and neither is null, which means unknown.
 * The texts of an array go to `member` one by one; arrays that may be trends go to `trend`. If an entry contains a
 * member twice, the last value counts, but lists are combined. Rows arrive in ascending order, except that the members
 * of a node may arrive after those of its children.
 */
export interface ExtraFields {
  /**
   * The number of a member, 0 to 2^20, or −1 if its values are not needed. Called for the first occurrence of a name,
   * in the spelling of the file. From the 1,024th name on it can be called again, so the same name must always give the
   * same number.
   */
  field(name: string): number;
  /**
   * Takes a number; NaN if it is too large for a double.
   *
   * @returns false if the figure causes the file to be refused, see `figure-limit.ts`
   */
  number(field: number, row: number, value: number): boolean;
  /**
   * Takes a text: UTF-8, possibly empty, cut after 64 KiB. true and false arrive as these words. The bytes must be
   * copied before returning.
   *
   * @returns same as `number`
   */
  text(field: number, row: number, bytes: Uint8Array, start: number, end: number): boolean;
  /**
   * Takes a text in the array of a member, in the same form as `text`.
   *
   * @returns the bits that always represent this text in `bits`, or −1 if it has none
   */
  member?(field: number, row: number, bytes: Uint8Array, start: number, end: number): number;
  /** Takes texts in the array of a member, all of which have bits from `member`. */
  bits?(field: number, row: number, bits: number): void;
  readonly trend?: TrendListener;
}

/** The receivers of extra fields. */
export type Extras = { readonly nodes?: ExtraFields; readonly keywords?: ExtraFields };
