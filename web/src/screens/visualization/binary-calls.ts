import { decodeRows } from '@kc/pack/levels/rows-wire';
import {
  fieldOfTopic,
  type MarkField,
  type MarkTopic,
  readStamped,
  stampedName,
  topicOf,
} from '@kc/pack/slice/mark-fields';
import type { SliceField, SliceQuery } from '@kc/pack/slice/slice';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import type { SelectionTotals } from '@kc/rules/shapes';
import { inTime, patience } from '../../api/in-time.ts';
import { refusalIn } from '../../api/refusal.ts';
import type { ListQuery } from '../../explore/model/list-query.ts';
import type { Bytes, ExplorerSource } from '../../explore/model/source.ts';

type FileCalls = Pick<
  ExplorerSource,
  'slice' | 'rows' | 'selectionTotals' | 'table' | 'listUrl' | 'exportUrl' | 'notInHierarchyUrl' | 'handover'
>;

/**
 * The calls about a visualization that send or return bytes or files.
 *
 * @param isLink whether `id` is that of a link, for its visitors
 */
export function fileCalls(id: string, isLink = false): FileCalls {
  const at = `/api/${isLink ? 'shared' : 'visualizations'}/${encodeURIComponent(id)}`;
  const handoverUrl: ExplorerSource['handover']['url'] = (file, { of, node, rows, nodes, top, filter, score }) => {
    const parameters = new URLSearchParams({
      ...(of !== 'plan' && { of }),
      ...(node !== 0 && { node: String(node) }),
      ...(rows && { rows: rows.join('.') }),
      ...(nodes && { nodes: nodes.join('.') }),
      ...(top !== undefined && { top: String(top) }),
      ...(filter !== '' && { filter }),
      ...(score !== undefined && { score }),
    });
    return `${at}/${file}${parameters.size > 0 ? `?${parameters}` : ''}`;
  };
  return {
    slice: (query, outer, onBytes) =>
      fetchRowsWith(
        `${at}/slice`,
        sliceParameters(query),
        query.fields ?? [],
        outer,
        async (response, stillArriving, complete) => {
          const read = readAll(response, (bytes) => {
            stillArriving();
            onBytes?.(bytes);
          });
          return complete(decodeSlice(await read));
        },
      ),
    rows(query, { count, ...place }, outer) {
      const parameters = parametersOf(query);
      parameters.set('count', String(count));
      for (const [name, value] of Object.entries(place)) parameters.set(name, String(value));
      if (query.withTrends) parameters.set('trend', '1');
      if (query.withSimilar) parameters.set('similar', '1');
      return fetchRowsWith(`${at}/rows`, parameters, query.fields, outer, async (response, stillArriving, complete) => {
        stillArriving();
        const rows = decodeRows(new Uint8Array(await response.arrayBuffer()));
        return { ...rows, slice: complete(rows.slice) };
      });
    },
    selectionTotals({ filter, all, rows }, outer) {
      const parameters = new URLSearchParams(filter === '' ? {} : { filter });
      if (all) {
        parameters.set('all', '1');
        parameters.set('level', all.level);
        parameters.set('within', String(all.within));
      }
      return inTime(patience.read, outer, async (signal) => {
        const response = await send(`${at}/selection-totals?${parameters}`, Uint32Array.from(rows), signal);
        return (await response.json()) as SelectionTotals;
      });
    },
    async table(nodes, filter, columns) {
      const rows = new DataView(new ArrayBuffer(4 * nodes.length));
      for (const [index, node] of nodes.entries()) rows.setUint32(4 * index, node, true);
      const parameters = new URLSearchParams(filter === '' ? {} : { filter });
      for (const column of columns ?? []) parameters.append('column', column);
      const query = parameters.size > 0 ? `?${parameters}` : '';
      return (await send(`${at}/export.${columns ? 'xlsx' : 'csv'}${query}`, rows)).blob();
    },
    listUrl(query, columns) {
      const parameters = parametersOf(query);
      setMarks(parameters, readNames(query.fields).stamps);
      parameters.set('node', String(query.within));
      parameters.delete('within');
      for (const column of columns ?? []) parameters.append('column', column);
      return `${at}/export.${columns ? 'xlsx' : 'csv'}?${parameters}`;
    },
    exportUrl(form, node, filter, kind) {
      const query = { node: String(node), ...(kind && { kind }), ...(filter !== '' && { filter }) };
      return `${at}/export.${form}?${new URLSearchParams(query)}`;
    },
    notInHierarchyUrl: (form) => `${at}/not-in-hierarchy.${form}`,
    handover: {
      url: handoverUrl,
      text: async (file, parameters) => (await accepted(await fetch(handoverUrl(file, parameters)))).text(),
    },
  };
}

