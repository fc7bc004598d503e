import { normalForm } from '../names/normal-form.ts';

const UNKNOWN = Number.NaN;
/** Words for multiples in lower case, in the languages that Keyword Planner writes its ranges in. */
const multiples = new Map(
  [
    {
      multiple: 1e3,
      words: 'k tsd tsd. тыс тыс. тис тис. хил хил. tys tys. tis tis. mila mil mii bin rb ribu n nghìn ngàn',
    },
    { multiple: 1e3, words: 'e ezer χιλ χιλ. tuh tusen tn tn. t t. dzd dzd. 千 천 พัน ألف' },
    { multiple: 1e4, words: '万 萬 만 หมื่น' },
    { multiple: 1e5, words: 'แสน lakh lac लाख' },
    { multiple: 1e7, words: 'crore cr करोड़' },
    // A thousand is "mil" in Spanish and Portuguese, and a million is "mil." in Czech and Romanian.
    {
      multiple: 1e6,
      words: 'm mio mio. mill mill. mil. mln mln. млн млн. mn mi milj milj. jt juta tr triệu εκ εκ. ล้าน مليون',
    },
    { multiple: 1e6, words: '百万 百萬 백만' },
    { multiple: 1e8, words: '億 亿 억' },
    { multiple: 1e9, words: 'b bn mrd mrd. mld mld. млрд млрд.' },
    // What counts them: "1200回".
    { multiple: 1, words: '回 件 次 회 건' },
    // Hundredths of a currency.
    { multiple: 0.01, words: 'ct ct. cent cents' },
  ].flatMap(({ multiple, words }) => words.split(' ').map((word) => [word, multiple] as const)),
);
/** Currencies in exports besides the Unicode signs: ISO 4217 codes, and common abbreviations of a few. */
const CURRENCY =
  '(?:[a-z]{0,3}\\p{Sc}|usd|eur|gbp|jpy|cny|inr|brl|cad|aud|nzd|chf|sek|nok|dkk|pln|czk|huf|ron|bgn|rub|uah|try|zar|mxn|ars|clp|cop|pen|krw|idr|vnd|thb|php|myr|sgd|hkd|twd|ils|aed|sar|egp|ngn|kes|rs\\.?|rp\\.?|kr\\.?|zł|kč|đ)';
/** Currencies that are written without decimals: "5.000 ₫" is five thousand. */
const WHOLE_UNITS = /[₫₩đ]|(?<!\p{L})(?:vnd|krw|idr|rp)(?!\p{L})/iu;
/** "1.2E+04", as spreadsheets shorten what does not fit into a cell. */
const SCIENTIFIC = /^-?\d(?:[.,]\d+)?e[+-]\d{1,2}$/iu;
/** A number as people write it, with its thousands and decimal separators and an optional suffix. */
const FIGURE = new RegExp(
  `^[<>≤≥~≈]?\\s*[=]?\\s*(?:(?:${CURRENCY}|%)\\s*)?(-?[\\d.,'’\\s]*\\d)\\s*(\\p{L}{1,7}\\.?)??\\s*\\+?\\s*(?:%|${CURRENCY})?$`,
  'iu',
);
/** Thousands and a point before the last three digits. */
const POINTED = /(?<![\d.,])([1-9]\d{0,2})\.(\d{3})(?![\d.,]|\s*[kmb]|e[+-]?\d)/giu;
/** "1,234,567", or the Indian form "12,34,567". */
const THOUSANDS = /^-?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})$/u;
/** What stands between the bounds of a range (before a number alone, "~" says that it is rounded): a dash, or "to" in one of many languages. */
const RANGE =
  /(?<=\S)\s*[–—~]\s*|\s+-\s+|(?<=[\d\p{L}.])\s*-\s*(?=[\d\p{Sc}])|\s+(?:to|bis|à|a|al|et|tot|til|till|do|до|ile|έως|đến|hingga|sampai|ถึง)\s+|(?<=\d\p{L}?)(?:至|到|から|에서)(?=\d)/iu;

/** What stands before the bounds of a range in words, where "and" stands between them: "between 100 and 1,000". */
const BETWEEN =
  /^(?:between|zwischen|entre|tra|tussen|mellan|mellem|mellom|między|mezi|между|між)\s+(.{1,24}?)\s+(?:and|und|et|y|e|en|och|og|i|a|и|і|та)\s+/iu;
