import { expect, test } from 'vitest';
import { operationGroups } from './operations.ts';

test('operations stand together by the first part of their path, each with who may call it and its shapes', () => {
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
  expect(groups.get('users')?.[0]).toMatchObject({ who: 'admin', answers: { type: 'array' }, takes: undefined });
  expect(groups.get('users')?.[1]).toMatchObject({ takes: { type: 'object' } });
  expect(groups.get('users')?.[2]?.parameters).toEqual([{ name: 'id', schema: { type: 'string' } }]);
});
