import { levelRank } from './names.ts';
import { type InCells, inCells, type ListMarks, type Reading, type Signs } from './reading.ts';
import { hasLetter, shareOf, withoutApostrophe } from './values.ts';

/** What is no part of keywords in a list, and what stands between several in one cell. */
type Notation = Pick<Reading, 'hasMatchTypes' | 'listMarks' | 'signs' | 'inCells'>;

/**
 * How the keywords of a list are written.
 *
 * @param texts the first cells of keywords
 * @param names of the columns
 */
export function notationOf(texts: readonly string[], names: readonly string[]): Notation {
  const separator = separatorInCells(texts, names);
  const listMarks = separator === undefined ? listMarksOf(texts) : undefined;
  const signs = signsOf(texts);
  return {
    ...(haveMatchTypes(texts, names) && { hasMatchTypes: true }),
    ...(listMarks && { listMarks }),
    ...(signs && { signs }),
    ...(separator !== undefined && { inCells: separator }),
  };
}

/**
 * The text of a keyword in a cell, without invisible characters, Excel's `="…"` and the apostrophe before formulas. Joiners inside a word stay,
 * because Persian and many signs need them.
 *
 * @param notation what is no part of the text, as `Reading` says it
 */
export function keywordText(cell: string, { hasMatchTypes, listMarks, signs }: Notation): string {
  if (!listMarks && isPlain.test(cell) && !(signs && /[&%<*`]/u.test(cell))) return cell;
  const shown = withoutApostrophe(cell);
  const unmarked = listMarks ? shown.replace(marksOfLists[listMarks], '').replace(emphasis, '$2') : shown;
  const visible = (signs ? decoders[signs](unmarked) : unmarked)
    .replace(invisible, '')
    .replace(/[\u200c\u200d]/gu, joinerInWord)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const text = /^="(.+)"$/u.exec(visible)?.[1] ?? visible;
  if (!hasMatchTypes) return text;
  return (exactOrPhrase.exec(text)?.slice(1).join('') ?? text.replace(broadMatch, '$1')).trim();
}

/** Names of signs in web pages. Those of U+00A0 to U+00FF stand in their order. Source: HTML 4, 24.2 to 24.4. */
const entities: ReadonlyMap<string, string> = new Map([
  ...`nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
    middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute
    Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
    Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
    eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
    .split(/\s+/u)
    .map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    ndash: '–',
    mdash: '—',
    euro: '€',
    hellip: '…',
  }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', trade: '™', bull: '•' }),
]);
const entity = /&(?:#(\d{2,7})|#x([\da-f]{2,6})|([a-z]{2,6}\d{0,2}));/giu;

/** The sign that a reference stands for; undefined if there is none. */
function signOf(decimal?: string, hexadecimal?: string, name?: string): string | undefined {
  if (name !== undefined) return entities.get(name);
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return code >= 0x20 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : undefined;
}

/** How the signs of keywords are written; undefined if they are as they are. */
function signsOf(texts: readonly string[]): Signs | undefined {
  if (haveTags(texts)) return 'tags';
  if (haveEntities(texts)) return 'entities';
  const escaped = texts.filter((text) => text.includes('%'));
  const areEscaped =
    texts.length > 0 && escaped.length >= Math.min(minEscaped, texts.length) && escaped.every(isEscaped);
  const withPlus = texts.filter((text) => /[\p{L}\p{N}]\+[\p{L}\p{N}]/u.test(text));
  // A sum, and the sign of a match type, are no blanks.
  const arePlus = withPlus.length > 0 && !texts.some((text) => /\s|^\+|%20/u.test(text));
  if (arePlus && (areEscaped || (withPlus.length >= minWithPlus && withPlus.length > texts.length / 2))) return 'plus';
  return areEscaped ? 'percent' : undefined;
}

const minEscaped = 2;
const minWithPlus = 3;

/** Whether a text is written as in an address, where no blank and no other percent sign is. */
const isEscaped = (text: string): boolean =>
  /^(?:[^\s%]|%[\da-f]{2})+$/iu.test(text) && decoders.percent(text) !== text;

const decoders: Readonly<Record<Signs, (text: string) => string>> = {
  entities: withoutEntities,
  tags: (text) => withoutEntities(withoutTags(text)),
  plus: (text) => decoders.percent(text.replace(/(?<=[^\s+])\+(?=[^\s+])/gu, ' ')),
  percent(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      // Bytes that are no UTF-8, or a percent sign that is one.
      return text;
    }
  },
};

type References = [decimal?: string, hexadecimal?: string, name?: string];

/** A text whose signs are written as in web pages; unknown names stay. */
function withoutEntities(text: string): string {
  return text.replace(entity, (whole, ...found: References) => signOf(...found) ?? whole);
}

/** Whether texts write their signs as web pages do: each "&" in them begins the name of one. */
function haveEntities(texts: readonly string[]): boolean {
  const escaped = texts.filter((text) => text.includes('&'));
  const isEscaped = (text: string) =>
    !text.replace(entity, (whole, ...found: References) => (signOf(...found) === undefined ? whole : '')).includes('&');
  return escaped.length > 0 && escaped.every(isEscaped);
}

/** A text between the tags of a web page that only show it in another way. Keywords about HTML name a tag alone: "<b> tag". */
const tagged = /<(b|strong|em|i|u|mark|span|font|a|p|li|td|h[1-6])(?:\s[^<>]*)?>([^<>]+)<\/\1>/giu;

/** A text that Markdown prints in another way as a whole. */
const marked = /^(\*\*|`)([^*`]+)\1$/u;

