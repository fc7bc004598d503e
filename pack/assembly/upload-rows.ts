// Turns plain entries on the tape, which are most entries of most files, into rows.
// pack/src/upload/upload-entries.ts handles the others and documents the records; contexts and kinds are those of
// upload-plan.ts and upload-members.ts.

import {
  BYTES,
  CLOSE,
  INTENT_TEXTS,
  LITERAL,
  MEMBER_TEXTS,
  MEMBERS_CODE,
  NUMBER,
  OPEN,
  REMEMBERED_INTENTS,
  REMEMBERED_MEMBERS,
  REMEMBERED_TYPES,
  ROW_COMPETITIONS,
  ROW_CPCS,
  ROW_DIFFICULTIES,
  ROW_ENDS,
  ROW_INTENTS,
  ROW_MEMBERS,
  ROW_METRICS,
  ROW_NAME_BYTES,
  ROW_NAME_LENGTHS,
  ROW_NAME_STARTS,
  ROW_NAMES,
  ROW_POSITIONS,
  ROW_SERIES,
  ROW_SERIES_CODE,
  ROW_STARTS,
  ROW_TYPES,
  ROW_VOLUMES,
  ROWS_CUT,
  ROWS_FILLED,
  STRING,
  TAPE,
  TEXT_STRIDE,
  TYPE_TEXTS,
  VALUES,
} from './memory';
import { isSame } from './same-bytes';

// Contexts, in the bits that they have in a record.
const KEYWORDS: i32 = 2 << 4;
const KEYWORD: i32 = 3 << 4;
const NODE: i32 = 5 << 4;
const CHILDREN: i32 = 6 << 4;
const INTENTS: i32 = 7 << 4;
const MEMBERS: i32 = 8 << 4;
const SERIES: i32 = 9 << 4;
const INNER_INTENTS: i32 = 7;
const INNER_MEMBERS: i32 = 8;
const INNER_SERIES: i32 = 9;

const KIND_MASK: i32 = 0xff;
const KIND_NAME: i32 = 1;
const KIND_TYPE: i32 = 2;
const KIND_EXTRA: i32 = 5;
const KIND_VOLUME: i32 = 6;
const KIND_DIFFICULTY: i32 = 7;
const KIND_CPC: i32 = 8;
const KIND_COMPETITION: i32 = 9;
const KIND_COMPETITION_INDEX: i32 = 10;
const KIND_POSITION: i32 = 11;
const KIND_INTENT: i32 = 14;
const KIND_INFORMATIONAL: i32 = 15;

// What is known about a row, one bit each; the bits of metrics are in the order of `metricNames`.
const HAS_VOLUME: i32 = 1;
const HAS_DIFFICULTY: i32 = 2;
const HAS_CPC: i32 = 4;
const HAS_COMPETITION: i32 = 8;
const HAS_POSITION: i32 = 16;
const HAS_INTENT: i32 = 32;
const HAS_NAME: i32 = 64;
const HAS_SERIES: i32 = 128;
const HAS_MEMBERS: i32 = 256;
const HAS_NEW_MEMBERS: i32 = 512;

/** Equal to the one in figure-limit.ts. */
const GREATEST_FIGURE: f64 = 9007199254740992;

/** For the last row, see above. */
let known: i32 = 0;
/** Whether the tape ended inside the last row. */
let isCut: i32 = 0;

/**
 * Fills rows with entries of one table, starting at an index of the tape. Stops at an entry that is not plain, belongs
 * to another table or continues behind the tape. Returns the index where it stopped; the registers contain the number
 * of rows.
 *
 * @param base the position of the block in the file
 * @param names the size of the names already in the table, in bytes
 */
export function fillRows(from: i32, words: i32, base: i32, names: i32, room: i32): i32 {
  const end: usize = TAPE + ((<usize>words) << 2);
  let at: usize = TAPE + ((<usize>from) << 2);
  const first = load<i32>(at);
  const isNodes = first === (OPEN | CHILDREN) || first === (STRING | CHILDREN);
  let to: usize = ROW_NAMES;
  let row: usize = 0;
  let metrics: i32 = 0;
  store<i32>(ROW_SERIES_CODE, 0);
  isCut = 0;
  while (at < end && row < <usize>room) {
    store<i32>(ROW_NAME_STARTS + (row << 2), names + <i32>(to - ROW_NAMES));
    known = 0;
    const next = isNodes ? fillNode(at, end, row, to) : fillKeyword(at, end, row, to);
    if (next === 0) break;
    metrics |= known;
    store<i32>(ROW_STARTS + (row << 2), base + load<i32>(at, 8));
    store<i32>(ROW_ENDS + (row << 2), base + load<i32>(next - 16, 12));
    to += <usize>load<i32>(ROW_NAME_LENGTHS + (row << 2));
    at = next;
    row++;
  }
  store<i32>(ROWS_FILLED, <i32>row);
  store<i32>(ROWS_CUT, isCut);
  store<i32>(ROW_NAME_BYTES, <i32>(to - ROW_NAMES));
  store<i32>(ROW_METRICS, metrics & ~(HAS_NAME | HAS_SERIES));
  return <i32>((at - TAPE) >> 2);
}

