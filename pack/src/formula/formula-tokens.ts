import { refuseAt } from './formula-problem.ts';

/** A token and its place in characters, counted from 1. */
export type Token = { readonly at: number; readonly length: number } & (
  | { readonly kind: 'number'; readonly value: number; readonly text: string }
  | { readonly kind: 'name' | 'text'; readonly text: string }
  /** An operator, a bracket or a comma, in its usual spelling. */
  | { readonly kind: 'sign'; readonly text: Sign; readonly written: string }
  | { readonly kind: 'end'; readonly text: '' }
);

export type Sign =
  | '('
  | ')'
  | ','
  | '+'
  | '-'
  | '*'
  | '/'
  | '^'
  | '<'
  | '<='
  | '>'
  | '>='
  | '='
  | '!='
  | 'and'
  | 'or'
  | 'not';

/** The greatest number that columns represent exactly. Source: docs/pack-format.md. */
export const greatestNumber = 2 ** 53;

/** Signs by spelling. */
const signs: ReadonlyMap<string, Sign> = new Map<string, Sign>([
  ['<=', '<='],
  ['>=', '>='],
  ['==', '='],
  ['!=', '!='],
  ['&&', 'and'],
  ['||', 'or'],
  ['(', '('],
  [')', ')'],
  [',', ','],
  ['+', '+'],
  ['-', '-'],
  ['−', '-'],
  ['*', '*'],
  ['×', '*'],
  ['/', '/'],
  ['÷', '/'],
  ['^', '^'],
  ['<', '<'],
  ['≤', '<='],
  ['>', '>'],
  ['≥', '>='],
  ['=', '='],
  ['!', 'not'],
]);
const words: ReadonlyMap<string, Sign> = new Map([
  ['and', 'and'],
  ['or', 'or'],
  ['not', 'not'],
]);

const blank = /\s/u;
const digit = /[0-9]/;
const nameStart = /[\p{L}_]/u;
const namePart = /[\p{L}\p{M}\p{N}_]/u;

/** The tokens of a formula; the last one is its end. @throws FormulaRefused at a character that starts none */
export function tokensOf(text: string): Token[] {
  const characters = Array.from(text);
  const tokens: Token[] = [];
  for (let from = 0; from < characters.length; ) {
    if (blank.test(characters[from]!)) {
      from++;
      continue;
    }
    const token = tokenAt(characters, from);
    tokens.push(token);
    from += token.length;
  }
  tokens.push({ kind: 'end', text: '', at: characters.length + 1, length: 0 });
  return tokens;
}

function tokenAt(characters: readonly string[], from: number): Token {
  const first = characters[from]!;
  const at = from + 1;
  if (digit.test(first) || (first === '.' && digit.test(characters[from + 1] ?? ''))) return numberAt(characters, from);
  if (nameStart.test(first)) {
    let end = from + 1;
    while (end < characters.length && namePart.test(characters[end]!)) end++;
    const text = characters.slice(from, end).join('');
    const word = words.get(text.toLowerCase());
    const place = { at, length: end - from };
    return word ? { kind: 'sign', text: word, written: text, ...place } : { kind: 'name', text, ...place };
  }
  if (first === '"' || first === '“' || first === '”') return textAt(characters, from);
  const two = first + (characters[from + 1] ?? '');
  for (const written of [two, first]) {
    const sign = signs.get(written);
    if (sign) return { kind: 'sign', text: sign, written, at, length: Array.from(written).length };
  }
  return refuseAt({ at, length: 1 }, first === '%' ? { kind: 'percent' } : { kind: 'unexpected', text: first });
}

/** Digits, a decimal point, and an exponent such as `e-7`. */
function numberAt(characters: readonly string[], from: number): Token {
  const rest = characters.slice(from).join('');
  const [text] = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/i.exec(rest)!;
  const value = Number(text);
  const place = { at: from + 1, length: text.length };
  if (value > greatestNumber) refuseAt(place, { kind: 'number-too-large' });
  return { kind: 'number', value, text, ...place };
}

/** The name of a field in quotes; a quote inside is doubled. */
function textAt(characters: readonly string[], from: number): Token {
  const isQuote = (character: string | undefined) => character === '"' || character === '“' || character === '”';
  let text = '';
  for (let next = from + 1; next < characters.length; next++) {
    if (!isQuote(characters[next])) text += characters[next]!;
    else if (characters[next] === '"' && characters[next + 1] === '"') text += characters[++next]!;
    else return { kind: 'text', text, at: from + 1, length: next + 1 - from };
  }
  return refuseAt({ at: from + 1, length: characters.length - from }, { kind: 'unclosed-text' });
}
