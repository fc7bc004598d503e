import { ByteMap } from '../json/byte-map.ts';
import { intentOfCode, intentsOfCodes, intentsOfText } from './intent-texts.ts';
import { rankShift } from './upload-members.ts';
import { INTENTS, type UploadRows } from './upload-rows.ts';

const MAX_TEXT_BYTES = 128;
const REMEMBERED_TEXTS = 256;
const BITS = 15;
/** The position, in a cached entry, of the intent bits for a text read as codes. */
const CODES_SHIFT = 4;

/**
 * Only the codes of Semrush's `Intent` are known. Numbers of other tools, as numbers or texts, have unknown meaning.
 */
const hasCodes = (code: number): boolean => code >>> rankShift === 0;

/** Turns the texts and codes of an upload into search intent bits; 0 if no intent is given. */
export class UploadIntents {
  readonly #plain: UploadRows | undefined;
  readonly #texts = new ByteMap((text) => this.#learn(text), REMEMBERED_TEXTS);

  /** @param plain receives texts whose meaning does not depend on the member */
  constructor(plain: UploadRows | undefined) {
    this.#plain = plain;
  }

  /** @param code the code of the member that contains the text */
  ofText(code: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MAX_TEXT_BYTES) return 0;
    const known = this.#texts.get(bytes, start, end);
    return hasCodes(code) ? (known | (known >>> CODES_SHIFT)) & BITS : known & BITS;
  }

  /** @param code the code of the member that contains the number */
  ofNumber(code: number, value: number): number {
    return hasCodes(code) ? intentOfCode(value) : 0;
  }

  #learn(text: string): number {
    const bits = intentsOfText(text);
    const ofCodes = intentsOfCodes(text);
    if (ofCodes === 0) this.#plain?.remember(INTENTS, text, bits);
    return bits | (ofCodes << CODES_SHIFT);
  }
}
