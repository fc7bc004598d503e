import { entryFlags, keyFolds } from './character-folds.ts';
import { halfSipHashAfter } from './half-sip-hash.ts';
import { normalForm } from './normal-form.ts';

/**
 * Node IDs: 64 bits that identify a node by the names from the root and, among siblings with the same name, by its
 * ordinal in document order. The same tree gives the same IDs in every pack, so links survive a new upload.
 *
 * ID = HalfSipHash-2-4-64 of (parent's ID, 8 bytes, low half first; 0 above the root) and (name in NFC, UTF-8), with
 * the key (ordinal, 0). The first node of a name has ordinal 0. IDs are neither secret nor keyed.
 *
 * Source: docs/pack-format.md "Addresses".
 */
export function createPathHash(): PathHash {
  const out = new Uint32Array(2);
  let view = viewOf(new Uint8Array(0));
  let viewed: Uint8Array | undefined;
  return (parentHigh, parentLow, ordinal, names, start, end) => {
    if (names !== viewed) view = viewOf(names);
    viewed = names;
    if (isNormal(names, view, start, end)) {
      halfSipHashAfter(ordinal, 0, parentLow, parentHigh, view, start, end, out, 0);
    } else {
      const name = encoder.encode(normalForm(decoder.decode(names.subarray(start, end)), 'NFC'));
      halfSipHashAfter(ordinal, 0, parentLow, parentHigh, viewOf(name), 0, name.length, out, 0);
    }
    return out;
  };
}

/** Two words, low half first, valid until the next call. */
type PathHash = (
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

/** Both halves of 16 hex digits, or undefined for any other text. */
export function parseAddress(text: string): { readonly high: number; readonly low: number } | undefined {
  if (!/^[0-9a-f]{16}$/i.test(text)) return undefined;
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Whether a name is certainly NFC: every character is, and none can combine with the one before it. */
function isNormal(names: Uint8Array, view: DataView, start: number, end: number): boolean {
  let before = 0;
  for (let index = start; index < end; ) {
    if (index + 4 <= end && (view.getInt32(index, true) & 0x80808080) === 0) {
      before = 0;
      index += 4;
      continue;
    }
    if (names[index]! < 0x80) {
      before = 0;
      index++;
      continue;
    }
    const flags = keyFolds.find(names, index);
    if ((flags & entryFlags.isNormal) === 0) return false;
    if ((flags & entryFlags.startsWithMark) !== 0 && (before & entryFlags.endsWithMark) !== 0) return false;
    before = flags;
    index += keyFolds.size;
  }
  return true;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
