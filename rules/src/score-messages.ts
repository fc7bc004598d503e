/** Texts about the formula of a score. Spread into the catalogue of `all-messages.ts`. */

/** Where the problem is: the number of its first character, from 1. */
type At = { at: number };
type Named = At & { text: string; suggestion?: string | undefined };

const meant = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : ` Did you mean “${suggestion}”?`;
const times = (count: number): string => (count === 1 ? '1 value' : `${count} values`);

export const scoreMessages = {
  'score/empty': 'Enter a formula.',
  'score/unexpected': ({ at, text }: At & { text: string }) => `Character ${at}: “${text}” cannot be here.`,
  'score/incomplete': ({ at }: At) => `Character ${at}: the formula ends too early. A number or a name is missing.`,
  'score/percent': ({ at }: At) => `Character ${at}: “%” has no meaning here. Write 0.3 for 30 %.`,
  'score/unknown-name': ({ at, text, suggestion }: Named) =>
    `Character ${at}: unknown field “${text}”.${meant(suggestion)}`,
  'score/unknown-function': ({ at, text, suggestion }: Named) =>
    `Character ${at}: unknown function “${text}”.${meant(suggestion)}`,
  'score/missing-figure': ({ at, text, suggestion }: Named) =>
    `Character ${at}: this file has no numbers in “${text}”.${meant(suggestion)}`,
  'score/arguments': ({
    at,
    text,
    least,
    most,
    given,
  }: At & { text: string; least: number; most: number; given: number }) =>
    `Character ${at}: “${text}” takes ${least === most ? '' : given < least ? 'at least ' : 'at most '}${times(given < least ? least : most)}, not ${given}.`,
  'score/not-a-figure': ({ at, text }: At & { text: string }) =>
    `Character ${at}: “${text}” takes the name of a field, such as ${text}(difficulty).`,
  'score/not-a-text': ({ at, text }: At & { text: string }) =>
    `Character ${at}: “${text}” takes a name in quotes, such as ${text}("Visits").`,
  'score/not-a-number': ({ at, text }: At & { text: string }) =>
    `Character ${at}: “${text}” takes four numbers, without fields.`,
  'score/missing-bracket': ({ at }: At) => `Character ${at}: this bracket is not closed.`,
  'score/unclosed-text': ({ at }: At) => `Character ${at}: the quotes are not closed.`,
  'score/number-too-large': ({ at }: At) =>
    `Character ${at}: this number is too large. Numbers go up to 9,007,199,254,740,992.`,
  'score/too-long': ({ most }: { most: number }) => `A formula has at most ${most} characters.`,
  'score/too-many-parts': ({ most }: { most: number }) => `A formula has at most ${most} numbers, names and operators.`,
  'score/too-deep': ({ at, most }: At & { most: number }) =>
    `Character ${at}: brackets can be nested at most ${most} deep.`,

  'score/applied': ({ name, uses }: { name: string; uses: string }) =>
    uses === '' ? `${name} is set. Nothing uses it yet.` : `${name} is set. Used for ${uses}.`,
  'score/removed': 'The score is removed.',
} as const;