/** A child that is a text, or an object with only a name and an optional type. Returns the record behind it, or 0. */
function fillNode(at: usize, end: usize, row: usize, to: usize): usize {
  if (load<i32>(at) === (STRING | CHILDREN)) {
    setName(row, to, at);
    store<u16>(ROW_TYPES + (row << 1), 0);
    return at + 16;
  }
  if (load<i32>(at) !== (OPEN | CHILDREN)) return 0;
  if (at + 48 > end) return cut();
  const name = at + 16;
  if (load<i32>(name) !== (STRING | NODE) || load<i32>(name, 4) !== KIND_NAME) return 0;
  let close = at + 32;
  let type: i32 = 0;
  if (load<i32>(close) === (STRING | NODE) && load<i32>(close, 4) === KIND_TYPE) {
    type = textLength(close) === 0 ? 0 : numberOf(TYPE_TEXTS, load<i32>(REMEMBERED_TYPES), close);
    close += 16;
  }
  if (type < 0) return 0;
  if (close >= end) return cut();
  if (load<i32>(close) !== (CLOSE | NODE)) return 0;
  setName(row, to, name);
  store<u16>(ROW_TYPES + (row << 1), <u16>type);
  return close + 16;
}

/**
 * A keyword that is a text, or an object whose members are known, occur once and use the usual notation. Returns the
 * record behind it, or 0.
 */
function fillKeyword(at: usize, end: usize, row: usize, to: usize): usize {
  const word = row << 2;
  store<f64>(ROW_VOLUMES + (row << 3), NaN);
  store<f32>(ROW_DIFFICULTIES + word, NaN);
  store<f32>(ROW_CPCS + word, NaN);
  store<f32>(ROW_COMPETITIONS + word, NaN);
  store<f32>(ROW_POSITIONS + word, NaN);
  store<u8>(ROW_INTENTS + row, 0);
  store<i32>(ROW_SERIES + word, 0);
  store<i32>(ROW_MEMBERS + word, 0);
  if (load<i32>(at) === (STRING | KEYWORDS)) {
    setName(row, to, at);
    return at + 16;
  }
  if (load<i32>(at) !== (OPEN | KEYWORDS)) return 0;
  store<i32>(ROW_NAME_LENGTHS + word, 0);
  let has: i32 = 0;
  let intents: i32 = 0;
  let members: i32 = 0;
  for (at += 16; at < end; at += 16) {
    const tag = load<i32>(at);
    const kind = load<i32>(at, 4) & KIND_MASK;
    if (tag === (CLOSE | KEYWORD)) {
      if (intents !== 0) has |= HAS_INTENT;
      if ((has & HAS_NAME) === 0) store<i32>(ROW_NAME_STARTS + word, 0);
      store<u8>(ROW_INTENTS + row, <u8>intents);
      store<i32>(ROW_MEMBERS + word, members);
      known = has;
      return at + 16;
    }
    if (tag === (NUMBER | KEYWORD)) {
      const metric = setMetric(kind, load<f64>(VALUES + ((at - TAPE) >> 1)), row);
      // Of two values, the one with the preferred spelling counts, which is decided elsewhere.
      if (metric < 0 || (metric & has) !== 0) return 0;
      has |= metric;
    } else if (tag === (STRING | KEYWORD)) {
      if (kind === KIND_NAME) {
        if (textLength(at) === 0) continue;
        if ((has & HAS_NAME) !== 0) return 0;
        has |= HAS_NAME;
        setName(row, to, at);
      } else if (kind === KIND_INTENT) {
        const bits = numberOf(INTENT_TEXTS, load<i32>(REMEMBERED_INTENTS), at);
        if (bits < 0) return 0;
        intents |= bits;
      } else return 0;
    } else if (tag === (LITERAL | KEYWORD)) {
      // NaN for null.
      const value = load<f64>(VALUES + ((at - TAPE) >> 1));
      if (kind === KIND_EXTRA && value >= 0) return 0;
      if (value === 1 && kind >= KIND_INFORMATIONAL) intents |= 1 << (kind - KIND_INFORMATIONAL);
    } else if (tag === (OPEN | KEYWORD) && load<i32>(at, 12) === INNER_INTENTS) {
      for (at += 16; at < end && load<i32>(at) === (STRING | INTENTS); at += 16) {
        const bits = numberOf(INTENT_TEXTS, load<i32>(REMEMBERED_INTENTS), at);
        if (bits < 0) return 0;
        intents |= bits;
      }
      if (at >= end) return cut();
      if (load<i32>(at) !== (CLOSE | INTENTS)) return 0;
    } else if (tag === (OPEN | KEYWORD) && load<i32>(at, 12) === INNER_MEMBERS) {
      // The caller reads uncached texts from the tape.
      const isRemembered = load<i32>(at, 4) === load<i32>(MEMBERS_CODE);
      for (at += 16; at < end && load<i32>(at) === (STRING | MEMBERS); at += 16) {
        const bits = isRemembered ? numberOf(MEMBER_TEXTS, load<i32>(REMEMBERED_MEMBERS), at) : -1;
        if (bits === -1) has |= isRemembered ? HAS_MEMBERS | HAS_NEW_MEMBERS : HAS_MEMBERS;
        else members |= bits;
      }
      if (at >= end) return cut();
      if (load<i32>(at) !== (CLOSE | MEMBERS)) return 0;
    } else if (tag === (OPEN | KEYWORD) && load<i32>(at, 12) === INNER_SERIES) {
      const close = (has & HAS_SERIES) === 0 ? fileSeries(at, end, word) : 0;
      if (close === 0) return 0;
      has |= HAS_SERIES;
      at = close;
    } else return 0;
  }
  return cut();
}

