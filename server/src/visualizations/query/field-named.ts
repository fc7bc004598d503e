import { fieldOf } from '@kc/pack/levels/row-sort';
import { scoreOfField } from '@kc/pack/score/score';
import { seasonOfField } from '@kc/pack/season/season-name';
import type { Field, WithheldField } from '@kc/rules/shapes';
import { asError } from '../../http/refusals.ts';
import type { PackQueries } from './pack-queries.ts';

/**
 * The field of a file that a request names; undefined for a name it does not know, and for a field that is withheld. The
 * peak month has a name for each newest month, and every one can be requested.
 *
 * @param known what the file has
 */
export function fieldNamed(known: readonly (Field | WithheldField)[], name: string): Field | undefined {
  const isSeason = seasonOfField(name) !== undefined;
  const found = known.find((field) => field.name === name || (isSeason && seasonOfField(field.name) !== undefined));
  return found?.kind === 'none' ? undefined : found;
}

/** Figures that every pack has for each row. */
const builtIn: ReadonlySet<string> = new Set(['keywords', 'volume', 'difficulty', 'cpc']);

/**
 * @param figures as keys of a sort name them
 * @throws a refusal if one of them is no number of the file
 */
export async function checkFigures(packQueries: PackQueries, packKey: string, figures: readonly string[]) {
  const others = figures.filter((figure) => !builtIn.has(figure));
  const names = others.map((figure) => fieldOf(figure) ?? '').filter((name) => !scoreOfField(name));
  if (names.length === 0) return;
  const fields = await packQueries.fields({ packKey });
  const isNumber = (name: string) => fields.some((field) => field.name === name && field.kind === 'number');
  if (!names.every(isNumber)) throw asError({ code: 'visualization/query-invalid' });
}
