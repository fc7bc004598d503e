type Body = { readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } } };

type DocumentOperation = {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly schema?: Schema }[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
  readonly 'x-who'?: string;
  readonly 'x-scope'?: string;
};

/** The part of `/api/openapi.json` that the page shows. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
};

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly who: string;
  /** What an access token must include; undefined if none may make this call. */
  readonly scope: string | undefined;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly schema: Schema }[];
  readonly requestSchema: Schema | undefined;
  readonly responseSchema: Schema | undefined;
};

/** All operations, grouped by the first part of their path after `/api`, in the document's order. */
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
    scope: operation['x-scope'],
    summary: operation.summary ?? '',
    parameters: (operation.parameters ?? []).map(({ name, schema = {} }) => ({ name, schema })),
    requestSchema: schemaOf(operation.requestBody),
    responseSchema: schemaOf(operation.responses?.['200']),
  };
}

const schemaOf = (body: Body | undefined): Schema | undefined => body?.content?.['application/json']?.schema;

/** The part of JSON Schema that the document uses. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly $ref?: string;
};

/** Formats a schema as an indented TypeScript type: `{ email: string; remember?: boolean }`. */
export function schemaText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => schemaText(choice, indent)).join(' | ');
  if (schema.items) return `${inBrackets(schemaText(schema.items, indent))}[]`;
  if (schema.properties) return objectText(schema.properties, schema.required ?? [], indent);
  if (typeof schema.additionalProperties === 'object') {
    return `{ [name]: ${schemaText(schema.additionalProperties, indent)} }`;
  }
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' | ');
}

/** A union needs brackets before `[]`, unless it is inside an object. */
const inBrackets = (text: string): string => (/^[^{]* \| /.test(text) ? `(${text})` : text);

function objectText(properties: Readonly<Record<string, Schema>>, required: readonly string[], indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${schemaText(schema, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

/**
 * The command line that makes a call with the access token in `$KC_TOKEN`. What the reader has to fill in is in capitals.
 *
 * @param origin of this site
 */
export function curlOf(
  { method, path, requestSchema }: Pick<Operation, 'method' | 'path' | 'requestSchema'>,
  origin: string,
): string {
  const address = `${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`;
  const how = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`;
  const body = requestSchema ? ` -H 'Content-Type: application/json' -d 'BODY'` : '';
  return `curl${how} -H "Authorization: Bearer $KC_TOKEN"${body} '${address}'`;
}
