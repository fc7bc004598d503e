import { halfSipHash } from './half-sip-hash.ts';
import { isLetterLead } from './letter-folds.ts';

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
  let message = new Uint8Array(256);
  return (parentHigh, parentLow, ordinal, names, start, end) => {
    const name = normalized(names, start, end);
    const length = 8 + name.length;
    if (message.length < length) message = new Uint8Array(2 * length);
    writeWord(message, 0, parentLow);
    writeWord(message, 4, parentHigh);
    message.set(name, 8);
    halfSipHash(ordinal, 0, message, 0, length, out, 0);
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

function normalized(names: Uint8Array, start: number, end: number): Uint8Array {
  const name = names.subarray(start, end);
  // ASCII and letters that do not combine are NFC already, and nearly every name is made of them.
  for (let index = start; index < end; index++) {
    const byte = names[index]!;
    if (isLetterLead(byte)) index++;
    else if (byte >= 0x80) return encoder.encode(decoder.decode(name).normalize('NFC'));
  }
  return name;
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word;
  bytes[at + 1] = word >>> 8;
  bytes[at + 2] = word >>> 16;
  bytes[at + 3] = word >>> 24;
}
