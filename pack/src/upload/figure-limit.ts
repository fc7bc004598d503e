import type { ExtraFields } from './extra-fields.ts';
import { type CanonicalField, fieldOf } from './fields.ts';
import { numberOfBytes } from './numbers.ts';

/** From here on a double skips whole numbers: no tool counts so far, and sums of such figures would be wrong. */
export const greatestFigure = 2 ** 53;

/** What a file with such a figure is refused for. */
export const beyondFigures = 'a figure beyond ±9,007,199,254,740,992 (2^53)';

/** Whether a figure is refused. An unknown one, NaN, is not. */
export const isBeyond = (value: number): boolean => value > greatestFigure || value < -greatestFigure;

/** A number of JSON as a figure: it is NaN where it is too large for a double. */
export const figureOf = (value: number): number => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value);

/** Figures that have no column of their own among the metrics. */
const figures: ReadonlySet<CanonicalField> = new Set<CanonicalField>([
  'previousPosition',
  'traffic',
  'trafficPotential',
  'trafficCost',
  'clicks',
  'impressions',
  'ctr',
]);

/** Whether a field is a figure. A member that is not recognised may be an identifier, which is long without being wrong. */
export const isFigure = (field: CanonicalField | undefined): boolean => field !== undefined && figures.has(field);

/** For a check, which keeps no columns: hears what `FieldColumns` would refuse. */
export const checkedFigures: ExtraFields = {
  field: (name) => (isFigure(fieldOf(name)?.name) ? 0 : -1),
  number: (_field, _row, value) => !isBeyond(figureOf(value)),
  text: (_field, _row, bytes, start, end) => !isBeyond(numberOfBytes(bytes, start, end)),
};
