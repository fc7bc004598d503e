// Processes every name of a tree, thousands at a time: the hash that joins keywords, node IDs, and folds for search.
// pack/src/upload/name-loop.ts copies names into the memory. name-table.ts, addresses.ts and pack-texts.ts in pack/src
// do the same in TypeScript, one name at a time, also for the names that are left out here.

import {
  FOLD_LENGTHS,
  FOLDED,
  KEY_BLOCKS,
  KEY_PAGES,
  MAX_WANTED,
  MISSING,
  NAME_FLAGS,
  NAME_HASHES,
  NONE_ALONE,
  ROW_NAME_LENGTHS,
  ROW_NAME_STARTS,
  ROW_NAMES,
  SEARCH_BLOCKS,
  SEARCH_PAGES,
  TEXT_ENDS,
  TEXTS,
  UNCHANGED,
  WANTED_PAGES,
} from './memory';

/** Longer names are left out: hashing four texts in parallel takes as many steps as the longest one needs. */
const LONGEST: u32 = 1024;
const SAME: u32 = 0xffffffff;
const SPACE: i32 = 0x20;

// The flags of an entry, as in character-folds.ts.
const LENGTH: i32 = 0x07;
const IS_ALONE: i32 = 0x08;
const STARTS_WITH_MARK: i32 = 0x10;
const ENDS_WITH_MARK: i32 = 0x20;
const IS_SAME: i32 = 0x40;
const IS_NORMAL: i32 = 0x80;

/** The entry of the last character that was looked up, unless its page is unchanged, and its size in bytes. */
let entry: usize = 0;
let size: usize = 0;
/** Whether the last text differs from its fold. */
let isChanged: bool = false;

/**
 * Hashes the text keys of names, like `nameHash` of name-hash.ts. Flags a name that must be folded as a whole.
 *
 * @param base the origin of the name starts; @param bytes the size of the names in the memory
 */
export function hashKeys(count: i32, base: u32, bytes: u32, key0: i32, key1: i32): void {
  let to: usize = FOLDED;
  store<u16>(WANTED_PAGES, 0);
  for (let row: usize = 0; row < <usize>count; row++) {
    const word = row << 2;
    const start = load<u32>(ROW_NAME_STARTS + word) - base;
    const length = load<u32>(ROW_NAME_LENGTHS + word);
    let text = ROW_NAMES + <usize>start;
    let end = text + <usize>length;
    let isLeft = !isHere(start, length, bytes);
    if (!isLeft && !isPlain(text, end)) {
      const folded = foldKey(text, end, to);
      isLeft = folded === 0;
      text = to;
      end = folded;
      if (!isLeft) to = folded;
    }
    store<u8>(NAME_FLAGS + row, <u8>isLeft);
    store<u32>(TEXTS + word, <u32>(isLeft ? ROW_NAMES : text));
    store<u32>(TEXT_ENDS + word, <u32>(isLeft ? ROW_NAMES : end));
  }
  hashTexts(count, 0, 0, 0, key0, key1, 1, 3);
}

/** Node IDs of the first node of each name among siblings, as in addresses.ts. Flags a name that may not be NFC. */
export function address(count: i32, base: u32, bytes: u32, low: i32, high: i32): void {
  store<u16>(WANTED_PAGES, 0);
  for (let row: usize = 0; row < <usize>count; row++) {
    const word = row << 2;
    const start = load<u32>(ROW_NAME_STARTS + word) - base;
    const length = load<u32>(ROW_NAME_LENGTHS + word);
    const text = ROW_NAMES + <usize>start;
    const isLeft = !isHere(start, length, bytes) || !isNormal(text, text + <usize>length);
    store<u8>(NAME_FLAGS + row, <u8>isLeft);
    store<u32>(TEXTS + word, <u32>(isLeft ? ROW_NAMES : text));
    store<u32>(TEXT_ENDS + word, <u32>(isLeft ? ROW_NAMES : text + <usize>length));
  }
  hashTexts(count, 2, low, high, 0, 0, 2, 4);
}

/**
 * Folds names for search, like `SearchKey` of text-key.ts. A length is 2^32 - 1 if the fold equals the name. The other
 * folds are stored back to back. Flags a name that must be folded as a whole. Returns the end of the folds.
 */
