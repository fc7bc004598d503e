import { analyse } from 'chardet';
import { isKnownName } from './names.ts';
import { type Encoding, type EncodingSample, encodings, excerpt } from './reading.ts';

const sampleBytes = 1 << 16;
/** Line feed, TAB, comma, semicolon, quote. */
const separators = new Set([0x0a, 0x09, 0x2c, 0x3b, 0x22]);

/** How a text file is encoded. If that is a guess, also the first telling line in each likely encoding. */
export type FoundEncoding = { readonly encoding: Encoding; readonly guessedFrom?: readonly EncodingSample[] };

/**
 * Finds the encoding of a text file from its first bytes: by its byte order mark, by zero bytes beside separators (UTF-16), or by whether it is valid
 * UTF-8; otherwise the likeliest of the encodings with one or two bytes per character. Undefined if it is not text.
 *
 * @param isWhole whether `head` is the whole file, so that a character that is cut off at its end is a fault
 */
export function encodingOf(head: Uint8Array, isWhole = false): FoundEncoding | undefined {
  const marked = markedEncoding(head);
  // The mark of UTF-32, which is not read, begins like that of UTF-16.
  if (marked?.encoding === 'utf-16le' && head[2] === 0 && head[3] === 0) return undefined;
  if (marked?.encoding === 'utf-8') return unicodeOf(head);
  if (marked) return { encoding: marked.encoding };
  const wide = wideEncoding(head.subarray(0, sampleBytes));
  if (wide) return { encoding: wide };
  if (head.includes(0)) return undefined;
  return isUtf8(head, isWhole) ? unicodeOf(head) : guessedEncoding(head);
}

/** UTF-8; or UTF-8 that was read as Windows-1252 and saved as UTF-8 again, if everything beyond ASCII makes sense when this is undone. */
function unicodeOf(head: Uint8Array): FoundEncoding {
  const text = decoderOf('utf-8').decode(head);
  let isAny = false;
  for (const [run] of text.matchAll(beyondAscii)) {
    // The last character may be cut off.
    if (run.endsWith('\ufffd')) break;
    if (decodedAgain(run) === undefined) return { encoding: 'utf-8' };
    isAny = true;
  }
  if (!isAny) return { encoding: 'utf-8' };
  const line = text
    .split('\n')
    .find((one) => one.search(beyondAscii) >= 0)!
    .trim();
  return {
    encoding: 'utf-8-twice',
    guessedFrom: [
      { encoding: 'utf-8-twice', text: excerpt(decodedTwice(line)) },
      { encoding: 'utf-8', text: excerpt(line) },
    ],
  };
}

const beyondAscii = /[^\0-\x7f]+/gu;

/** By character, the bytes above ASCII of Windows-1252. */
const bytesOf1252: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 0x80 }, (_, at) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + at)),
    0x80 + at,
  ]),
);

/** Undoes that UTF-8 was read as Windows-1252; undefined if the characters cannot come from that. */
function decodedAgain(run: string): string | undefined {
  const bytes = Array.from(run, (sign) => bytesOf1252.get(sign) ?? 0);
  return bytes.includes(0) ? undefined : textOfUtf8(Uint8Array.from(bytes));
}

const decodedTwice = (text: string): string => text.replace(beyondAscii, (run) => decodedAgain(run) ?? run);

/** Other names that chardet gives to encodings. The Windows encodings contain the ISO ones and have more signs. */
const isoNames: Readonly<Record<string, Encoding>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'ISO-8859-6': 'windows-1256',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
};

/** The encoding that chardet names, except UTF: whether bytes are valid UTF is known, not guessed. */
const encodingCalled = (name: string): Encoding | undefined =>
  isoNames[name] ?? encodings.find((one) => one === name.toLowerCase() && !one.startsWith('utf'));

const shownGuesses = 4;
/** On the scale of chardet's confidence, 0 to 100: what a text gains for each known name with letters outside ASCII in its header. */
const perKnownName = 40;
/** What a text loses if all of its letters outside ASCII are improbable. */
const forOddLetters = 100;

