/**
 * The WebAssembly SIMD version of the loop in `pack/src/find/find-fallback.ts`: which texts contain a needle, and how
 * well they match.
 *
 * Compares sixteen positions at a time with the needle's first and last byte, and the bytes between only where both
 * match.
 * Source: Muła, "SIMD-friendly algorithms for substring searching", 2018, "generic SIMD".
 */

const none: i32 = 0;
const whole: i32 = 1;
const beginning: i32 = 2;
const word: i32 = 3;
const part: i32 = 4;

/**
 * @param needle the address of its `length` bytes, at least 1
 * @param bytes the address of the texts, back to back; up to the length of a needle plus sixteen bytes may be read
 *   behind them
 * @param starts the address of the starts of the texts, as f64, followed by the end of the last; any origin
 * @param kinds the address of the results, one byte per text; must be 0 before the call
 * @returns the number of texts that match
 */
export function find(needle: usize, length: i32, bytes: usize, starts: usize, texts: i32, kinds: usize): i32 {
  const base = load<f64>(starts);
  const size = <i32>(load<f64>(starts + ((<usize>texts) << 3)) - base);
  const firsts = i8x16.splat(load<u8>(needle));
  const lasts = i8x16.splat(load<u8>(needle + length - 1));
  const lastPlace = size - length;
  let found: i32 = 0;
  /** The text that contains the last match, its start and end, and how well it matches. */
  let text: i32 = -1;
  let textStart: i32 = 0;
  let textEnd: i32 = 0;
  let kind: i32 = none;
  /** Whether the last check found no candidates. A check of 64 positions at once is then likely to be enough. */
  let isQuiet = true;
  for (let block: i32 = 0; block <= lastPlace; block += 16) {
    const at = bytes + block;
    if (
      isQuiet &&
      block + 64 <= lastPlace &&
      !v128.any_true(
        v128.or(
          v128.or(placesAt(at, length, firsts, lasts), placesAt(at + 16, length, firsts, lasts)),
          v128.or(placesAt(at + 32, length, firsts, lasts), placesAt(at + 48, length, firsts, lasts)),
        ),
      )
    ) {
      block += 48;
      continue;
    }
    let places = i8x16.bitmask(placesAt(at, length, firsts, lasts));
    isQuiet = places === 0;
    for (; places !== 0; places &= places - 1) {
      const place = block + ctz(places);
      if (place > lastPlace) break;
      // A text that has a word starting with the needle cannot get a better match.
      if (place < textEnd && kind !== none && kind !== part) continue;
      if (length > 2 && !isSame(bytes + place + 1, needle + 1, length - 2)) continue;
      if (place >= textEnd) {
        kind = none;
        // If many texts match, the next match is in the next text.
        text++;
        textStart = textEnd;
        textEnd = startOf(starts, text + 1, base);
        if (place >= textEnd) {
          while (text + 8 <= texts && startOf(starts, text + 8, base) <= place) text += 8;
          while (startOf(starts, text + 1, base) <= place) text++;
          textStart = startOf(starts, text, base);
          textEnd = startOf(starts, text + 1, base);
        }
      }
      // The match may extend across the end of a text into the next one.
      if (place + length > textEnd) continue;
      if (kind === none) {
        found++;
        // A later match is not at the start of the text.
        if (place === textStart) kind = textEnd - place === length ? whole : beginning;
      }
      if (kind === none || kind === part) kind = isLetter(load<u8>(bytes + place - 1)) ? part : word;
      store<u8>(kinds + text, kind);
    }
  }
  return found;
}

/** For 16 positions, all bits set where the first and the last byte of the needle match. */
function placesAt(at: usize, length: i32, firsts: v128, lasts: v128): v128 {
  return v128.and(i8x16.eq(v128.load(at), firsts), i8x16.eq(v128.load(at + length - 1), lasts));
}

function startOf(starts: usize, text: i32, base: f64): i32 {
  return <i32>(load<f64>(starts + ((<usize>text) << 3)) - base);
}

function isSame(at: usize, other: usize, length: i32): bool {
  for (; length >= 8; length -= 8, at += 8, other += 8) if (load<u64>(at) !== load<u64>(other)) return false;
  for (; length > 0; length--, at++, other++) if (load<u8>(at) !== load<u8>(other)) return false;
  return true;
}

function isLetter(byte: u8): bool {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
