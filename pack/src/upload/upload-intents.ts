import { ByteMap } from '../json/byte-map.ts';
import { intentOfCode, intentsOfCodes, intentsOfText } from './intent-texts.ts';
import { rankShift } from './upload-members.ts';
import { INTENTS, type UploadRows } from './upload-rows.ts';

const MAX_TEXT_BYTES = 128;
const REMEMBERED_TEXTS = 256;
const BITS = 15;
/** Of what is remembered of a text, the bits of its intents where it stands for codes. */
const CODES_SHIFT = 4;

/** Codes are known for Semrush's `Intent`; what other tools' numbers mean is not, as numbers or as text. */
const hasCodes = (code: number): boolean => code >>> rankShift === 0;

/** Search intents as the texts and codes of an upload say them, as bits; 0 where one says none. */
export class UploadIntents {
  readonly #plain: UploadRows | undefined;
  readonly #texts = new ByteMap((text) => this.#learn(text), REMEMBERED_TEXTS);

  /** @param plain is told what a text means that means the same in every member */
  constructor(plain: UploadRows | undefined) {
    this.#plain = plain;
  }

  /** @param code of the member that the text stands in */
  ofText(code: number, bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MAX_TEXT_BYTES) return 0;
    const known = this.#texts.get(bytes, start, end);
    return hasCodes(code) ? (known | (known >>> CODES_SHIFT)) & BITS : known & BITS;
  }

  /** @param code of the member that the number stands in */
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
