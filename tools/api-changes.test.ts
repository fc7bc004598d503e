import { expect, test } from 'vitest';
import { type ApiDocument, incompatibleChanges } from './api-changes.ts';
import { apiNow, releasedApi } from './release-api.ts';
import { filesUnder, readText } from './source-files.ts';

/** Changes since the last release that break programs, each with the number of the record that decides so. */
const decided: Readonly<Record<string, string>> = {
  'PUT /api/visualizations/{id}/warning-thresholds: body: member thresholds: member sharedUrls is required': '102',
};

const released = JSON.parse(readText(releasedApi)) as ApiDocument;
const records = new Set(filesUnder(['docs/decisions'], /\.md$/).map((file) => /\/(\d{3})-/.exec(file)?.[1]));

// Shows P29.6.
test('programs for the last release work with this version, unless a record says otherwise', async () => {
  const changes = incompatibleChanges(released, JSON.parse(await apiNow()) as ApiDocument);
  expect(changes, 'make it compatible, or name its record here').toEqual(Object.keys(decided).sort());
  for (const record of Object.values(decided)) expect(records).toContain(record);
});

const call = (change: object = {}): ApiDocument => ({
  paths: {
    '/api/plants': {
      post: {
        'x-who': 'approved',
        'x-scope': 'plan',
        parameters: [{ name: 'year', in: 'query', schema: { type: 'integer', maximum: 9 } }],
        requestBody: { required: true, content: { 'application/json': { schema: plant } } },
        responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: plant } } } } },
        ...change,
      },
    },
  },
});
const plant = {
  type: 'object',
  properties: { name: { type: 'string' }, kind: { enum: ['tree', 'herb'] }, use: { anyOf: [{ type: 'string' }] } },
  required: ['name'],
  additionalProperties: false,
};
const takes = (schema: object) => call({ requestBody: { content: { 'application/json': { schema } } } });
const answers = (schema: object) =>
  call({ responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: schema } } } } } });
const having = (properties: object) => ({ ...plant, properties: { ...plant.properties, ...properties } });

test.each<[string, ApiDocument]>([
  ['POST /api/plants is gone', { paths: {} }],
  ['it is for admin, not approved', call({ 'x-who': 'admin' })],
  ['its scope is another one', call({ 'x-scope': 'import' })],
  ['parameter year is gone', call({ parameters: [] })],
  [
    'parameter year: maximum is lower',
    call({ parameters: [{ name: 'year', in: 'query', schema: { type: 'integer', maximum: 8 } }] }),
  ],
  [
    'parameter place is required',
    call({
      parameters: [
        { name: 'year', in: 'query', schema: { type: 'number' } },
        { name: 'place', in: 'query', required: true, schema: { type: 'string' } },
      ],
    }),
  ],
  ['body: member kind is required', takes({ ...plant, required: ['name', 'kind'] })],
  ['body: member kind: "herb" is no longer taken', takes(having({ kind: { enum: ['tree'] } }))],
  ['body: member name: string is no longer taken', takes(having({ name: { type: 'number' } }))],
  [
    'body: member use: string is no longer taken',
    takes(having({ use: { anyOf: [{ type: 'number' }, { type: 'boolean' }] } })),
  ],
  ['body: member kind is no longer taken', takes({ ...plant, properties: { name: { type: 'string' } } })],
  ['answer: each: member name may be missing', answers({ ...plant, required: [] })],
  ['answer: each: member name: string is gone', answers(having({ name: { type: 'number' } }))],
  ['answer 200 is gone', call({ responses: { 204: {} } })],
])('%s', (change, newer) => {
  expect(incompatibleChanges(call(), newer).join('\n')).toContain(change);
});

test.each<[string, ApiDocument]>([
  ['nothing', call()],
  ['a call', { paths: { ...call().paths, '/api/pots': { get: {} } } }],
  [
    'a parameter that may be left out',
    call({
      parameters: [
        ...(call().paths['/api/plants']!.post as { parameters: object[] }).parameters,
        { name: 'x', in: 'query' },
      ],
    }),
  ],
  ['a value that is taken', takes(having({ kind: { enum: ['tree', 'herb', 'moss'] } }))],
  ['a value that is answered', answers(having({ kind: { enum: ['tree', 'herb', 'moss'] } }))],
  ['a member', answers(having({ height: { type: 'number' } }))],
  ['a form that is taken', takes(having({ use: { anyOf: [{ type: 'string' }, { type: 'number' }] } }))],
])('adding %s breaks no program', (_, newer) => {
  expect(incompatibleChanges(call(), newer)).toEqual([]);
});