/** What a text gains if all of its letters outside ASCII are of one language, and if all of its ideographs are common. */
const forOneLanguage = 30;
const forCommonSigns = 40;
/** What a text loses if all of its letters outside ASCII are capitals. */
const forCapitals = 30;

/** The likeliest encoding of bytes that are not UTF-8: by the frequency of letters, and by whether the header makes sense. */
export function guessedEncoding(head: Uint8Array): FoundEncoding {
  const bytes = tellingLines(head);
  const found = new Map<Encoding, number>([
    ['windows-1252', 1],
    ['macintosh', 0],
    ['windows-1257', 0],
  ]);
  for (const { name, confidence } of analyse(bytes)) {
    const encoding = encodingCalled(name);
    if (encoding) found.set(encoding, Math.max(found.get(encoding) ?? 0, confidence));
  }
  for (const [encoding, confidence] of unknownToChardet(bytes, found.get('windows-1252')!))
    found.set(encoding, confidence);
  const scored = [...found].map(([encoding, confidence]) => {
    const text = decoderOf(encoding).decode(bytes);
    const score =
      confidence +
      perKnownName * knownForeignNames(text) -
      forOddLetters * shareOfOddLetters(text) -
      forCapitals * shareOfCapitals(text) +
      forOneLanguage * shareOfOneLanguage(encoding, text) +
      forCommonSigns * shareOfCommonSigns(encoding, bytes);
    return { encoding, text, score };
  });
  scored.sort((one, other) => other.score - one.score);
  const line = bytes.findIndex((byte) => byte >= 0x80);
  const from = bytes.lastIndexOf(LF, line) + 1;
  const to = bytes.indexOf(LF, line);
  const shown = bytes.subarray(from, to < 0 ? undefined : to);
  return {
    encoding: scored[0]!.encoding,
    guessedFrom: scored.slice(0, shownGuesses).map(({ encoding }) => ({
      encoding,
      text: excerpt(decoderOf(encoding).decode(shown).trim()),
    })),
  };
}

const LF = 0x0a;

/** Encodings that chardet does not know, with a confidence like those it states. @param western that of Windows-1252 */
function unknownToChardet(bytes: Uint8Array, western: number): readonly (readonly [Encoding, number])[] {
  return [
    ['macintosh', western],
    ['windows-1257', western],
    // chardet knows encodings of Windows, so these are tried with the same text converted to one.
    ['ibm850', confidenceAs('ISO-8859-1', western850, bytes)],
    ['ibm866', confidenceAs('windows-1251', cyrillic866, bytes)],
    ['windows-874', 0],
  ];
}

function confidenceAs(name: string, recoded: Uint8Array, bytes: Uint8Array): number {
  const found = analyse(bytes.map((byte) => (byte < 0x80 ? byte : recoded[byte - 0x80]!)));
  return (
    found.find((one) => one.name === name || one.name === name.replace('ISO-8859-1', 'windows-1252'))?.confidence ?? 0
  );
}

/** For each byte from 0x80 of one single-byte encoding, the byte of the same character in another. */
function recoding(from: Encoding, to: Encoding): Uint8Array {
  const upper = Uint8Array.from({ length: 0x80 }, (_, at) => 0x80 + at);
  const byteOf = new Map([...decoderOf(to).decode(upper)].map((sign, at) => [sign, 0x80 + at]));
  const other = 0xa4;
  return Uint8Array.from([...decoderOf(from).decode(upper)], (sign) => byteOf.get(sign) ?? other);
}

/** The lines that have a character outside ASCII: all others look the same in each encoding. */
function tellingLines(head: Uint8Array): Uint8Array {
  const telling = new Uint8Array(Math.min(head.length, sampleBytes));
  let length = 0;
  for (let from = 0; from < head.length && length < telling.length; ) {
    const end = head.indexOf(LF, from) + 1 || head.length;
    const line = head.subarray(from, end);
    if (line.some((byte) => byte >= 0x80)) {
      const fitting = line.subarray(0, telling.length - length);
      telling.set(fitting, length);
      length += fitting.length;
    }
    from = end;
  }
  return telling.subarray(0, length);
}