export function foldNames(count: i32, base: u32, bytes: u32): i32 {
  let to: usize = FOLDED;
  store<u16>(WANTED_PAGES, 0);
  for (let row: usize = 0; row < <usize>count; row++) {
    const word = row << 2;
    const start = load<u32>(ROW_NAME_STARTS + word) - base;
    const length = load<u32>(ROW_NAME_LENGTHS + word);
    const text = ROW_NAMES + <usize>start;
    let folded = SAME;
    let isLeft = !isHere(start, length, bytes);
    if (!isLeft && !isPlain(text, text + <usize>length)) {
      const end = foldSearch(text, text + <usize>length, to);
      if (end === 0) isLeft = true;
      else if (isChanged && (<u32>(end - to) !== length || memory.compare(to, text, length) !== 0)) {
        folded = <u32>(end - to);
        to = end;
      }
    }
    store<u8>(NAME_FLAGS + row, <u8>isLeft);
    store<u32>(FOLD_LENGTHS + word, folded);
  }
  return <i32>(to - FOLDED);
}

function isHere(start: u32, length: u32, bytes: u32): bool {
  return length <= LONGEST && length <= bytes && start <= bytes - length;
}

/** Whether every fold leaves a name unchanged: ASCII without capitals, and no white space except single spaces between other characters. */
function isPlain(from: usize, end: usize): bool {
  if (from === end || load<u8>(end - 1) === <u8>SPACE) return false;
  let before: i32 = 1;
  for (; from < end; from += 16) {
    const bytes = v128.load(from);
    const left = <i32>(end - from);
    const here: i32 = left < 16 ? (1 << left) - 1 : 0xffff;
    // As signed numbers, control characters and non-ASCII bytes are less than a space.
    const odd = v128.or(
      i8x16.lt_s(bytes, i8x16.splat(0x20)),
      i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26)),
    );
    if ((i8x16.bitmask(odd) & here) !== 0) return false;
    const spaces = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x20))) & here;
    if ((spaces & ((spaces << 1) | before)) !== 0) return false;
    before = spaces >>> 15;
  }
  return true;
}

/** Whether a name is certainly NFC, as in path-hash.ts. */
function isNormal(from: usize, end: usize): bool {
  if (isTwoByteNormal(from, end)) return true;
  let before: i32 = 0;
  while (from < end) {
    const byte = <i32>load<u8>(from);
    if (byte < 0x80) {
      before = 0;
      from++;
      continue;
    }
    const flags = characterAt(from, byte, KEY_PAGES, KEY_BLOCKS);
    if ((flags & IS_NORMAL) === 0 || ((flags & STARTS_WITH_MARK) !== 0 && (before & ENDS_WITH_MARK) !== 0))
      return false;
    before = flags;
    from += size;
  }
  return true;
}

/** Sixteen bytes at a time, for ASCII, Latin and Cyrillic: no byte of 0xcc or more except 0xd0 and 0xd1. */
function isTwoByteNormal(from: usize, end: usize): bool {
  for (; from < end; from += 16) {
    const bytes = v128.load(from);
    const left = <i32>(end - from);
    const here: i32 = left < 16 ? (1 << left) - 1 : 0xffff;
    const others = v128.and(
      i8x16.ge_u(bytes, i8x16.splat(<i8>0xcc)),
      i8x16.ne(v128.and(bytes, i8x16.splat(<i8>0xfe)), i8x16.splat(<i8>0xd0)),
    );
    if ((i8x16.bitmask(others) & here) !== 0) return false;
  }
  return true;
}

/** Writes the text key of a name. Returns its end, or 0 if the name must be folded as a whole. */
function foldKey(from: usize, end: usize, to: usize): usize {
  const first = to;
  let before: i32 = 0;
  while (from < end) {
    let byte = <i32>load<u8>(from);
    if (byte < 0x80) {
      before = 0;
      from++;
      if (<u32>(byte - 0x09) < 5) byte = SPACE;
      else if (<u32>(byte - 0x41) < 26) byte += 0x20;
    } else {
      const flags = characterAt(from, byte, KEY_PAGES, KEY_BLOCKS);
      if (!isAlone(flags, before)) return 0;
      before = flags;
      const length = writeFold(from, flags, to);
      from += size;
      byte = <i32>load<u8>(to);
      if (length > 1 || byte !== SPACE) {
        to += length;
        continue;
      }
    }
    // Keeps only the first of consecutive white space characters, as a space, and none at the start.
    if (byte === SPACE && (to === first || load<u8>(to - 1) === <u8>SPACE)) continue;
    store<u8>(to++, <u8>byte);
  }
  return to > first && load<u8>(to - 1) === <u8>SPACE ? to - 1 : to;
}

