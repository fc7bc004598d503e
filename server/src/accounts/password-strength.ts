import { dictionary } from '@zxcvbn-ts/language-common';
import { commonPasswords } from './common-passwords.ts';

/** Some 49,000 that were found in breaches, in lower case. */
const breached: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Words of this product, which its users try first. */
const productWords = ['keywordclustering', 'keyword', 'keywords', 'clustering', 'cluster', 'admin', 'administrator'];

/**
 * Whether a password is among the first that somebody would guess: a common one, a common one with digits or signs
 * around it or with the usual letter swaps, one character or a short piece repeated, a run along the alphabet, the
 * digits or the keyboard, or one or two words, common, of the person's own email or of this product's name, with at most
 * four characters around them.
 *
 * The breached ones come with the product, so that the check needs no network; the rules cover variants of the commonest.
 * Source: security S9, decisions §2.9.
 */
export function isWeak(password: string, email: string): boolean {
  const plain = password.normalize('NFC').toLowerCase();
  const letters = unswapped(plain);
  const core = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const candidates = [plain, letters, core(plain), core(letters)];
  if (candidates.some((candidate) => commonPasswords.has(candidate))) return true;
  if ([plain, letters].some((candidate) => breached.has(candidate))) return true;
  if (isRepetition(plain) || isRun(plain)) return true;
  return isKnownWords(plain, email) || isKnownWords(letters, email);
}

/** The usual swaps undone: p4$$w0rd → password. */
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

/** One piece of up to four characters again and again: aaaaaa, abcabc. */
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

/** At least two thirds of it are steps along a run, in either direction. */
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

/** One or two known words, with at most four characters beside them; blanks and signs are not counted. */
function isKnownWords(text: string, email: string): boolean {
  const dense = withoutSigns(text);
  const words = [...ownWords(email), ...commonPasswords].map(withoutSigns).filter((word) => word.length >= 4);
  const rests = words.filter((word) => dense.includes(word)).map((word) => dense.replace(word, ''));
  // Lengths first: a long password of nothing but words would take a search for every word in what every other leaves.
  return rests.some(
    (rest) => rest.length <= 4 || words.some((word) => rest.length - word.length <= 4 && rest.includes(word)),
  );
}

const withoutSigns = (text: string): string => text.replace(/[\s._-]/g, '');