/** How many cells of the first lines are known names of fields with a letter outside ASCII. Only the right encoding gives such names. */
function knownForeignNames(text: string): number {
  const cells = text
    .split('\n', 5)
    .join('\n')
    .split(/[\n\r\t,;|]/u)
    .map((cell) => cell.replaceAll('"', ''));
  return cells.filter((cell) => /[^\p{ASCII}]/u.test(cell) && isKnownName(cell)).length;
}

/** The letters outside ASCII of languages that encodings with one byte per character are for. */
const western = ['äöüß', 'àâæçéèêëîïôœùûü', 'áéíñóúü¿¡ç', 'áâãàçéêíóôõúü', 'àèéìíîòóùú', 'åäöæøé', 'áéíóúýþæöð'];
const languagesOf: { readonly [Of in Encoding]?: readonly string[] } = {
  'windows-1250': ['ąćęłńóśźż', 'áäčďéěíľĺňóôŕřšťúůýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţșț'],
  'windows-1252': western,
  'windows-1254': ['çğıöşüâîû', ...western],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'],
  macintosh: western,
  'windows-1251': [
    'абвгдежзийклмнопрстуфхцчшщъыьэюяё',
    'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
    'абвгдежзийклмнопрстуфхцчшщъьюя',
  ],
  'koi8-r': ['абвгдежзийклмнопрстуфхцчшщъыьэюяё'],
  'windows-1253': ['αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ'],
  'windows-1255': ['אבגדהוזחטיכלמנסעפצקרשתךםןףץ'],
  ibm850: western,
  ibm866: ['абвгдежзийклмнопрстуфхцчшщъыьэюяё'],
  'windows-874': ['กขคงจฉชซญฐณดตถทธนบปผฝพฟภมยรลวศษสหอะาำเแโใไ'],
  'windows-1256': ['ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئةىپچژگ'],
};

/**
 * The share of letters outside ASCII that belong to the best fitting language of the encoding; 0 if it has no language here. A word of Latin letters
 * that are all outside ASCII is no word of any language.
 */
function shareOfOneLanguage(encoding: Encoding, text: string): number {
  const languages = languagesOf[encoding] ?? [];
  let letters = 0;
  const found = languages.map(() => 0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const foreign = word.match(/[^\p{ASCII}]/gu) ?? [];
    letters += foreign.length;
    if (/^\p{Script=Latin}/u.test(word) && foreign.length > 2 && foreign.length === word.length) continue;
    languages.forEach((own, at) => {
      for (const letter of foreign) if (own.includes(letter)) found[at]!++;
    });
  }
  return letters === 0 ? 0 : Math.max(0, ...found) / letters;
}

/** The first bytes of common ideographs and syllables: each standard sorts them before the rare ones. */
const commonSigns: { readonly [Of in Encoding]?: readonly [from: number, to: number] } = {
  gb18030: [0xb0, 0xd7],
  big5: [0xa4, 0xc6],
  'euc-kr': [0xb0, 0xc8],
};

function shareOfCommonSigns(encoding: Encoding, bytes: Uint8Array): number {
  // A few pairs of bytes in EUC-JP are kana, which other languages do not have between ideographs.
  if (encoding === 'euc-jp') {
    const isKana = (first: number, second: number) => (first === 0xa4 || first === 0xa5) && second >= 0xa1;
    return Math.min(1, 4 * shareOfPairs(bytes, isKana));
  }
  const common = commonSigns[encoding];
  return common ? shareOfPairs(bytes, (first) => first >= common[0] && first <= common[1]) : 0;
}

/** The share of pairs of bytes, of which the first is not ASCII, that satisfy a condition. */
function shareOfPairs(bytes: Uint8Array, holds: (first: number, second: number) => boolean): number {
  let signs = 0;
  let found = 0;
  for (let at = 0; at + 1 < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue;
    signs++;
    if (holds(bytes[at]!, bytes[at + 1]!)) found++;
    at++;
  }
  return signs === 0 ? 0 : found / signs;
}

