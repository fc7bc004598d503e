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
 * The calls about a visualization whose answers, or what is sent, are bytes or files.
 *
 * @param isLink whether `id` is that of a link, for its visitors
 */
export function fileCalls(id: string, isLink = false): FileCalls {
  const at = `/api/${isLink ? 'shared' : 'visualizations'}/${encodeURIComponent(id)}`;
  const handoverUrl: ExplorerSource['handover']['url'] = (file, { of, node, rows, nodes, top, filter, score }) => {
    const asked = new URLSearchParams({
      ...(of !== 'plan' && { of }),
      ...(node !== 0 && { node: String(node) }),
      ...(rows && { rows: rows.join('.') }),
      ...(nodes && { nodes: nodes.join('.') }),
      ...(top !== undefined && { top: String(top) }),
      ...(filter !== '' && { filter }),
      ...(score !== undefined && { score }),
    });
    return `${at}/${file}${asked.size > 0 ? `?${asked}` : ''}`;
  };
  return {
    slice: (query, given, onBytes) =>
      fetchRowsWith(
        `${at}/slice`,
        sliceParameters(query),
        query.fields ?? [],
        given,
        async (answer, stillArriving, complete) => {
          const read = readAll(answer, (bytes) => {
            stillArriving();
            onBytes?.(bytes);
          });
          return complete(decodeSlice(await read));
        },
      ),
    rows(query, { count, ...place }, given) {
      const asked = parametersOf(query);
      asked.set('count', String(count));
      for (const [name, value] of Object.entries(place)) asked.set(name, String(value));
      if (query.withTrends) asked.set('trend', '1');
      if (query.withSimilar) asked.set('similar', '1');
      return fetchRowsWith(`${at}/rows`, asked, query.fields, given, async (answer, stillArriving, complete) => {
        stillArriving();
        const rows = decodeRows(new Uint8Array(await answer.arrayBuffer()));
        return { ...rows, slice: complete(rows.slice) };
      });
    },
    selectionTotals({ filter, all, rows }, given) {
      const asked = new URLSearchParams(filter === '' ? {} : { filter });
      if (all) {
        asked.set('all', '1');
        asked.set('level', all.level);
        asked.set('within', String(all.within));
      }
      return inTime(patience.read, given, async (signal) => {
        const answer = await send(`${at}/selection-totals?${asked}`, Uint32Array.from(rows), signal);
        return (await answer.json()) as SelectionTotals;
      });
    },
    async table(nodes, filter, columns) {
      const rows = new DataView(new ArrayBuffer(4 * nodes.length));
      for (const [index, node] of nodes.entries()) rows.setUint32(4 * index, node, true);
      const asked = new URLSearchParams(filter === '' ? {} : { filter });
      for (const column of columns ?? []) asked.append('column', column);
      const query = asked.size > 0 ? `?${asked}` : '';
      return (await send(`${at}/export.${columns ? 'xlsx' : 'csv'}${query}`, rows)).blob();
    },
    listUrl(query, columns) {
      const asked = parametersOf(query);
      askForMarks(asked, readNames(query.fields).stamps);
      asked.set('node', String(query.within));
      asked.delete('within');
      for (const column of columns ?? []) asked.append('column', column);
      return `${at}/export.${columns ? 'xlsx' : 'csv'}?${asked}`;
    },
    exportUrl(form, node, filter, kind) {
      const query = { node: String(node), ...(kind && { kind }), ...(filter !== '' && { filter }) };
      return `${at}/export.${form}?${new URLSearchParams(query)}`;
    },
    notInHierarchyUrl: (form) => `${at}/not-in-hierarchy.${form}`,
    handover: {
      url: handoverUrl,
      text: async (file, asked) => (await accepted(await fetch(handoverUrl(file, asked)))).text(),
    },
  };
}

function sliceParameters(query: SliceQuery): URLSearchParams {
  const asked = new URLSearchParams({
    node: String(query.node),
    budget: String(query.budget),
    skip: String(query.skip),
  });
  if (query.child !== undefined) asked.set('child', String(query.child));
  if (query.filter) asked.set('filter', query.filter);
  if (query.ranked) {
    const { by, descending, after } = query.ranked;
    asked.set('by', by);
    if (descending) asked.set('descending', '1');
    if (after !== undefined) asked.set('after', String(after));
  }
  if (query.rest) asked.set('rest', '1');
  return asked;
}

type Columns = { readonly rows: number; readonly fields: readonly SliceField[] };

/**
 * Fetches rows with fields. A link can name an upload that was deleted since. The map itself is still there.
 *
 * @throws what `toRefusal` turns into a refusal
 * @param read decodes the answer, in which `complete` names the fields as they were asked for
 */
function fetchRowsWith<T>(
  address: string,
  asked: URLSearchParams,
  fields: readonly string[],
  given: AbortSignal | undefined,
  read: (answer: Response, stillArriving: () => void, complete: <C extends Columns>(columns: C) => C) => Promise<T>,
): Promise<T> {
  const named = readNames(fields);
  askForFields(asked, named);
  return inTime(patience.read, given, async (signal, stillArriving) => {
    let answer = await fetch(`${address}?${asked}`, { signal });
    const isWithout = mayLackUpload(answer.status, named);
    if (isWithout) {
      asked.delete('vs');
      stillArriving();
      answer = await fetch(`${address}?${asked}`, { signal });
    }
    return read(await accepted(answer), stillArriving, (columns) => {
      const found = withStamps(columns.fields, named);
      return { ...columns, fields: isWithout ? [...found, unknownChanges(columns.rows, named)] : found };
    });
  });
}

async function readAll(answer: Response, onBytes: (bytes: Bytes) => void): Promise<Uint8Array> {
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

const send = async (address: string, body: BodyInit, signal: AbortSignal | null = null): Promise<Response> =>
  accepted(
    await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body, signal }),
  );

async function accepted(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const { pathname } = new URL(answer.url, location.href);
  throw Object.assign(new Error(`${pathname}: ${answer.status}`), { data: await refusalIn(answer) });
}

function parametersOf({ level, within, sort, filter, warned }: ListQuery): URLSearchParams {
  const asked = new URLSearchParams({ level, within: String(within), sort });
  // The stamp makes the address another one when a judgement does.
  if (warned) asked.set('warnings', String(warned.stamp));
  if (warned?.withUnknown) asked.set('unknown', '1');
  if (filter !== '') asked.set('filter', filter);
  return asked;
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

export function askForFields(parameters: URLSearchParams, { ofFile, stamps }: Named): void {
  for (const name of ofFile) parameters.append('field', name);
  askForMarks(parameters, stamps);
}

/** The stamp of a plan only makes the address another one when the plan is: the server knows its state. */
function askForMarks(parameters: URLSearchParams, stamps: Named['stamps']): void {
  const [vs, plan] = [stamps.get('change'), stamps.get('plan')];
  if (vs !== undefined) parameters.set('vs', vs);
  if (plan !== undefined) parameters.set('plan', plan);
}

/** Whether a request that was refused can be answered without the other upload, which may be deleted. */
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
