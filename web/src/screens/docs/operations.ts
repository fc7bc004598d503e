import type { Schema } from './schema-text.ts';

type Body = { readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } } };

type DocumentOperation = {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly schema?: Schema }[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
  readonly 'x-who'?: string;
};

/** The part of `/api/openapi.json` that the page shows. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
};

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly who: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly schema: Schema }[];
  readonly takes: Schema | undefined;
  readonly answers: Schema | undefined;
};

/** Every operation, by the first part of its path after `/api`, in the document's order. */
export function operationGroups(document: ApiDocument): ReadonlyMap<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    const group = path.replace(/^\/api/, '').split('/')[1] ?? '';
    const operations = Object.entries(methods).map(([method, operation]) => toOperation(method, path, operation));
    groups.set(group, [...(groups.get(group) ?? []), ...operations]);
  }
  return groups;
}

function toOperation(method: string, path: string, operation: DocumentOperation): Operation {
  return {
    method: method.toUpperCase(),
    path,
    who: operation['x-who'] ?? '',
    summary: operation.summary ?? '',
    parameters: (operation.parameters ?? []).map(({ name, schema = {} }) => ({ name, schema })),
    takes: schemaOf(operation.requestBody),
    answers: schemaOf(operation.responses?.['200']),
  };
}

const schemaOf = (body: Body | undefined): Schema | undefined => body?.content?.['application/json']?.schema;
