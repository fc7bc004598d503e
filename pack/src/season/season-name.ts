// Imports nothing of the engine, so that the first screen does not load it.

import { calendarMonths } from '../vocabulary/months.ts';

const prefix = 'season=';
const namePattern = /^season=(\d{4}-(?:0[1-9]|1[0-2]))?$/;

/** The value of a row without a clear season. */
export const noSeason = 'No clear season';
/** The index of {@link noSeason} among the values. The empty value before it means unknown; the months follow it. */
export const noSeasonValue = 1;
export const firstMonthValue = 2;

/**
 * The name under which the peak month is requested like a category of the file. The newest month is part of the name, so
 * everything that is cached by the names of its fields is cached by it. A member of a file with such a name cannot be
 * requested.
 *
 * @param newest the newest of the twelve months, such as `2026-04`; undefined if the file does not say it
 */
export const seasonFieldName = (newest: string | undefined): string => prefix + (newest ?? '');

/** The newest month in such a name; undefined for other names. */
export function seasonOfField(name: string): { readonly newest: string | undefined } | undefined {
  const match = namePattern.exec(name);
  return match ? { newest: match[1] } : undefined;
}

/** The values of the field: calendar months from January on, or, if `newest` is unknown, the twelve months of the file, oldest first. */
export const seasonValues = (newest: string | undefined): readonly string[] => [
  '',
  noSeason,
  ...(newest === undefined ? calendarMonths.map((_, month) => `Month ${month + 1} of 12`) : calendarMonths),
];

/**
 * The value of one of the twelve months of a file.
 *
 * @param month 0 for the oldest
 * @returns an index into {@link seasonValues}
 */
export function monthValue(month: number, newest: string | undefined): number {
  if (newest === undefined) return firstMonthValue + month;
  return firstMonthValue + ((Number(newest.slice(5)) + month) % 12);
}
