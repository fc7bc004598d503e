import { contract } from '@kc/rules/api';
import { rawRoutes } from '@kc/rules/raw-routes';
import { expect, test } from 'vitest';
import { testServer } from '../../test/support/server.ts';
import { apiDocument } from './openapi.ts';

const document = await apiDocument('1.2.3', 'kc_session');
const operations = new Map<string, object>(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  ),
);

const calls = Object.values(contract).flatMap((group) => Object.values(group).map((call) => call['~orpc']));

test.each(calls.map(({ route, meta }) => [`${route.method} /api${route.path}`, meta.who]))(
  '%s is documented, for %s',
  (name, who) => {
    expect(operations.get(name)).toMatchObject({ 'x-who': who, responses: { 200: expect.anything() } });
  },
);

test.each(rawRoutes.map(({ method, path, who }) => [`${method} ${path}`, who]))(
  '%s is documented, for %s, although it is not in the contract',
  (name, who) => {
    expect(operations.get(name)).toMatchObject({ 'x-who': who });
  },
);

test('nothing else is in the document', () => {
  expect(operations.size).toBe(calls.length + rawRoutes.length);
});

test('each call documents its input and its response', () => {
  expect(operations.get('POST /api/session')).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: {
            properties: { email: { type: 'string' }, remember: { type: 'boolean' } },
            required: ['email', 'password', 'remember'],
          },
        },
      },
    },
    responses: {
      200: { content: { 'application/json': { schema: { required: expect.arrayContaining(['isAdmin']) } } } },
    },
  });
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), info: { version: '1.2.3' } });
  expect(document.components?.securitySchemes).toEqual({
    session: expect.objectContaining({ name: 'kc_session' }),
    token: expect.objectContaining({ type: 'http', scheme: 'bearer' }),
  });
  expect(operations.get('GET /api/visualizations')).toMatchObject({
    'x-scope': 'read',
    security: [{ session: [] }, { token: [] }],
  });
  expect(operations.get('DELETE /api/session/all')).toMatchObject({ security: [{ session: [] }] });
});

test('every refusal has the one shape', () => {
  for (const { responses } of [...operations.values()] as { responses?: Record<string, unknown> }[]) {
    if (!responses?.['403']) continue;
    expect(responses['403']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    });
  }
});

// Shows P1.11.
test('/api/docs leads to the page that shows the document', async () => {
  const server = await testServer();
  const answer = await server.call('GET', '/api/docs');
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/docs']);
  await server.close();
});
