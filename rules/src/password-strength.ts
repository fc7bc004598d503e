import { commonPasswords } from './common-passwords.ts';

export type Strength = 'weak' | 'fair' | 'strong';

/** In bits: how much a stolen hash withstands for weeks, and for good, at the cost of our hashing. */
const fairBits = 40;
const strongBits = 65;

/** The kinds of characters that an attacker has to try, and how many there are of each. */
const kinds: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 33],
];

/**
 * How hard a password is to guess, for the hint beside its field. What {@link isGuessable} refuses is weak; the rest is
 * rated by its length and its kinds of characters.
 *
 * @param email the address of the account, possibly incomplete or empty
 */
export function passwordStrength(password: string, email: string): Strength {
  const bits = entropyBits(password);
  if (bits < fairBits || isGuessable(password, email)) return 'weak';
  return bits < strongBits ? 'fair' : 'strong';
}

const nothing: ReadonlySet<string> = new Set();

/**
 * Whether a password is among the first that an attacker would guess: a common one, a common one with digits or signs
 * around it or with the usual letter swaps, one character or a short piece repeated, a run along the alphabet, the
 * digits or the keyboard, or one or two words (common ones, or from the account's own email or the name of this product)
 * with at most four characters around them.
 *
 * @param breached passwords found in breaches, in lower case. The server passes them; they are too many for the browser.
 */
export function isGuessable(password: string, email: string, breached = nothing): boolean {
  const plain = password.normalize('NFC').toLowerCase();
  const letters = unswapped(plain);
  const core = (text: string) => text.replace(/^\P{L}+|(?<!\P{L})\P{L}+$/gu, '');
  const candidates = [plain, letters, core(plain), core(letters)];
  if (candidates.some((candidate) => commonPasswords.has(candidate))) return true;
  if ([plain, letters].some((candidate) => breached.has(candidate))) return true;
  if (isRepetition(plain) || isRun(plain)) return true;
  return isKnownWords(plain, email) || isKnownWords(letters, email);
}

/**
 * The entropy of a password whose characters are random within their kinds, in bits. A character that repeats the one
 * before it, or is next to it in the alphabet (aaa, abc, 321), adds nothing.
 */
function entropyBits(password: string): number {
  const pool = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const codes = [...password].map((character) => character.codePointAt(0)!);
  const surprising = codes.filter((code, at) => at === 0 || Math.abs(code - codes[at - 1]!) > 1).length;
  return surprising * Math.log2(pool || 1);
}

/** Words of this product, which its users try first. */
const productWords = ['keywordclustering', 'keyword', 'keywords', 'clustering', 'cluster', 'admin', 'administrator'];

/** Undoes the usual letter swaps: p4$$w0rd → password. */
function unswapped(text: string): string {
  const swaps: Readonly<Record<string, string>> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's',
    '!': 'i',
  };
  return text.replace(/[013457@$!]/g, (sign) => swaps[sign] ?? sign);
}

/** Whether a piece of up to four characters repeats: aaaaaa, abcabc. */
const isRepetition = (text: string): boolean => /^(.{1,4}?)\1+$/u.test(text) && text.length < 24;

const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];

/** Whether at least two thirds of the characters continue a run, in either direction. */
function isRun(text: string): boolean {
  const lines = [...runs, ...runs.map((run) => [...run].reverse().join(''))];
  let steps = 0;
  for (let i = 1; i < text.length; i++) {
    if (lines.some((line) => line.includes(text.slice(i - 1, i + 1)))) steps++;
  }
  return text.length > 1 && steps / (text.length - 1) >= 2 / 3 && text.length < 30;
}

function ownWords(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const parts = [email.toLowerCase(), local, ...local.split(/[.+_-]/), domain, domain.split('.')[0] ?? ''];
  return [...parts.filter((part) => part.length >= 4), ...productWords];
}

/** Whether the text is one or two known words and at most four more characters. Blanks and signs are not counted. */
function isKnownWords(text: string, email: string): boolean {
  const dense = withoutSigns(text);
  const words = [...ownWords(email), ...commonPasswords].map(withoutSigns).filter((word) => word.length >= 4);
  const rests = words.filter((word) => dense.includes(word)).map((word) => dense.replace(word, ''));
  // Lengths are compared first. Otherwise a long password made of words needs a search for each pair of words.
  return rests.some(
    (rest) => rest.length <= 4 || words.some((word) => rest.length - word.length <= 4 && rest.includes(word)),
  );
}

const withoutSigns = (text: string): string => text.replace(/[\s._-]/g, '');
