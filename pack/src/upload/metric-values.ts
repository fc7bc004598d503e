import { numberOfText } from './numbers.ts';

/** Google's thirds of the competition index, each by its middle. */
const competitionLevels: Readonly<Record<string, number>> = { low: 1 / 6, medium: 1 / 2, high: 5 / 6 };

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
