// Shows SEC-32.
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { activityExport } from './admin-shapes.ts';
import { contract } from './api.ts';
import { forceDeleteRequest } from './raw-routes.ts';
import { googleRequest } from './shapes.ts';
import { toStorable } from './storable-text.ts';
import { fieldText, isUnstored, secretText, storableText } from './text-shapes.ts';

/** Everything that a schema holds, itself first. */
function schemasIn(schema: z.core.$ZodType, name: string): (readonly [string, z.core.$ZodType])[] {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> };
  const parts = (def.type === 'object' ? Object.entries(def.shape as object) : Object.entries(def)).flatMap(
    ([member, part]) => (Array.isArray(part) ? part : [part]).map((one) => [member, one] as const),
  );
  const isSchema = (part: unknown): part is z.core.$ZodType =>
    typeof part === 'object' && part !== null && '_zod' in part && 'run' in (part._zod as object);
  return [
    [name, schema] as const,
    ...parts.flatMap(([member, part]) => (isSchema(part) ? schemasIn(part, `${name} ${member}`) : [])),
  ];
}

const hostile = ['\0', 'a\0b', '\ud800', 'a\udc00b', 'x'.repeat(70_000)];

/** Whether a schema of texts lets anything through that is not storable or has no limit. */
function isLoose(schema: z.core.$ZodType): boolean {
  if (isUnstored(schema)) return z.safeParse(schema, hostile.at(-1)).success;
  return hostile.some((text) => {
    const read = z.safeParse(schema, text);
    return read.success && (read.data !== toStorable(text) || text.length > 65_536);
  });
}

const looseIn = (schema: z.core.$ZodType, name: string): string[] =>
  schemasIn(schema, name).flatMap(([path, part]) => {
    const { type } = part._zod.def;
    // What accepts anything would accept such texts, too.
    if (type === 'any' || type === 'unknown') return [path];
    return type === 'string' && isLoose(part) ? [path] : [];
  });

test('every text of every call is storable when it is read, or is never stored, and has a limit', () => {
  const calls = Object.entries(contract).flatMap(([group, of]) =>
    Object.entries(of).map(([name, call]) => [`${group}.${name}`, call['~orpc'].inputSchema] as const),
  );
  const inputs = [
    ...calls,
    ['activity.csv', activityExport],
    ['forceDeleteUser', forceDeleteRequest],
    ['google', googleRequest],
  ] as const;
  expect(inputs.flatMap(([name, schema]) => (schema ? looseIn(schema as z.core.$ZodType, name) : []))).toEqual([]);
});

test('a bare text is found wherever it is', () => {
  expect(looseIn(z.object({ a: z.optional(z.array(z.string())) }), 'call')).toHaveLength(1);
  expect(looseIn(z.union([z.literal('x'), z.strictObject({ b: z.nullable(z.string()) })]), 'call')).toHaveLength(1);
  expect(looseIn(z.record(z.string(), z.enum(['x'])), 'call')).toHaveLength(1);
  expect(looseIn(z.discriminatedUnion('k', [z.object({ k: z.literal(1), b: z.string() })]), 'call')).toHaveLength(1);
  expect(looseIn(z.string().check(z.maxLength(9)), 'call')).toHaveLength(1);
  expect(looseIn(z.object({ a: z.unknown() }), 'call')).toHaveLength(1);
  expect(looseIn(z.object({ a: fieldText, b: secretText, c: storableText({ max: 3 }) }), 'call')).toEqual([]);
});
