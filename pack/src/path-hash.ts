import { halfSipHash } from './half-sip-hash.ts';
import { isLetterLead } from './letter-folds.ts';
import { WordBuffer } from './word-buffer.ts';

/**
 * Addresses: 64 bits that name a node by the names from the root and, among siblings of the same name, its ordinal in
 * document order. The same tree gives the same addresses in every pack, so links survive a re-upload.
 *
 * address = HalfSipHash-2-4-64 of (parent's address, 8 bytes, low half first; 0 above the root) and (name in NFC,
 * UTF-8), under the key (ordinal, 0). The ordinal is 0 for the first of its name. Not secret, not keyed.
 *
 * Source: decisions §4.9; docs/pack-format.md "Addresses".
 */
export function createPathHash(): PathHash {
  const out = new Uint32Array(2);
  const message = new WordBuffer();
  return (parentHigh, parentLow, ordinal, names, start, end) => {
    message.reserve(8 + end - start);
    let nameLength = copyNormal(names, start, end, message.bytes);
    if (nameLength < 0) {
      const name = encoder.encode(decoder.decode(names.subarray(start, end)).normalize('NFC'));
      nameLength = name.length;
      message.reserve(8 + nameLength);
      message.bytes.set(name, 8);
    }
    message.words[0] = parentLow;
    message.words[1] = parentHigh;
    halfSipHash(ordinal, 0, message.words, 8 + nameLength, out, 0);
    return out;
  };
}

/** Two words, low half first, valid until the next call. */
export type PathHash = (
  parentHigh: number,
  parentLow: number,
  ordinal: number,
  names: Uint8Array,
  start: number,
  end: number,
) => Uint32Array;

/** 16 hex digits, high half first. */
export function formatAddress(high: number, low: number): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}

/** Both halves of 16 hex digits; undefined when the text is anything else. */
export function parseAddress(text: string): { readonly high: number; readonly low: number } | undefined {
  if (!/^[0-9a-f]{16}$/i.test(text)) return undefined;
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Copies a name that is NFC already behind the eight bytes of the parent's address; ASCII and letters that do not
 * combine are, and nearly every name is made of them. The name's length, -1 for one that may not be NFC.
 */
function copyNormal(names: Uint8Array, start: number, end: number, message: Uint8Array): number {
  for (let index = start; index < end; index++) {
    const byte = names[index]!;
    message[8 + index - start] = byte;
    if (byte < 0x80) continue;
    if (!isLetterLead(byte)) return -1;
    index++;
    message[8 + index - start] = names[index]!;
  }
  return end - start;
}