/** A text without such tags and marks, also those inside of others, and without a line break at its end. */
function withoutTags(text: string): string {
  let inner = text
    .trim()
    .replace(/<br ?\/?>$/iu, '')
    .replace(marked, '$2');
  for (let depth = 0; depth < maxTagDepth && inner.includes('<'); depth++) inner = inner.replace(tagged, '$2');
  return inner;
}

const maxTagDepth = 4;

/** Whether each "<" in texts begins or ends such a tag, and each "**" or "`" before them such a mark. */
function haveTags(texts: readonly string[]): boolean {
  const hasSign = (text: string) => /<|^\s*(?:\*\*|`)/u.test(text);
  const withSign = texts.filter(hasSign);
  return withSign.length > 0 && withSign.every((text) => !hasSign(withoutTags(text)));
}

/** What stands before the items of a list: "iv. ", "1. ", "2) ", "(3)", "4 - ", "⑤", "f) ", "- ", "• ", "✓". */
const marksOfLists = {
  numbers:
    /^\s*(?:\((\d{1,5})\)\s*|[#№]\s?(\d{1,5})\s+|(\d{1,5})\s?[.):、．：](?!\d)\s*|(\d{1,5})\s+[-–—]\s+|([①-⑳])\s*|([a-z])[.)]\s+)(?=\S)/u,
  count: /^\s*(\d{1,5})\s+(?=\p{L})/u,
  roman: /^\s*\(?([ivxlc]{1,9})[.):]\s+(?=\S)/iu,
  bullets: /^\s*(?:[\p{Pd}·*+>\p{So}\p{Co}→•▪◦‣・]\s+(?:\[[ x]\]\s+)?|[•▪◦‣・\p{Co}✓✔➤●○■▸►])(?=\S)/u,
} as const;

/** The place in a list that a roman number before an item says; undefined without one. */
function romanOfMark(text: string): number | undefined {
  const digits = marksOfLists.roman.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined || !/^(?:x[cl]|l?x{0,3})?(?:i[xv]|v?i{0,3})$/u.test(digits.replace(/^c{1,3}/u, '')))
    return undefined;
  const values = [...digits].map((digit) => romanDigits[digit]!);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** The place in a list that a mark before an item says; undefined without one. */
function numberOfMark(text: string): number | undefined {
  const mark = marksOfLists.numbers
    .exec(text)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (mark === undefined) return undefined;
  return /\d/u.test(mark) ? Number(mark) : mark.charCodeAt(0);
}

/** How Markdown, and so what chats write, prints the items of a list: "1. **oak desk**". */
const emphasis = /^(\*\*|__|`)(?!\s)(.+?)\1(?=\s|$)/u;
const exactOrPhrase = /^\[([^[\]]+)\]$|^["“”„«]([^"“”„«»]+)["“”»]$/u;
const broadMatch = /(^| )\+(?=\p{L})/gu;

/** Whether a keyword is written like those in the accounts of ads. */
const hasMatchType = (text: string): boolean => exactOrPhrase.test(text) || / \+\p{L}/u.test(` ${text}`);

/** Most keywords are words of ASCII with single blanks between them. */
const isPlain = /^(?!')[!#-*,-Z\\^-~]+(?: [!#-*,-Z\\^-~]+)*$/u;
/** Zero width spaces and word joiners, soft hyphens, fillers, marks of direction and byte order, selectors behind letters. */
const invisible =
  /\u034f|\u180b|\u180c|\u180d|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\uffa0\ufeff\ufff9-\ufffb]|(?<=[\p{L}\s])[\ufe00-\ufe0f]/gu;

/** A joiner if it stands between letters or signs, otherwise nothing. */
function joinerInWord(joiner: string, at: number, text: string): string {
  const joins = /[\p{L}\p{M}\p{S}\p{Cs}\u200c\u200d]/u;
  return joins.test(text[at - 1] ?? '') && joins.test(text[at + 1] ?? '') ? joiner : '';
}

/** If so many keywords are written with match types, or a column names them, they are notation. A search may contain a plus. */
const minWithMatchTypes = 0.1;

function haveMatchTypes(texts: readonly string[], names: readonly string[]): boolean {
  const share = texts.length === 0 ? 0 : shareOf(texts, hasMatchType);
  return share >= minWithMatchTypes || (share > 0 && names.some((name) => /^match.?type$/iu.test(name)));
}

/** Fewer keywords with marks before them may be called so: "1. FC". */
const minMarked = 3;
/** Of fewer lines, each may begin with its number by chance. */
const minCounted = 5;
/** Marks of a list stand before more than this share of its keywords, and its numbers nearly always rise, or begin anew. */
const markedShare = 0.5;
const risingShare = 0.8;
/** Before a dash or a colon, as figures stand, they also rise in small steps: "90 - oak desk", "800 - pine desk" are figures. */
const longestStep = 9;
const likeFigure = /^\s*\d{1,5}(?:\s+[-–—]|\s?[:：])/u;

function listMarksOf(texts: readonly string[]): ListMarks | undefined {
  const isMarked = (marked: readonly unknown[]) =>
    marked.length >= minMarked && marked.length > markedShare * texts.length;
  if (isMarked(texts.filter((text) => marksOfLists.bullets.test(text)))) return 'bullets';
  const areLikeFigures = shareOf(texts, (text) => likeFigure.test(text)) > markedShare;
  const longest = areLikeFigures ? longestStep : Number.POSITIVE_INFINITY;
  // The first one has none before it.
  const isStep = (step: number) => step > 0 && step <= longest;
  const beginsAnew = (numbers: readonly number[], at: number) => at > 0 && numbers[at] === 1 && numbers[at + 1] === 2;
  const rises = (numbers: readonly number[]) =>
    isMarked(numbers) &&
    numbers.filter((number, at) => isStep(number - numbers[at - 1]!) || beginsAnew(numbers, at)).length >=
      risingShare * (numbers.length - 1);
  if (rises(texts.flatMap((text) => numberOfMark(text) ?? []))) return 'numbers';
  if (rises(texts.flatMap((text) => romanOfMark(text) ?? []))) return 'roman';
  // Keywords begin with numbers, too, but do not count themselves.
  const isCounted = texts.every((text, at) => Number(marksOfLists.count.exec(text)?.[1]) === at + 1);
  const rest = new Set(texts.map((text) => text.replace(marksOfLists.count, '')));
  return isCounted && texts.length >= minCounted && rest.size === texts.length ? 'count' : undefined;
}

/** Of the cells of keywords, so many hold so many of them, if cells do. */
const cellsWithSeveral = 0.5;
const minInCells = 3;
const minCells = 3;
/** Nearly all parts of such cells are words. */
const inWords = 0.9;

/**
 * What stands between the keywords of a table whose cells hold several each, beside the name of their group: "oak desk, pine
 * desk, steel desk". Undefined where each cell is a keyword.
 */
function separatorInCells(texts: readonly string[], names: readonly string[]): InCells | undefined {
  if (texts.length === 0 || !names.some((name) => levelRank(name) !== undefined)) return undefined;
  return inCells.find((separator) => {
    const parts = texts.map((text) => text.split(separator));
    // Hardly any keyword has a comma, so that two in nearly each cell are enough.
    const areTwo = texts.length >= minCells && shareOf(texts, (text) => text.includes(separator)) >= inWords;
    const several = parts.filter(({ length }) => length >= (areTwo ? 2 : minInCells));
    const words = several.flat().map((word) => word.trim());
    return (
      several.length >= cellsWithSeveral * texts.length &&
      shareOf(words, (word) => hasLetter(word) && word.length <= longestInCells) >= inWords
    );
  });
}

/** A longer part of a cell is a sentence. */
const longestInCells = 80;
