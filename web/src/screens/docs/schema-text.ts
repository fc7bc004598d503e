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

/** A schema as a type that a programmer reads at a glance: `{ email: string; remember?: boolean }`, indented. */
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

/** A choice needs brackets before `[]`, unless the choice is inside of an object already. */
const inBrackets = (text: string): string => (/^[^{]* \| /.test(text) ? `(${text})` : text);

function objectText(properties: Readonly<Record<string, Schema>>, required: readonly string[], indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${schemaText(schema, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}