/** Words before a range, or before its only bound. */
const BOUND =
  /^(?:from|von|de|da|van|från|fra|od|от|від|more than|over|above|less than|under|below|up to|at least|mehr als|über|weniger als|unter|bis zu|plus de|moins de|más de|menos de|hasta|mais de|menos de|até|più di|oltre|meno di|fino a|meer dan|minder dan|ponad|powyżej|poniżej|mniej niż|více než|méně než|över|mindre än|mere end|mindre end|более|больше|свыше|менее|меньше|до|понад|більше|менше)\s+(?=\d)/iu;
/** "or more" and the like in languages that put it last, and "/mo". */
const AFTER = /(?:以上|以下|以内|未満|未满|超|이상|이하|미만)$|\s?(?:\/|per )\s?\p{L}{1,8}\.?$/u;

/**
 * Parses a number as keyword tools print it; NaN if the text contains none ("", "n/a", "-").
 *
 * "1,300" is 1300. "1K – 10K", "1 тыс. – 10 тыс." and "0-10" give the middle of the range, ">1k" its bound. "33.33%" is
 * 33.33, "1,5" is 1.5, "45¢" is 0.45, "1.2E+04" is 12000. A comma before exactly three digits separates thousands; a point
 * does so only if it occurs more than once, or in amounts of a currency without decimals.
 */
export function numberOfText(text: string): number {
  const trimmed = text.trim();
  if (trimmed.length > MAX_BYTES) return UNKNOWN;
  const plain = withPlainDigits(normalForm(trimmed, 'NFKC')).replace(AFTER, '');
  if (SCIENTIFIC.test(plain)) return Number(plain.replace(',', '.'));
  const bounds = plain.replace(BETWEEN, '$1 – ').replace(BOUND, '').split(RANGE);
  if (bounds.length === 2) return middleOf(bounds[0]!, bounds[1]!);
  return bounds.length === 1 ? figure(bounds[0]!) : UNKNOWN;
}

/**
 * The middle of a range. In "1–10K" the word counts for both; "B" is Turkish for a thousand, because nothing is searched for
 * billions of times, and "L" a hundred thousand in India: "10K – 1L".
 */
function middleOf(low: string, high: string): number {
  const inWords = (bound: string) => bound.replace(/(?<=\d\s?)B$/iu, 'K').replace(/(?<=\d\s?)L$/u, ' lakh');
  const [from, to] = [low, high].map((bound) => figure(inWords(bound)));
  const [fromDigits, toDigits] = [low, high].map((bound) => figure(bound.replace(/\s?\p{L}{1,4}\.?$/u, '')));
  const isShared = from === fromDigits && to !== toDigits && fromDigits! < toDigits!;
  return ((isShared ? (from! * to!) / toDigits! : from!) + to!) / 2;
}

/** The first digits of scripts whose digits are no compatibility forms: Arabic, Persian, Devanagari, Bengali, Thai. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
const otherDigit = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/gu;

/** A text with the digits and signs of other scripts as those of ASCII. */
function withPlainDigits(text: string): string {
  return text
    .replace(otherDigit, (digit) =>
      String(zeros.map((zero) => digit.charCodeAt(0) - zero).find((at) => at >= 0 && at < 10)),
    )
    .replaceAll('\u066c', ',')
    .replaceAll('\u066b', '.')
    .replaceAll('\u066a', '%')
    .replaceAll('¢', ' ct')
    .replace(pictures, '');
}

/** What people mark figures with: "🟢 30". */
const pictures = /^\p{Extended_Pictographic}\ufe0f?\s*/u;

/** {@link numberOfText} for bytes. Reads the forms that most tools print without creating a string. */
export function numberOfBytes(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MAX_BYTES) return UNKNOWN;
  const value = plainFigure(bytes, start, end);
  if (value >= 0) return value;
  let dash = -1;
  let hasDigit = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (isDigit(byte)) hasDigit = true;
    // Digits of other scripts, too.
    else if (byte >= 0x80) {
      hasDigit ||= byte !== 0xe2;
      if (byte === 0xe2 && dash < 0 && isDash(bytes, i, end)) dash = i;
    }
  }
  if (!hasDigit) return UNKNOWN;
  const middle = dash < 0 ? UNKNOWN : plainMiddle(bytes, start, dash, end);
  return middle >= 0 ? middle : numberOfText(decoder.decode(bytes.subarray(start, end)));
}

/**
 * {@link numberOfBytes} for counts: "1.300" is 1300, as written in much of Europe, because counts have no thousandths.
 */
