import type { TrendListener } from './trend-columns.ts';

/**
 * Who hears the members of entries that have no column of their own in `MetricColumns`: unknown ones, and known ones such
 * as traffic or clicks (`fieldOf` of fields.ts tells). One for the nodes and one for the keywords, see `createUploadReader`.
 *
 * Objects and null are not told: the first are reachable by the entry's byte range, the last is unknown. Of arrays the texts
 * are told one by one to `member`; those that stand where a trend may, to `trend`. Where a member stands twice in an entry
 * the last value counts, and every one of lists. Rows come in rising order, save that a node's may come after its children's.
 */
export interface ExtraFields {
  /**
   * The number of a member, 0 to 2^20, or −1 when its values are not wanted. Asked at the first sight of a name, as the
   * file spells it, and again from the 1,024th name on, so the same name must always have the same number.
   */
  field(name: string): number;
  /**
   * A number, NaN where it is too large for a double.
   *
   * @returns false for a figure that the file is refused for, see `figure-limit.ts`
   */
  number(field: number, row: number, value: number): boolean;
  /**
   * A text, UTF-8, possibly empty, cut after 64 KiB; true and false come as these words. To be copied before returning.
   *
   * @returns as `number`
   */
  text(field: number, row: number, bytes: Uint8Array, start: number, end: number): boolean;
  /**
   * A text in the array that a member is, as `text` has them.
   *
   * @returns the bits that this text always stands for in `bits`, −1 where it has none
   */
  member?(field: number, row: number, bytes: Uint8Array, start: number, end: number): number;
  /** Texts in the array that a member is, all of which `member` said bits for before. */
  bits?(field: number, row: number, bits: number): void;
  readonly trend?: TrendListener;
}

/** Whose extra fields are wanted. */
export type Extras = { readonly nodes?: ExtraFields; readonly keywords?: ExtraFields };
