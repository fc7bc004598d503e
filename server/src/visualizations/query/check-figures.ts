import { fieldOf } from '@kc/pack/levels/row-sort';
import { scoreOfField } from '@kc/pack/score/score';
import { asError } from '../../http/refusals.ts';
import type { PackQueries } from './pack-queries.ts';

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
