import { decodeRows, type LevelRows } from '@kc/pack/levels/rows-wire';
import type { SelectionTotals } from '@kc/rules/shapes';
import { inTime, patience } from './in-time.ts';
import { type AskedList, parametersOf } from './list-address.ts';
import { askForFields, mayLackUpload, readNames, unknownChanges, withStamps } from './mark-parameters.ts';
import { refusalIn } from './refusal.ts';

/** Selected pack rows; with `all`, those of a list that are not. */
export type AskedSelection = {
  readonly filter: string;
  readonly all: { readonly level: string; readonly within: number } | undefined;
  readonly rows: ReadonlySet<number>;
};

/** Which rows of a list to fetch: from a rank on, or the page that shows a node. */
export type ListPart = { readonly count: number } & ({ readonly from: number } | { readonly around: number });

/**
 * Fetches a page of a flat list.
 *
 * @param given ends the request
 * @throws what `toRefusal` turns into a refusal, also when nothing arrives in time; an `AbortError` when the signal is
 *   aborted
 */
export async function fetchRows(
  at: string,
  query: AskedList,
  { count, ...place }: ListPart,
  given?: AbortSignal,
): Promise<LevelRows> {
  const asked = parametersOf(query);
  asked.set('count', String(count));
  for (const [name, value] of Object.entries(place)) asked.set(name, String(value));
  if (query.withTrends) asked.set('trend', '1');
  const named = readNames(query.fields);
  askForFields(asked, named);
  return inTime(patience.read, given, async (signal, stillArriving) => {
    let answer = await fetch(`${at}/rows?${asked}`, { signal });
    const isWithout = mayLackUpload(answer.status, named);
    if (isWithout) {
      asked.delete('vs');
      stillArriving();
      answer = await fetch(`${at}/rows?${asked}`, { signal });
    }
    if (!answer.ok) throw Object.assign(new Error(`rows: ${answer.status}`), { data: await refusalIn(answer) });
    stillArriving();
    const rows = decodeRows(new Uint8Array(await answer.arrayBuffer()));
    const { slice } = rows;
    const fields = withStamps(slice.fields, named);
    return {
      ...rows,
      slice: { ...slice, fields: isWithout ? [...fields, unknownChanges(slice.rows, named)] : fields },
    };
  });
}

/** Totals over the union of the selected rows. @throws what `toRefusal` turns into a refusal */
export async function fetchTotals(
  at: string,
  { filter, ...selection }: AskedSelection,
  given: AbortSignal,
): Promise<SelectionTotals> {
  const asked = new URLSearchParams();
  if (filter !== '') asked.set('filter', filter);
  if (selection.all) {
    asked.set('all', '1');
    asked.set('level', selection.all.level);
    asked.set('within', String(selection.all.within));
  }
  return inTime(patience.read, given, async (signal) => {
    const answer = await fetch(`${at}/selection-totals?${asked}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Uint32Array.from(selection.rows),
      signal,
    });
    if (!answer.ok) throw Object.assign(new Error(`totals: ${answer.status}`), { data: await refusalIn(answer) });
    return (await answer.json()) as SelectionTotals;
  });
}
