import {
  fieldOfTopic,
  type MarkField,
  type MarkTopic,
  readStamped,
  stampedName,
  topicOf,
} from '@kc/pack/slice/mark-fields';
import type { SliceField } from '@kc/pack/slice/slice';

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
export function askForMarks(parameters: URLSearchParams, stamps: Named['stamps']): void {
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
