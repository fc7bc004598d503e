import type { Range } from './filter.ts';

/** "10_20", "_20" or "10_". */
export const rangeText = ({ from, to }: Range): string => `${numberText(from)}_${numberText(to)}`;

/** Removes the plus sign of an exponent, which URLs escape as three characters. */
const numberText = (end: number | undefined) => (end === undefined ? '' : String(end).replace('+', ''));

/** Undefined unless the text is a range with at least one end, in ascending order. */
export function readRange(text: string): Range | undefined {
  const [, first, last] = /^(-?[\d.]+(?:e-?\d+)?)?_(-?[\d.]+(?:e-?\d+)?)?$/.exec(text) ?? [];
  const [from, to] = [first, last].map((end) => (end === undefined ? undefined : Number(end) + 0));
  if (from === undefined && to === undefined) return undefined;
  if ([from, to].some((end) => end !== undefined && !Number.isFinite(end))) return undefined;
  return from !== undefined && to !== undefined && from > to ? undefined : { from, to };
}

/** Two numbers that are no range: "20_50", in any order. */
export const pairText = (one: number, other: number): string => rangeText({ from: one, to: other });

export function readPair(text: string): readonly [number, number] | undefined {
  const [one, other] = text.split('_').map((part) => readRange(`${part}_`)?.from);
  return one === undefined || other === undefined || !/^[^_]+_[^_]+$/.test(text) ? undefined : [one, other];
}

export const hasEnd = ({ from, to }: Range): boolean => from !== undefined || to !== undefined;
