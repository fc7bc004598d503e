export type Strength = 'weak' | 'fair' | 'strong';

/** In bits. What a stolen hash withstands for minutes, for weeks, for good, at the cost of ours. */
const fairBits = 40;
const strongBits = 65;

/** Kinds of signs that a guesser has to try, and how many there are of each. */
const kinds: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 33],
];

/**
 * A first idea of how hard a password is to guess, for the hint beside its field: its signs, each as surprising as its
 * kind is large, not counting those that repeat the one before or go on from it (aaa, abc, 321).
 *
 * It knows no words: what is common or names the person is refused by the server, whatever this says.
 */
export function estimateStrength(password: string): Strength {
  const pool = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const codes = [...password].map((sign) => sign.codePointAt(0)!);
  const surprising = codes.filter((code, at) => at === 0 || Math.abs(code - codes[at - 1]!) > 1).length;
  const bits = surprising * Math.log2(pool || 1);
  if (bits < fairBits) return 'weak';
  return bits < strongBits ? 'fair' : 'strong';
}
