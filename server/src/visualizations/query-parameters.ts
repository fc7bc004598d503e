import { readSort } from '@kc/pack/levels/row-sort';
import type { RowsQuery } from '@kc/pack/levels/take-rows';
import { isRanking } from '@kc/pack/slice/child-ranking';
import type { SliceQuery } from '@kc/pack/slice/slice';
import { type PointLevel, pointLevels } from '@kc/pack/vocabulary/choices';
import { limits } from '@kc/rules/limits';

export type ParsedSliceQuery = SliceQuery & { readonly fields: readonly string[] };

/** The query in the parameters of a request for a slice; undefined if they are invalid. */
export function readSliceQuery(query: Readonly<Record<string, unknown>>): ParsedSliceQuery | undefined {
  const node = whole(query.node, 0);
  const budget = whole(query.budget, limits.firstSliceRows);
  const skip = whole(query.skip, 0);
  const child = whole(query.child, 0);
  const after = whole(query.after, 0);
  const fields = texts(query.field);
  const rest = query.rest === '1';
  if (node === undefined || skip === undefined || child === undefined || after === undefined || !fields)
    return undefined;
  if (!budget || budget > limits.maxSliceRows) return undefined;
  const plain = { node, budget, skip, ...(query.child !== undefined && { child }), rest, fields };
  const { by } = query;
  if (by === undefined) return plain;
  // Sorting by text blocks other requests, so the number of children is limited.
  if (rest || budget > limits.firstSliceRows || typeof by !== 'string' || !isRanking(by)) return undefined;
  const ranked = { by, descending: query.descending === '1', ...(query.after !== undefined && { after }) };
  return { ...plain, ranked };
}

/** The query in the parameters of a request for rows of a level; undefined if they are invalid. */
export function readRowsQuery(query: Readonly<Record<string, unknown>>): RowsQuery | undefined {
  const [within, from, around, count] = [
    whole(query.within, 0),
    whole(query.from, 0),
    whole(query.around, 0),
    whole(query.count, limits.firstRowsOfLevel),
  ];
  const [level, sort, fields] = [levelIn(query.level), sortIn(query.sort), texts(query.field)];
  if (!level || !sort || !fields || within === undefined || from === undefined || count === undefined) return undefined;
  if (around === undefined || count > limits.maxRowsOfLevel) return undefined;
  const place = query.around === undefined ? {} : { around };
  const [withTrends, withSimilar] = [query.trend === '1', query.similar === '1'];
  return { level, within, sort, from, ...place, count, fields, withTrends, withSimilar };
}

export const levelIn = (text: unknown): PointLevel | undefined => pointLevels.find((level) => level === text);
const sortIn = (text: unknown) => (text === undefined ? [] : typeof text === 'string' ? readSort(text) : undefined);

/** The values of a parameter that may occur several times; undefined if two are equal or one is no text. */
function texts(parameter: unknown): string[] | undefined {
  const list: unknown[] = parameter === undefined ? [] : [parameter].flat();
  const found = list.filter((text) => typeof text === 'string');
  return found.length === list.length && new Set(found).size === found.length ? found : undefined;
}

/** A parameter that is a whole number of at most ten digits; `otherwise` if it is absent, undefined if it is anything else. */
export function whole(text: unknown, otherwise: number): number | undefined {
  if (text === undefined) return otherwise;
  return typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
