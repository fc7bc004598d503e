import type { NumberArray } from '../json/pieces.ts';
import type { MetricColumns } from './upload-tables.ts';

export type MetricName = keyof MetricColumns;

const arrays = {
  volume: Float64Array,
  difficulty: Float32Array,
  cpc: Float32Array,
  competition: Float32Array,
  position: Float32Array,
  intent: Uint8Array,
} as const satisfies Record<MetricName, unknown>;

export type MetricArrays = { [Name in MetricName]: InstanceType<(typeof arrays)[Name]> };

/** In the order of their columns in a pack. */
export const metricNames = Object.keys(arrays) as MetricName[];

/**
 * A column of so many rows of which none is known.
 *
 * @param make gives zeros; memory of its own when left out
 */
export function emptyMetric<Name extends MetricName>(
  name: Name,
  rows: number,
  make: (array: NumberArray<MetricArrays[MetricName]>, rows: number) => MetricArrays[MetricName] = (array, length) =>
    new array(length),
): MetricArrays[Name] {
  const column = make(arrays[name], rows);
  if (name !== 'intent') column.fill(Number.NaN);
  return column as MetricArrays[Name];
}