/** The same for search, which keeps white space. Sets `isChanged`. */
function foldSearch(from: usize, end: usize, to: usize): usize {
  let before: i32 = 0;
  let hasChanged = false;
  while (from < end) {
    const byte = <i32>load<u8>(from);
    if (byte < 0x80) {
      before = 0;
      from++;
      const isCapital = <u32>(byte - 0x41) < 26;
      store<u8>(to++, <u8>(isCapital ? byte + 0x20 : byte));
      if (isCapital) hasChanged = true;
      continue;
    }
    const flags = characterAt(from, byte, SEARCH_PAGES, SEARCH_BLOCKS);
    if (!isAlone(flags, before)) return 0;
    before = flags;
    if ((flags & IS_SAME) === 0) hasChanged = true;
    to += writeFold(from, flags, to);
    from += size;
  }
  isChanged = hasChanged;
  return to;
}

/** Looks up a character that is not ASCII: sets `size` and `entry` and returns its flags, 0 if its page is missing. */
function characterAt(from: usize, lead: i32, pages: usize, blocks: usize): i32 {
  const second = <u32>load<u8>(from, 1) & 0x3f;
  let page = <u32>lead & 0x1f;
  size = 2;
  if (lead >= 0xf0) {
    page = ((<u32>lead & 7) << 12) | (second << 6) | (<u32>load<u8>(from, 2) & 0x3f);
    size = 4;
  } else if (lead >= 0xe0) {
    page = ((<u32>lead & 0xf) << 6) | second;
    size = 3;
  }
  const block = <u32>load<u8>(pages + page);
  if (block === UNCHANGED) return IS_ALONE | IS_SAME | IS_NORMAL;
  if (block === MISSING) {
    want(pages, page);
    return 0;
  }
  entry = blocks + ((<usize>block) << 9) + ((<usize>load<u8>(from + size - 1) & 0x3f) << 3);
  return <i32>load<u8>(entry);
}

/** Asks for a page, whose characters are folded with the whole name until the caller has added it. */
function want(pages: usize, page: u32): void {
  const count = <usize>load<u16>(WANTED_PAGES);
  if (count === MAX_WANTED) return;
  store<u16>(WANTED_PAGES, <u16>(count + 1));
  store<u16>(WANTED_PAGES + (count << 1), <u16>page, 2);
  store<u8>(pages + page, <u8>NONE_ALONE);
}

function isAlone(flags: i32, before: i32): bool {
  return (flags & IS_ALONE) !== 0 && ((flags & STARTS_WITH_MARK) === 0 || (before & ENDS_WITH_MARK) === 0);
}

/** Writes the fold of the character that was looked up last. Returns its size. */
function writeFold(from: usize, flags: i32, to: usize): usize {
  if ((flags & IS_SAME) !== 0) {
    store<u32>(to, load<u32>(from));
    return size;
  }
  store<u64>(to, load<u64>(entry, 1));
  return <usize>(flags & LENGTH);
}

/**
 * HalfSipHash of texts, four in parallel, with 64 bits each; see pack/src/names/half-sip-hash.ts.
 *
 * @param ahead the number of words before the text, `first` and `second`, or 0
 * @param rounds per word; @param last at the end, twice
 */
