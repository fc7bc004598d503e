import { ByteMap } from '../json/byte-map.ts';
import { TYPES, type UploadRows } from './upload-rows.ts';

/** The maximum number of different types in a file. */
export const maxTypes = 4096;
/** A longer type is refused. */
export const maxTypeBytes = 256;

/** The node types of an upload, numbered in order of appearance. */
export class UploadTypes {
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #byBytes: ByteMap;

  /** @param plain receives each type, if it can run */
  constructor(plain: UploadRows | undefined) {
    this.#byBytes = new ByteMap((type) => {
      const number = this.#numbers.get(type) ?? this.#numbers.size;
      this.#numbers.set(type, number);
      if (number <= maxTypes) plain?.remember(TYPES, type, number);
      return number;
    }, maxTypes);
  }

  /** The first name is empty. */
  get names(): string[] {
    return [...this.#numbers.keys()];
  }

  /** Returns more than {@link maxTypes} if there are too many types. */
  numberOf(bytes: Uint8Array, start: number, end: number): number {
    return this.#byBytes.get(bytes, start, end);
  }
}
