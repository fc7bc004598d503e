import { numberOfText } from './numbers.ts';

/** Bits of an entry's intents. */
export const intentBits = { informational: 1, navigational: 2, commercial: 4, transactional: 8 } as const;

/** Semrush API: 0 commercial, 1 informational, 2 navigational, 3 transactional. */
const intentCodes = [
  intentBits.commercial,
  intentBits.informational,
  intentBits.navigational,
  intentBits.transactional,
];

/** Google's thirds of the competition index, each by its middle. */
const competitionLevels: Readonly<Record<string, number>> = { low: 1 / 6, medium: 1 / 2, high: 5 / 6 };

/** The bits of "Informational, Commercial", "I,C" or "1,0"; 0 where no intent is named. */
export function intentsOfText(text: string): number {
  let bits = 0;
  for (const word of text.toLowerCase().split(/[\s,;|/]+/u)) bits |= intentOfWord(word);
  return bits;
}

/** The bit of a numeric intent code, 0 for one that stands for none. */
export function intentOfCode(code: number): number {
  return intentCodes[code] ?? 0;
}

function intentOfWord(word: string): number {
  if (/^[0-3]$/u.test(word)) return intentOfCode(Number(word));
  for (const [name, bit] of Object.entries(intentBits)) {
    if (word === name || word === name[0]) return bit;
  }
  return 0;
}

/** Whether a text says yes, as a column of its own for each intent does. */
export function saysYes(text: string): boolean {
  return /^(true|yes|1|x)$/iu.test(text.trim());
}

/** Ad competition, 0 to 1, of a number that may also count to 100; NaN outside both. */
export function competitionOf(value: number): number {
  return shareOf(value > 1 ? value / 100 : value);
}

/** Ad competition, 0 to 1, of LOW, MEDIUM or HIGH; NaN for any other text. */
export function competitionOfLevel(text: string): number {
  return competitionLevels[text.trim().toLowerCase()] ?? Number.NaN;
}

/** Ad competition, 0 to 1, of "0.45", "45" or "45%"; NaN for any other text. */
export function competitionOfText(text: string): number {
  return text.trim().endsWith('%') ? shareOf(numberOfText(text) / 100) : competitionOf(numberOfText(text));
}

/** The value where it is a share, else NaN. */
export function shareOf(value: number): number {
  return value >= 0 && value <= 1 ? value : Number.NaN;
}
