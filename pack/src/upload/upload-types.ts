import { ByteMap } from '../json/byte-map.ts';
import { TYPES, type UploadRows } from './upload-rows.ts';

/** Different types a file may have. */
export const maxTypes = 4096;
/** A longer one is refused. */
export const maxTypeBytes = 256;

/** The types of an upload by their numbers, in the order in which they come. */
export class UploadTypes {
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #byBytes: ByteMap;

  /** @param plain hears each one, where it can run */
  constructor(plain: UploadRows | undefined) {
    this.#byBytes = new ByteMap((type) => {
      const number = this.#numbers.get(type) ?? this.#numbers.size;
      this.#numbers.set(type, number);
      if (number <= maxTypes) plain?.remember(TYPES, type, number);
      return number;
    }, maxTypes);
  }

  /** The first one is empty. */
  get names(): string[] {
    return [...this.#numbers.keys()];
  }

  /** More than {@link maxTypes} for one too many. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    return this.#byBytes.get(bytes, start, end);
  }
}