/**
 * What words do not contain: control characters, signs and quotation marks within words, capitals after small letters, letters of another script
 * beside those of ASCII, final letters of Hebrew within words, and in Thai rare letters, or vowels and tones without a consonant.
 */
const oddLetters = [
  /[\u0080-\u009f\ufffd]/gu,
  /(?<=\p{L})[^\p{L}\p{N}\p{M}\p{P}\p{ASCII}]/gu,
  /(?<=\p{L})[„“”…‚†‡‰‹›«»–—](?=\p{L})/gu,
  /(?<=\p{L}{3})[¹²³]|[¹²³](?=\p{L})/gu,
  /(?<=\p{Ll})[^\p{ASCII}\P{Lu}]/gu,
  /(?<=[a-z])[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/gu,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}](?=[a-z])/gu,
  /[ךםןףץ](?=[א-ת])/gu,
  /(?<![\u0e01-\u0e2e\u0e31-\u0e3a\u0e47-\u0e4e])[\u0e31-\u0e3a\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])/gu,
  /[ฃฅฆฌฎฏฑฒฬฮ\u0e45\u0e4e-\u0e7f]/gu,
];

/** The share of characters outside ASCII that words do not contain. */
function shareOfOddLetters(text: string): number {
  const foreign = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  const odd = oddLetters.reduce((sum, one) => sum + (text.match(one)?.length ?? 0), 0);
  return foreign === 0 ? 0 : Math.min(1, odd / foreign);
}

/** The share of letters outside ASCII with two cases that are capitals. Keywords have hardly any. */
function shareOfCapitals(text: string): number {
  const cased = text.match(/[^\p{ASCII}\P{Lu}]|[^\p{ASCII}\P{Ll}]/gu) ?? [];
  return cased.length === 0 ? 0 : cased.filter((letter) => letter !== letter.toLowerCase()).length / cased.length;
}

/** The encoding that a byte order mark states, and the length of the mark. */
function markedEncoding(head: Uint8Array): { encoding: Encoding; bytes: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bytes: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bytes: 2 };
  return undefined;
}

/** UTF-16 without a mark: separators have a zero byte on one side. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  let after = 0;
  let before = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (separators.has(bytes[at]!) && bytes[at + 1] === 0) after++;
    if (bytes[at] === 0 && separators.has(bytes[at + 1]!)) before++;
  }
  if (after >= 3 && after >= 20 * before) return 'utf-16le';
  if (before >= 3 && before >= 20 * after) return 'utf-16be';
  return undefined;
}

const strictDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const strict = strictDecoder();
const isUtf8 = (bytes: Uint8Array, isWhole = true): boolean => textOfUtf8(bytes, isWhole) !== undefined;

/** The text of bytes; undefined if they are not valid UTF-8. @param isWhole otherwise a character may be cut off at the end */
export function textOfUtf8(bytes: Uint8Array, isWhole = true): string | undefined {
  try {
    return (isWhole ? strict : strictDecoder()).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}

/** The signs of DOS 850 from 0x80 on, which no platform decodes. Source: IBM code page 850. */
const upperOf850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

type Decoder = { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string };

const decoder850: Decoder = {
  decode: (bytes = new Uint8Array()) =>
    Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : upperOf850[byte - 0x80]!)).join(''),
};

/** A decoder for an encoding. */
export function decoderOf(encoding: Encoding): Decoder {
  if (encoding === 'utf-8-twice') return twiceDecoder();
  return encoding === 'ibm850' ? decoder850 : new TextDecoder(encoding);
}

function twiceDecoder(): Decoder {
  const decoder = new TextDecoder();
  /** Characters that may continue in the next piece. */
  let begun = '';
  return {
    decode(bytes, { stream = false } = {}) {
      const text = begun + decoder.decode(bytes, { stream });
      let end = text.length;
      while (stream && end > 0 && text.charCodeAt(end - 1) > 0x7f) end--;
      begun = text.slice(end);
      return decodedTwice(text.slice(0, end));
    },
  };
}