export function countOfBytes(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MAX_BYTES || bytes.subarray(start, end).indexOf(POINT) < 0) return numberOfBytes(bytes, start, end);
  return numberOfText(decoder.decode(bytes.subarray(start, end)).replace(POINTED, '$1$2'));
}

/** No figure is longer; a longer text is prose. */
const MAX_BYTES = 64;
/** With at most this many digits, a mantissa is below 2^53 and the power of ten is exact. */
const MAX_DIGITS = 15;
const DOLLAR = 0x24;
const PERCENT = 0x25;
const COMMA = 0x2c;
const POINT = 0x2e;
const SPACE = 0x20;
const dashBytes = 3;
const decoder = new TextDecoder();
const powers = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

/** Whether an en dash or em dash is at this position. */
function isDash(bytes: Uint8Array, at: number, end: number): boolean {
  return at + dashBytes <= end && bytes[at + 1] === 0x80 && (bytes[at + 2] === 0x93 || bytes[at + 2] === 0x94);
}

/** The middle of "1K – 10K"; unknown if only one bound has a letter, or "B", which may be Turkish. */
function plainMiddle(bytes: Uint8Array, start: number, dash: number, end: number): number {
  const [low, high] = [bytes[bytes[dash - 1] === SPACE ? dash - 2 : dash - 1]!, bytes[end - 1]!];
  if (isDigit(low) !== isDigit(high) || (high | 0x20) === 0x62) return UNKNOWN;
  const left = plainFigure(bytes, start, bytes[dash - 1] === SPACE ? dash - 1 : dash);
  const after = dash + dashBytes;
  return (left + plainFigure(bytes, bytes[after] === SPACE ? after + 1 : after, end)) / 2;
}

/** Parses "1300", "1,300", "0.45", "$1.20", "33.33%" or "1.5K"; unknown for any other form. */
function plainFigure(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start] === DOLLAR ? start + 1 : start;
  let i = first;
  let mantissa = 0;
  let group = 0;
  let isGrouped = false;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if (isDigit(byte)) {
      mantissa = mantissa * 10 + (byte - 0x30);
      group++;
    } else if (byte === COMMA && (isGrouped ? group === 3 : group > 0 && group <= 3)) {
      isGrouped = true;
      group = 0;
    } else break;
  }
  if (group === 0 || (isGrouped && group !== 3)) return UNKNOWN;
  let decimals = 0;
  if (i < end && bytes[i] === POINT) {
    for (i++; i < end && isDigit(bytes[i]!); i++) {
      mantissa = mantissa * 10 + (bytes[i]! - 0x30);
      decimals++;
    }
    if (decimals === 0) return UNKNOWN;
  }
  if (i - first > MAX_DIGITS) return UNKNOWN;
  const multiple = i < end ? multipleOf(bytes[i]!) : 0;
  if (multiple > 0) i++;
  if (i < end && bytes[i] === PERCENT) i++;
  if (i < end) return UNKNOWN;
  const value = mantissa / powers[decimals]!;
  return multiple > 0 ? value * multiple : value;
}

/** The multiplier that a letter stands for, or 0. */
function multipleOf(byte: number): number {
  const letter = byte | 0x20;
  return letter === 0x6b ? 1e3 : letter === 0x6d ? 1e6 : letter === 0x62 ? 1e9 : 0;
}

function figure(text: string): number {
  const match = FIGURE.exec(text.trim());
  if (!match) return UNKNOWN;
  const multiple = match[2] === undefined ? 1 : multiples.get(match[2].toLowerCase());
  const value = Number(plainDecimal(WHOLE_UNITS.test(text) ? match[1]!.replace(POINTED, '$1$2') : match[1]!));
  if (!Number.isFinite(value) || multiple === undefined) return UNKNOWN;
  // Divided, hundredths are the numbers that the decimals would be.
  return multiple < 1 ? value / (1 / multiple) : value * multiple;
}

/** The digits with a decimal point, whatever the separators were. */
function plainDecimal(digits: string): string {
  const plain = digits.replace(/['’\s]/gu, '');
  const comma = plain.lastIndexOf(',');
  const point = plain.lastIndexOf('.');
  if (comma >= 0 && point >= 0) {
    const [thousands, decimal] = comma > point ? ['.', ','] : [',', '.'];
    return plain.replaceAll(thousands, '').replace(decimal, '.');
  }
  if (comma >= 0) return THOUSANDS.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.');
  return /^-?\d{1,3}(\.\d{3}){2,}$/u.test(plain) ? plain.replaceAll('.', '') : plain;
}
