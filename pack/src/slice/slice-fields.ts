import { type FigureFor, figuresFor } from '../format/figures.ts';
import type { Pause } from '../format/in-pieces.ts';
import type { PackField, PackMetadata } from '../format/pack-format.ts';
import { knownScores, rowScores } from '../score/row-scores.ts';
import { type Score, scoreOfField } from '../score/score.ts';
import { takeSeason } from '../season/season.ts';
import { seasonOfField } from '../season/season-name.ts';
import type { View } from '../sums/filtered-pack.ts';
import type { RollUps } from '../sums/roll-ups.ts';
import type { NumberField, SliceField } from './slice.ts';

/**
 * Metrics that slices include only on request, like fields. No field of a file has one of these names: a member with
 * this spelling is the metric.
 */
const requestableMetrics = figuresFor('field');
type RequestableMetric = FigureFor<'field'>;

/** What can be requested in slices of a pack. */
export function requestableFields({ fields, optional }: Pick<PackMetadata, 'fields' | 'optional'>): PackField[] {
  const metrics = requestableMetrics.filter((name) => optional.includes(`own_${name}`));
  return [...metrics.map((name): PackField => ({ name, kind: 'number', rollUp: 'mean', least: 0 })), ...fields];
}

/** What a name in a request stands for: a field, a metric, a score with its formula, or the peak month. */
type RequestedField =
  | PackField
  | { readonly kind: 'score'; readonly name: string; readonly score: Score }
  | { readonly kind: 'season'; readonly name: string; readonly newest: string | undefined };

/** Undefined if the pack has nothing of that name. Every pack has scores; every pack with trends has the peak month. */
export function requestedFieldOf(
  metadata: Pick<PackMetadata, 'fields' | 'optional' | 'trend'>,
  name: string,
): RequestedField | undefined {
  const score = scoreOfField(name);
  if (score) return { kind: 'score', name, score };
  const season = seasonOfField(name);
  if (season) return metadata.trend && { kind: 'season', name, newest: season.newest };
  return requestableFields(metadata).find((field) => field.name === name);
}

/**
 * Prepares reading the requested fields for some rows.
 *
 * @throws RangeError if there is no such field
 */
export function fieldTaker(pack: View, names: readonly string[], pause: Pause) {
  const fields = names.map((name) => {
    const field = requestedFieldOf(pack.metadata, name);
    if (!field) throw new RangeError(`No field ${name}`);
    return field;
  });
  return (rows: Uint32Array, totals: RollUps): Promise<SliceField[]> =>
    Promise.all(fields.map((field) => takeField(pack, rows, totals, field, pause)));
}

/** A requested field for some rows. */
async function takeField(
  pack: View,
  rows: Uint32Array,
  totals: RollUps,
  field: RequestedField,
  pause: Pause,
): Promise<SliceField> {
  if (field.kind === 'season') return takeSeason(pack, rows, field.newest, pause);
  if (field.kind !== 'score') return rolledUpField(totals, field);
  const { name, score } = field;
  const scored = { pack, rows, totals, pause };
  const value = await rowScores(scored, score);
  const known = await knownScores(scored, score, value);
  return { name, kind: 'number', rollUp: score.rollUp === 'sum' ? 'sum' : 'mean', value, known };
}

/** One of {@link requestableFields} for some rows. */
async function rolledUpField(rolled: RollUps, field: PackField): Promise<SliceField> {
  return isMetric(field.name) ? metricField(rolled, field.name) : rolled.field(field);
}

const isMetric = (name: string): name is RequestableMetric => requestableMetrics.some((metric) => metric === name);

async function metricField(rolled: RollUps, name: RequestableMetric): Promise<NumberField> {
  const value = Float64Array.from(await rolled.column(name));
  return { name, kind: 'number', rollUp: 'mean', value, known: await rolled.column(`${name}_known`) };
}