function hashTexts(
  count: i32,
  ahead: i32,
  first: i32,
  second: i32,
  key0: i32,
  key1: i32,
  rounds: i32,
  last: i32,
): void {
  // The last group of four may extend beyond the texts. It then hashes old data, and the results are ignored.
  for (let row: usize = <usize>count; (row & 3) !== 0; row++) {
    store<u32>(TEXTS + (row << 2), <u32>ROW_NAMES);
    store<u32>(TEXT_ENDS + (row << 2), <u32>ROW_NAMES);
  }
  for (let row: usize = 0; row < <usize>count; row += 4) {
    const texts = TEXTS + (row << 2);
    const ends = TEXT_ENDS + (row << 2);
    const text0 = <usize>load<u32>(texts);
    const text1 = <usize>load<u32>(texts, 4);
    const text2 = <usize>load<u32>(texts, 8);
    const text3 = <usize>load<u32>(texts, 12);
    const lengths = i32x4.sub(v128.load(ends), v128.load(texts));
    const lastWords = i32x4.shr_u(lengths, 2);
    // The remaining bytes of each text, with the low byte of its length on top.
    let tails = i32x4.splat(tailOf(i32x4.extract_lane(lengths, 0)));
    tails = i32x4.replace_lane(tails, 1, tailOf(i32x4.extract_lane(lengths, 1)));
    tails = i32x4.replace_lane(tails, 2, tailOf(i32x4.extract_lane(lengths, 2)));
    tails = i32x4.replace_lane(tails, 3, tailOf(i32x4.extract_lane(lengths, 3)));
    const tops = i32x4.shl(i32x4.add(lengths, i32x4.splat(ahead << 2)), 24);
    let v0 = i32x4.splat(key0);
    let v1 = i32x4.splat(key1 ^ 0xee);
    let v2 = i32x4.splat(0x6c796765 ^ key0);
    let v3 = i32x4.splat(0x74656462 ^ key1);
    for (let index: i32 = -ahead; ; index++) {
      let word: v128;
      let isOver = i32x4.splat(0);
      if (index < 0) word = i32x4.splat(index === -2 ? first : second);
      else {
        const at = <usize>(index << 2);
        const indexes = i32x4.splat(index);
        isOver = i32x4.gt_s(indexes, lastWords);
        if (i32x4.all_true(isOver)) break;
        word = v128.load32_zero(text0 + at);
        word = v128.load_lane<u32>(text1 + at, word, 1);
        word = v128.load_lane<u32>(text2 + at, word, 2);
        word = v128.load_lane<u32>(text3 + at, word, 3);
        word = v128.bitselect(v128.or(v128.and(word, tails), tops), word, i32x4.eq(indexes, lastWords));
      }
      const was0 = v0;
      const was1 = v1;
      const was2 = v2;
      const was3 = v3;
      v3 = v128.xor(v3, word);
      for (let round: i32 = 0; round < rounds; round++) {
        v0 = i32x4.add(v0, v1);
        v1 = v128.xor(v128.or(i32x4.shl(v1, 5), i32x4.shr_u(v1, 27)), v0);
        v0 = i8x16.shuffle(v0, v0, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
        v2 = i32x4.add(v2, v3);
        v3 = v128.xor(i8x16.shuffle(v3, v3, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14), v2);
        v0 = i32x4.add(v0, v3);
        v3 = v128.xor(v128.or(i32x4.shl(v3, 7), i32x4.shr_u(v3, 25)), v0);
        v2 = i32x4.add(v2, v1);
        v1 = v128.xor(v128.or(i32x4.shl(v1, 13), i32x4.shr_u(v1, 19)), v2);
        v2 = i8x16.shuffle(v2, v2, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
      }
      v0 = v128.xor(v0, word);
      // A text that has ended keeps its state.
      v0 = v128.bitselect(was0, v0, isOver);
      v1 = v128.bitselect(was1, v1, isOver);
      v2 = v128.bitselect(was2, v2, isOver);
      v3 = v128.bitselect(was3, v3, isOver);
    }
    v2 = v128.xor(v2, i32x4.splat(0xee));
    let low = v0;
    for (let round: i32 = 0; ; round++) {
      if (round === last) {
        low = v128.xor(v1, v3);
        v1 = v128.xor(v1, i32x4.splat(0xdd));
      } else if (round === last << 1) break;
      v0 = i32x4.add(v0, v1);
      v1 = v128.xor(v128.or(i32x4.shl(v1, 5), i32x4.shr_u(v1, 27)), v0);
      v0 = i8x16.shuffle(v0, v0, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
      v2 = i32x4.add(v2, v3);
      v3 = v128.xor(i8x16.shuffle(v3, v3, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14), v2);
      v0 = i32x4.add(v0, v3);
      v3 = v128.xor(v128.or(i32x4.shl(v3, 7), i32x4.shr_u(v3, 25)), v0);
      v2 = i32x4.add(v2, v1);
      v1 = v128.xor(v128.or(i32x4.shl(v1, 13), i32x4.shr_u(v1, 19)), v2);
      v2 = i8x16.shuffle(v2, v2, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    }
    const high = v128.xor(v1, v3);
    const hashes = NAME_HASHES + (row << 3);
    v128.store(hashes, v128.shuffle<u32>(low, high, 0, 4, 1, 5));
    v128.store(hashes, v128.shuffle<u32>(low, high, 2, 6, 3, 7), 16);
  }
}

/** The bits of a text's last word that belong to it. */
function tailOf(length: i32): i32 {
  return (1 << ((length & 3) << 3)) - 1;
}