function sliceParameters(query: SliceQuery): URLSearchParams {
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
  return parameters;
}

type Columns = { readonly rows: number; readonly fields: readonly SliceField[] };

/**
 * Fetches rows with fields. A link can name an upload that was deleted since. The map itself is still there.
 *
 * @throws what `toRefusal` turns into a refusal
 * @param read decodes the response, in which `complete` names the fields as they were requested
 */
function fetchRowsWith<T>(
  address: string,
  parameters: URLSearchParams,
  fields: readonly string[],
  outer: AbortSignal | undefined,
  read: (response: Response, stillArriving: () => void, complete: <C extends Columns>(columns: C) => C) => Promise<T>,
): Promise<T> {
  const named = readNames(fields);
  setFields(parameters, named);
  return inTime(patience.read, outer, async (signal, stillArriving) => {
    let response = await fetch(`${address}?${parameters}`, { signal });
    const isWithout = mayLackUpload(response.status, named);
    if (isWithout) {
      parameters.delete('vs');
      stillArriving();
      response = await fetch(`${address}?${parameters}`, { signal });
    }
    return read(await accepted(response), stillArriving, (columns) => {
      const found = withStamps(columns.fields, named);
      return { ...columns, fields: isWithout ? [...found, unknownChanges(columns.rows, named)] : found };
    });
  });
}

async function readAll(response: Response, onBytes: (bytes: Bytes) => void): Promise<Uint8Array> {
  const total = Number(response.headers.get('x-slice-bytes')) || undefined;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let read = 0;
  const reader = response.body!.getReader();
  for (;;) {
    onBytes({ read, total });
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    pieces.push(value);
    read += value.length;
  }
}

const send = async (address: string, body: BodyInit, signal: AbortSignal | null = null): Promise<Response> =>
  accepted(
    await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body, signal }),
  );

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { pathname } = new URL(response.url, location.href);
  throw Object.assign(new Error(`${pathname}: ${response.status}`), { data: await refusalIn(response) });
}

function parametersOf({ level, within, sort, filter, warningSort }: ListQuery): URLSearchParams {
  const parameters = new URLSearchParams({ level, within: String(within), sort });
  // The stamp changes the address when a judgement changes.
  if (warningSort) parameters.set('warnings', String(warningSort.stamp));
  if (warningSort?.withUnknown) parameters.set('unknown', '1');
  if (filter !== '') parameters.set('filter', filter);
  return parameters;
}

/** The names of fields of the file, and the stamps of the other fields by what these are about. */
type Named = { readonly ofFile: readonly string[]; readonly stamps: ReadonlyMap<MarkTopic, string> };

export function readNames(fields: readonly string[]): Named {
  const marks = fields.flatMap((name) => readStamped(name) ?? []);
  return {
    ofFile: fields.filter((name) => !readStamped(name)),
    stamps: new Map(marks.map(({ topic, stamp }) => [topic, stamp])),
  };
}

export function setFields(parameters: URLSearchParams, { ofFile, stamps }: Named): void {
  for (const name of ofFile) parameters.append('field', name);
  setMarks(parameters, stamps);
}

/** The stamp of a plan only changes the address when the plan has changed: the server knows its state. */
function setMarks(parameters: URLSearchParams, stamps: Named['stamps']): void {
  const [vs, plan] = [stamps.get('change'), stamps.get('plan')];
  if (vs !== undefined) parameters.set('vs', vs);
  if (plan !== undefined) parameters.set('plan', plan);
}

/** Whether a request that was refused may succeed without the other upload, which may be deleted. */
export const mayLackUpload = (status: number, { stamps }: Named): boolean => status === 404 && stamps.has('change');

/** The field of a comparison with an upload that is not there: nothing is known of any row. */
export function unknownChanges(rows: number, { stamps }: Named): SliceField {
  return {
    name: stampedName(fieldOfTopic.change, stamps.get('change') ?? ''),
    kind: 'category',
    values: [''],
    value: new Uint8Array(rows),
    count: new Uint32Array(rows),
    known: new Uint32Array(rows),
  };
}

/** The fields of a response, with what they are about in their names. */
export function withStamps(fields: readonly SliceField[], { stamps }: Named): readonly SliceField[] {
  if (stamps.size === 0) return fields;
  return fields.map((field) => {
    if (!field.name.startsWith('\u0000')) return field;
    const stamp = stamps.get(topicOf(field.name as MarkField));
    return stamp === undefined ? field : { ...field, name: stampedName(field.name, stamp) };
  });
}
