import { numberOfText } from './numbers.ts';

/** The three levels that Google derives from the competition index, each as the middle of its third. */
const competitionLevels: Readonly<Record<string, number>> = { low: 1 / 6, medium: 1 / 2, high: 5 / 6 };

/** Whether a text means yes, for files with a separate column per intent. */
export function saysYes(text: string): boolean {
  return /^(true|yes|1|x)$/iu.test(text.trim());
}

/** Ad competition, 0 to 1, from a number on a scale to 1 or 100; NaN outside both. */
export function competitionOf(value: number): number {
  return shareOf(value > 1 ? value / 100 : value);
}

/** Ad competition, 0 to 1, from LOW, MEDIUM or HIGH; NaN for any other text. */
export function competitionOfLevel(text: string): number {
  return competitionLevels[text.trim().toLowerCase()] ?? Number.NaN;
}

/** Ad competition, 0 to 1, written "0.45", "45" or "45%"; NaN for any other text. */
export function competitionOfText(text: string): number {
  return text.trim().endsWith('%') ? shareOf(numberOfText(text) / 100) : competitionOf(numberOfText(text));
}

/** The value if it is between 0 and 1, otherwise NaN. */
export function shareOf(value: number): number {
  return value >= 0 && value <= 1 ? value : Number.NaN;
}