/** Ends the run at the end of the tape. */
function cut(): usize {
  isCut = 1;
  return 0;
}

/**
 * A list of numbers that may be a trend. Its values stay beside the tape until the rows are read. All lists of a run
 * belong to the same member. Returns the record of the list's end, or 0.
 */
function fileSeries(open: usize, end: usize, word: usize): usize {
  const code = load<i32>(open, 4);
  const known = load<i32>(ROW_SERIES_CODE);
  if (known !== 0 && known !== code) return 0;
  let at = open + 16;
  for (; at < end; at += 16) {
    const tag = load<i32>(at);
    if (tag === (NUMBER | SERIES)) continue;
    // NaN for null.
    if (tag !== (LITERAL | SERIES) || load<f64>(VALUES + ((at - TAPE) >> 1)) >= 0) break;
  }
  if (at >= end) return cut();
  if (load<i32>(at) !== (CLOSE | SERIES)) return 0;
  store<i32>(ROW_SERIES_CODE, code);
  store<i32>(ROW_SERIES + word, <i32>(((at - TAPE) >> 4) | (((at - open - 16) >> 4) << 16)));
  return at;
}

/** Returns the bit of the metric, 0 for a value out of range, -1 for a kind that is not plain. */
function setMetric(kind: i32, value: f64, row: usize): i32 {
  const word = row << 2;
  // Either the file is refused because of the value, or it is an intent code; the general path handles both. NaN means
  // too large.
  if (!(Math.abs(value) <= GREATEST_FIGURE)) return -1;
  switch (kind) {
    case KIND_VOLUME: {
      if (!(value >= 0)) return 0;
      store<f64>(ROW_VOLUMES + (row << 3), value);
      return HAS_VOLUME;
    }
    case KIND_DIFFICULTY: {
      if (!(value >= 0 && value <= 100)) return 0;
      store<f32>(ROW_DIFFICULTIES + word, <f32>value);
      return HAS_DIFFICULTY;
    }
    case KIND_CPC: {
      if (!(value >= 0)) return 0;
      store<f32>(ROW_CPCS + word, <f32>value);
      return HAS_CPC;
    }
    case KIND_COMPETITION:
    case KIND_COMPETITION_INDEX: {
      if (!(value >= 0 && value <= 100)) return 0;
      // The scale of a plain number is that of the file; a number below zero states that it is a share.
      store<f32>(ROW_COMPETITIONS + word, <f32>(kind === KIND_COMPETITION ? value : -value / 100));
      return HAS_COMPETITION;
    }
    case KIND_POSITION: {
      if (!(value >= 1)) return 0;
      store<f32>(ROW_POSITIONS + word, <f32>value);
      return HAS_POSITION;
    }
    default:
      return -1;
  }
}

/** The number of bytes between the quotes of a text's record. */
function textLength(record: usize): i32 {
  return load<i32>(record, 12) - load<i32>(record, 8) - 2;
}

/** Copies the text of a record, and up to fifteen bytes behind it that the next one overwrites. */
function setName(row: usize, to: usize, record: usize): void {
  const length = textLength(record);
  const from: usize = BYTES + load<i32>(record, 8) + 1;
  store<i32>(ROW_NAME_LENGTHS + (row << 2), length);
  for (let copied: usize = 0; copied < <usize>length; copied += 16) v128.store(to + copied, v128.load(from + copied));
}

/** The number of a record's text, or -1 if it is not cached. */
function numberOf(texts: usize, count: i32, record: usize): i32 {
  const length = textLength(record);
  const from: usize = BYTES + load<i32>(record, 8) + 1;
  for (let text: usize = texts, last: usize = texts + <usize>count * TEXT_STRIDE; text < last; text += TEXT_STRIDE) {
    if (load<i32>(text) === length && isSame(from, text + 8, length)) return load<i32>(text, 4);
  }
  return -1;
}
