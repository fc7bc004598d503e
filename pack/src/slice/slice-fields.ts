import type { PackField, PackMetadata } from '../format/pack-format.ts';
import type { RolledRows } from './rolled-rows.ts';
import type { NumberField, SliceField } from './slice.ts';

/**
 * Metrics that slices include only on request, like fields. No field of a file has one of these names: a member with
 * this spelling is the metric.
 */
const askedMetrics = ['competition', 'position'] as const;
type AskedMetric = (typeof askedMetrics)[number];

/** What can be requested in slices of a pack. */
export function askableFields({ fields, optional }: Pick<PackMetadata, 'fields' | 'optional'>): PackField[] {
  const metrics = askedMetrics.filter((name) => optional.includes(`own_${name}`));
  return [...metrics.map((name): PackField => ({ name, kind: 'number', rollUp: 'mean', least: 0 })), ...fields];
}

/** One of {@link askableFields} for some rows. */
export async function askedField(rolled: RolledRows, field: PackField): Promise<SliceField> {
  return isMetric(field.name) ? metricField(rolled, field.name) : rolled.field(field);
}

const isMetric = (name: string): name is AskedMetric => askedMetrics.some((metric) => metric === name);

async function metricField(rolled: RolledRows, name: AskedMetric): Promise<NumberField> {
  const value = Float64Array.from(await rolled.column(name));
  return { name, kind: 'number', rollUp: 'mean', value, known: await rolled.column(`${name}_known`) };
}
