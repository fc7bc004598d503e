import { expect, test } from 'vitest';
import { curlOf, operationGroups, schemaText } from './operations.ts';

test('operations are grouped by the first part of their path, each with its access and its shapes', () => {
  const body = (type: string) => ({ content: { 'application/json': { schema: { type } } } });
  const groups = operationGroups({
    paths: {
      '/api/users': {
        get: { 'x-who': 'admin', responses: { 200: body('array') } },
        post: { requestBody: body('object') },
      },
      '/healthz': { get: { 'x-who': 'anyone', summary: 'Alive' } },
      '/api/users/{id}': { delete: { parameters: [{ name: 'id', schema: { type: 'string' } }] } },
    },
  });
  expect([...groups].map(([name, operations]) => [name, operations.map(({ method }) => method)])).toEqual([
    ['users', ['GET', 'POST', 'DELETE']],
    ['healthz', ['GET']],
  ]);
  expect(groups.get('users')?.[0]).toMatchObject({
    who: 'admin',
    responseSchema: { type: 'array' },
    requestSchema: undefined,
  });
  expect(groups.get('users')?.[1]).toMatchObject({ requestSchema: { type: 'object' } });
  expect(groups.get('users')?.[2]?.parameters).toEqual([{ name: 'id', schema: { type: 'string' } }]);
});

test('an object is formatted with one line per property, and optional properties are marked', () => {
  const text = schemaText({
    type: 'object',
    properties: { email: { type: 'string' }, inner: { type: 'object', properties: { at: { type: 'number' } } } },
    required: ['email'],
  });
  expect(text).toBe('{\n  email: string\n  inner?: {\n    at?: number\n  }\n}');
});

test('unions, arrays and references are formatted as types', () => {
  expect(schemaText({ enum: ['admin', 'user'] })).toBe('"admin" | "user"');
  expect(schemaText({ type: 'array', items: { type: 'number' } })).toBe('number[]');
  expect(schemaText({ type: 'array', items: { enum: ['a', 'b'] } })).toBe('("a" | "b")[]');
  expect(schemaText({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toBe('string | number');
  expect(schemaText({ $ref: '#/components/schemas/Refusal' })).toBe('Refusal');
  expect(schemaText({ additionalProperties: { type: 'string' } })).toBe('{ [name]: string }');
  expect(schemaText({ const: true })).toBe('true');
  expect(schemaText({})).toBe('any');
});

test.each([
  [
    { method: 'GET', path: '/api/visualizations', requestSchema: undefined },
    ` -H "Authorization: Bearer $KC_TOKEN" 'https://kc.example/api/visualizations'`,
  ],
  [
    { method: 'PUT', path: '/api/visualizations/{id}/description', requestSchema: {} },
    ` -X PUT -H "Authorization: Bearer $KC_TOKEN" -H 'Content-Type: application/json' -d 'BODY' 'https://kc.example/api/visualizations/ID/description'`,
  ],
  [
    { method: 'HEAD', path: '/api/uploads/{id}', requestSchema: undefined },
    ` --head -H "Authorization: Bearer $KC_TOKEN" 'https://kc.example/api/uploads/ID'`,
  ],
])('a call is written as a command line', (operation, line) => {
  expect(curlOf(operation, 'https://kc.example')).toBe(`curl${line}`);
});