const western850 = recoding('ibm850', 'windows-1252');
const cyrillic866 = recoding('ibm866', 'windows-1251');

/** Converts a file of any encoding to UTF-8 without a byte order mark, in pieces of any size. UTF-8 is not checked. */
export class Utf8Bytes {
  readonly #decoder: Decoder | undefined;
  readonly #encoder = new TextEncoder();
  readonly #write: (bytes: Uint8Array) => void;
  /** The first bytes of UTF-8, until it is clear whether they are a mark. */
  #head: Uint8Array | undefined;

  constructor(encoding: Encoding, write: (bytes: Uint8Array) => void) {
    this.#write = write;
    if (encoding === 'utf-8') this.#head = new Uint8Array();
    else this.#decoder = decoderOf(encoding);
  }

  write(bytes: Uint8Array): void {
    if (this.#decoder) {
      const text = this.#decoder.decode(bytes, { stream: true });
      if (text.length > 0) this.#write(this.#encoder.encode(text));
    } else if (this.#head) this.#begin(this.#head, bytes);
    else this.#write(bytes);
  }

  end(): void {
    const rest = this.#decoder ? this.#encoder.encode(this.#decoder.decode()) : this.#head;
    if (rest && rest.length > 0) this.#write(rest);
  }

  #begin(head: Uint8Array, bytes: Uint8Array): void {
    const joined = new Uint8Array(head.length + bytes.length);
    joined.set(head);
    joined.set(bytes, head.length);
    this.#head = joined;
    if (joined.length < 3) return;
    this.#head = undefined;
    const text = joined.subarray(markedEncoding(joined)?.encoding === 'utf-8' ? 3 : 0);
    if (text.length > 0) this.#write(text);
  }
}

/**
 * Counts the lines of a file that are not valid UTF-8, in pieces of any size. A file with more of them than
 * {@link isOtherEncoding} allows was written in another encoding.
 */
export class Utf8Lines {
  lines = 0;
  invalid = 0;
  /** The first invalid lines, up to a few thousand bytes. */
  sample: Uint8Array = new Uint8Array();
  /** The first bytes of a character that the next piece completes. */
  #begun = new Uint8Array();
  #isLineBad = false;

  write(piece: Uint8Array): void {
    const bytes = joined(this.#begun, piece);
    const whole = bytes.length - begunCharacter(bytes);
    this.#begun = bytes.slice(whole);
    this.#check(bytes.subarray(0, whole));
  }

  end(): void {
    if (this.#begun.length > 0) this.#isLineBad = true;
    this.#endLine();
  }

  #check(bytes: Uint8Array): void {
    if (!this.#isLineBad && isUtf8(bytes)) {
      this.lines += count(bytes, LF);
      return;
    }
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      this.#isLineBad ||= !isUtf8(bytes.subarray(from, end));
      if (this.#isLineBad && this.sample.length < invalidSampleBytes)
        this.sample = joined(this.sample, bytes.slice(from, end + 1));
      this.#endLine();
      from = end + 1;
    }
    this.#isLineBad ||= !isUtf8(bytes.subarray(from));
  }

  #endLine(): void {
    this.lines++;
    if (this.#isLineBad) this.invalid++;
    this.#isLineBad = false;
  }
}

const invalidSampleBytes = 1 << 13;

/** Whether so many lines are invalid that the file has another encoding. If there are fewer, these lines are unreadable. */
export const isOtherEncoding = ({ lines, invalid }: { lines: number; invalid: number }): boolean =>
  invalid > lines / 1000;

/** How many bytes at the end are an incomplete character. */
function begunCharacter(bytes: Uint8Array): number {
  for (let length = 1; length <= 3 && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0;
  }
  return 0;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function count(bytes: Uint8Array, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found++;
  return found;
}
