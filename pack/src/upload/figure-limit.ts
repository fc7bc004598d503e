import type { ExtraFields } from './extra-fields.ts';
import { type CanonicalField, fieldOf } from './fields.ts';
import { numberOfBytes } from './numbers.ts';

/** From here on a double skips whole numbers, so sums would be wrong. No keyword tool reports figures this large. */
export const greatestFigure = 2 ** 53;

/** The error for a file with such a figure. */
export const beyondFigures = 'a figure beyond ±9,007,199,254,740,992 (2^53)';

/** Whether a figure is refused. NaN, an unknown figure, is not. */
export const isBeyond = (value: number): boolean => value > greatestFigure || value < -greatestFigure;

/** A JSON number as a figure. The tokenizer reports a number that is too large for a double as NaN. */
export const figureOf = (value: number): number => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value);

/** Figures without a column among the metrics. */
const figures: ReadonlySet<CanonicalField> = new Set<CanonicalField>([
  'previousPosition',
  'traffic',
  'trafficPotential',
  'trafficCost',
  'clicks',
  'impressions',
  'ctr',
]);

/** Whether a field is a figure. An unrecognised member may be an identifier, for which a long number is valid. */
export const isFigure = (field: CanonicalField | undefined): boolean => field !== undefined && figures.has(field);

/** For a check without columns: refuses the same values as `FieldColumns`. */
export const checkedFigures: ExtraFields = {
  field: (name) => (isFigure(fieldOf(name)?.name) ? 0 : -1),
  number: (_field, _row, value) => !isBeyond(figureOf(value)),
  text: (_field, _row, bytes, start, end) => !isBeyond(numberOfBytes(bytes, start, end)),
};
