import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { inTime, patience } from './in-time.ts';
import { askForFields, mayLackUpload, readNames, unknownChanges, withStamps } from './mark-parameters.ts';
import { refusalIn } from './refusal.ts';

/** Bytes received, and the total if known. */
type OnBytes = (bytes: { readonly read: number; readonly total: number | undefined }) => void;

/**
 * Fetches the part of a visualization's tree that the query asks for.
 *
 * @param at the address of the visualization, see `addressOf`
 * @param onBytes called with the progress of the download
 * @param given ends the request
 * @throws what `toRefusal` turns into a refusal, also when nothing arrives in time; an `AbortError` when the signal is
 *   aborted
 */
export async function fetchSlice(at: string, query: SliceQuery, given: AbortSignal, onBytes?: OnBytes): Promise<Slice> {
  const parameters = new URLSearchParams({
    node: String(query.node),
    budget: String(query.budget),
    skip: String(query.skip),
  });
  if (query.child !== undefined) parameters.set('child', String(query.child));
  if (query.filter) parameters.set('filter', query.filter);
  if (query.ranked) {
    const { by, descending, after } = query.ranked;
    parameters.set('by', by);
    if (descending) parameters.set('descending', '1');
    if (after !== undefined) parameters.set('after', String(after));
  }
  if (query.rest) parameters.set('rest', '1');
  const named = readNames(query.fields ?? []);
  askForFields(parameters, named);
  const address = `${at}/slice`;
  return inTime(patience.read, given, async (signal, stillArriving) => {
    let answer = await fetch(`${address}?${parameters}`, { signal });
    // A link can name an upload that was deleted since. The map itself is still there.
    const isWithout = mayLackUpload(answer.status, named);
    if (isWithout) {
      parameters.delete('vs');
      stillArriving();
      answer = await fetch(`${address}?${parameters}`, { signal });
    }
    if (!answer.ok) throw Object.assign(new Error(`slice: ${answer.status}`), { data: await refusalIn(answer) });
    const read = readAll(answer, (bytes) => {
      stillArriving();
      onBytes?.(bytes);
    });
    const slice = decodeSlice(await read);
    const fields = withStamps(slice.fields, named);
    return { ...slice, fields: isWithout ? [...fields, unknownChanges(slice.rows, named)] : fields };
  });
}

async function readAll(answer: Response, onBytes: OnBytes): Promise<Uint8Array> {
  const total = Number(answer.headers.get('x-slice-bytes')) || undefined;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  const reader = answer.body!.getReader();
  for (;;) {
    onBytes({ read, total });
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    pieces.push(value);
    read += value.length;
  }
}

/**
 * The URL of a branch as a CSV or JSON file; under a filter, only the matching part.
 *
 * @param kind the rows of a CSV file: keywords or the groups above them; everything without it
 */
export function exportUrl(
  at: string,
  form: 'csv' | 'json',
  node: number,
  filter: string,
  kind?: 'keywords' | 'clusters',
): string {
  const query = new URLSearchParams({
    node: String(node),
    ...(kind && { kind }),
    ...(filter !== '' && { filter }),
  });
  return `${at}/export.${form}?${query}`;
}

/** The URL of the file of keywords that occur in no node. */
export const unplacedUrl = (at: string, form: 'csv' | 'json'): string => `${at}/not-in-hierarchy.${form}`;

/**
 * Fetches some nodes as a table, in the given order.
 *
 * @param columns the columns of a workbook; a CSV file, without them, has all
 * @throws what `toRefusal` turns into a refusal
 */
export async function fetchTable(
  at: string,
  nodes: readonly number[],
  filter: string,
  columns?: readonly string[],
): Promise<Blob> {
  const rows = new DataView(new ArrayBuffer(4 * nodes.length));
  for (const [index, node] of nodes.entries()) rows.setUint32(4 * index, node, true);
  const query = new URLSearchParams(filter === '' ? {} : { filter });
  for (const column of columns ?? []) query.append('column', column);
  const answer = await fetch(`${at}/export.${columns ? 'xlsx' : 'csv'}${query.size > 0 ? `?${query}` : ''}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: rows,
  });
  if (!answer.ok) throw Object.assign(new Error(`table: ${answer.status}`), { data: await refusalIn(answer) });
  return answer.blob();
}
