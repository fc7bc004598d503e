export const calendarMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** `2027-02` as "February 2027", without the locale of a browser. */
export function monthText(month: string): string {
  const [year, number] = month.split('-');
  return `${calendarMonths[Number(number) - 1] ?? ''} ${year}`.trim();
}
