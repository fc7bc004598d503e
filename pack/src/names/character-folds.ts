import { foldCase, foldForSearch } from './normal-form.ts';

/** Code points per page: those that share all but the last byte of their UTF-8 encoding. */
const pageCharacters = 64;
/** A byte of flags and length, and up to seven bytes of the fold. */
export const entryBytes = 8;
export const pageBytes = pageCharacters * entryBytes;
/** The number of pages of Unicode. */
export const pages = 0x110000 / pageCharacters;

/** The bits of an entry's first byte. */
export const entryFlags = {
  /** The size of the fold in bytes. */
  length: 0x07,
  /** The character may be folded by itself. Otherwise a name that contains it is folded as a whole. */
  isAlone: 0x08,
  /** A decomposed form starts or ends with a mark that may be reordered with a mark next to it. */
  startsWithMark: 0x10,
  endsWithMark: 0x20,
  /** The fold is the character itself. */
  isSame: 0x40,
  /** The character is unchanged by NFC. */
  isNormal: 0x80,
} as const;

/** The page of 64 characters that stay as they are in every text, such as most of Chinese and Korean. */
export const unchangedPage = new Uint8Array(0);

/**
 * Folds characters one by one, where this gives the same result as folding the whole text. It does for nearly all
 * characters; the others combine with a neighbour (é as two code points) or depend on one (the final sigma).
 *
 * Pages are computed from the string functions of the platform when they are first used, so they follow its version of
 * Unicode.
 */
export class CharacterFolds {
  /** The maximum size of a fold, per byte of the original. */
  static readonly growth = 3;
  readonly #stagesOf: (text: string) => readonly string[];
  readonly #pages = new Array<Uint8Array | undefined>(pages);
  // The results of the last call of `find`, as fields because `find` runs for every character.
  /** The page of the character. */
  page: Uint8Array = unchangedPage;
  /** The byte in `page` where its entry starts; not set for {@link unchangedPage}. */
  at = 0;
  /** The size of the character in bytes. */
  size = 0;

  /** @param stagesOf the text after each step of the fold; the last one is the fold */
  constructor(stagesOf: (text: string) => readonly string[]) {
    this.#stagesOf = stagesOf;
  }

  /** Finds the entry of the character at `index`, which is not ASCII. Returns its flags. @param names valid UTF-8 */
  find(names: Uint8Array, index: number): number {
    const lead = names[index]!;
    let pageNumber = lead & 0x1f;
    this.size = 2;
    if (lead >= 0xf0) {
      pageNumber = ((lead & 7) << 12) | ((names[index + 1]! & 0x3f) << 6) | (names[index + 2]! & 0x3f);
      this.size = 4;
    } else if (lead >= 0xe0) {
      pageNumber = ((lead & 0xf) << 6) | (names[index + 1]! & 0x3f);
      this.size = 3;
    }
    this.page = this.pageAt(pageNumber);
    if (this.page === unchangedPage) return unchanged;
    this.at = (names[index + this.size - 1]! & 0x3f) * entryBytes;
    return this.page[this.at]!;
  }

  /** The entries of 64 characters: `pageBytes` bytes, or {@link unchangedPage}. */
  pageAt(number: number): Uint8Array {
    this.#pages[number] ??= makePage(number, this.#stagesOf);
    return this.#pages[number];
  }
}

/**
 * The folds behind `TextKey`: NFC, case folding, NFC again, and every white space character as a space. They depend
 * only on the code point, so all readers share them.
 */
export const keyFolds = new CharacterFolds((text) => {
  const normal = text.normalize('NFC');
  const folded = foldCase(normal);
  // A final sigma depends on the letters around it.
  if (/[Σσς]/u.test(normal + folded)) return [];
  return [normal, folded, folded.normalize('NFC').replace(/\s/gu, ' ')];
});

/** The folds behind `SearchKey`. */
export const searchFolds = new CharacterFolds((text) => {
  const plain = text.normalize('NFKD');
  return [plain, foldCase(plain), foldForSearch(text)];
});

