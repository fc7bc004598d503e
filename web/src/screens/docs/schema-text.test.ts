import { expect, test } from 'vitest';
import { schemaText } from './schema-text.ts';

test('an object is a line for each property, the optional ones marked', () => {
  const text = schemaText({
    type: 'object',
    properties: { email: { type: 'string' }, inner: { type: 'object', properties: { at: { type: 'number' } } } },
    required: ['email'],
  });
  expect(text).toBe('{\n  email: string\n  inner?: {\n    at?: number\n  }\n}');
});

test('choices, lists and references read as types do', () => {
  expect(schemaText({ enum: ['admin', 'user'] })).toBe('"admin" | "user"');
  expect(schemaText({ type: 'array', items: { type: 'number' } })).toBe('number[]');
  expect(schemaText({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('("a" | "b")[]');
  expect(schemaText({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toBe('string | number');
  expect(schemaText({ $ref: '#/components/schemas/Refusal' })).toBe('Refusal');
  expect(schemaText({ additionalProperties: { type: 'string' } })).toBe('{ [name]: string }');
  expect(schemaText({ const: true })).toBe('true');
  expect(schemaText({})).toBe('any');
});
