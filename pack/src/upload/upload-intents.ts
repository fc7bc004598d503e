import { ByteMap } from '../json/byte-map.ts';
import { intentOfCode, intentsOfText } from './metric-values.ts';
import { rankShift } from './upload-members.ts';
import { INTENTS, type UploadRows } from './upload-rows.ts';

const MAX_TEXT_BYTES = 128;
const REMEMBERED_TEXTS = 256;

/** Search intents as the texts and codes of an upload say them, as bits; 0 where one says none. */
export class UploadIntents {
  readonly #plain: UploadRows | undefined;
  readonly #texts = new ByteMap((text) => this.#learn(text), REMEMBERED_TEXTS);

  /** @param plain is told every text that is met, and what it means */
  constructor(plain: UploadRows | undefined) {
    this.#plain = plain;
  }

  ofText(bytes: Uint8Array, start: number, end: number): number {
    return end - start > MAX_TEXT_BYTES ? 0 : this.#texts.get(bytes, start, end);
  }

  /** Codes are known for Semrush's `Intent`; what other tools' numbers mean is not. */
  ofNumber(code: number, value: number): number {
    return code >>> rankShift === 0 ? intentOfCode(value) : 0;
  }

  #learn(text: string): number {
    const bits = intentsOfText(text);
    this.#plain?.remember(INTENTS, text, bits);
    return bits;
  }
}