const { isAlone, isSame, isNormal, startsWithMark, endsWithMark } = entryFlags;
const unchanged = isAlone | isSame | isNormal;
const encoder = new TextEncoder();

function makePage(number: number, stagesOf: (text: string) => readonly string[]): Uint8Array {
  const first = number * pageCharacters;
  const points = Array.from({ length: pageCharacters }, (_, index) => first + index);
  if (isUnchanged(String.fromCodePoint(...points), stagesOf)) return unchangedPage;
  const page = new Uint8Array(pageBytes);
  for (const [index, point] of points.entries()) {
    // Halves of surrogate pairs are not characters.
    if (point >= 0xd800 && point <= 0xdfff) continue;
    writeEntry(page, index * entryBytes, String.fromCodePoint(point), stagesOf);
  }
  return page;
}

/** Whether no character of a page is changed by the fold, decomposes (except Hangul syllables) or combines. */
function isUnchanged(characters: string, stagesOf: (text: string) => readonly string[]): boolean {
  if (/[\p{M}\p{Cs}]/u.test(characters) || lettersThatCombine.test(characters)) return false;
  const isStable = /^[가-힣]*$/u.test(characters) || characters.normalize('NFKD') === characters;
  return isStable && stagesOf(characters).at(-1) === characters;
}

/** Writes the entry of one character. It stays all zeros, so not `isAlone`, if the character may combine. */
function writeEntry(page: Uint8Array, at: number, text: string, stagesOf: (text: string) => readonly string[]): void {
  const stages = stagesOf(text);
  const forms = [text, ...stages].filter((form) => form !== '').map((form) => [...form.normalize('NFD')]);
  if (forms.some(([first]) => combines(first!))) return;
  if (text.normalize('NFC') === text) page[at]! |= isNormal;
  if (forms.some(([first]) => isReordered(first!))) page[at]! |= startsWithMark;
  if (forms.some((form) => isReordered(form.at(-1)!))) page[at]! |= endsWithMark;
  const fold = encoder.encode(stages.at(-1) ?? '');
  const maxBytes = Math.min(entryBytes - 1, CharacterFolds.growth * encoder.encode(text).length);
  if (stages.length === 0 || fold.length > maxBytes) return;
  page[at]! |= isAlone | fold.length;
  if (stages.at(-1) === text) page[at]! |= isSame;
  page.set(fold, at + 1);
}

/** Whether normalization may compose a code point with the one before it. */
function combines(point: string): boolean {
  if (!/\p{M}/u.test(point)) return lettersThatCombine.test(point);
  return marksThatCombine.test(point) || combiningOf(point.codePointAt(0)! >>> 8).has(point);
}

/** Vowels and finals of Hangul, and letters of Kirat Rai. */
const lettersThatCombine = /[\u1160-\u11ff\ud7b0-\ud7ff\u{16d40}-\u{16d7f}]/u;
/** Marks shared by several scripts. */
const marksThatCombine = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]/u;

const combining = new Map<number, ReadonlySet<string>>();

/**
 * The marks that combine with a letter of the same block of 256 code points. A script has its letters and its own marks
 * in the same block.
 */
function combiningOf(block: number): ReadonlySet<string> {
  const known = combining.get(block);
  if (known) return known;
  const found = new Set<string>();
  for (let point = block << 8; point < (block + 1) << 8; point++) {
    for (const mark of [...String.fromCodePoint(point).normalize('NFD')].slice(1)) found.add(mark);
  }
  combining.set(block, found);
  return found;
}

/**
 * Whether normalization may reorder a mark with a neighbour, that is, whether its combining class is not 0. JavaScript
 * does not expose the class, so this tries the mark next to one of the highest class (U+0345, 240) and next to one of
 * the lowest (U+0334, 1).
 */
function isReordered(point: string): boolean {
  if (!/\p{M}/u.test(point)) return false;
  return (
    `\u0345${point}`.normalize('NFD') !== `\u0345${point}` || `${point}\u0334`.normalize('NFD') !== `${point}\u0334`
  );
}
