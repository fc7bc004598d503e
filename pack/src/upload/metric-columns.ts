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

/** A column filled with zeros. */
export function emptyColumn<Name extends MetricName>(name: Name, rows: number): MetricArrays[Name] {
  return new arrays[name](rows) as MetricArrays[Name];
}

/** A column in which every row is unknown. */
export function emptyMetric<Name extends MetricName>(name: Name, rows: number): MetricArrays[Name] {
  const column = emptyColumn(name, rows);
  if (name !== 'intent') column.fill(Number.NaN);
  return column;
}
