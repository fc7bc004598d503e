import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiDocument } from '../../src/http/openapi.ts';
import type { Actor } from '../support/actors.ts';
import { proof, report } from '../support/proof.ts';
import { expectationOf, nameOf, outcomeOf, prepare, type Route, routes, send } from '../support/routes.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

/** What the document says about a value: the part of JSON Schema that it uses. */
type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
};
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
};

const longestMs = 5_000;
/** Of this machine, of the runtime, and of a stack. */
const internal = /node_modules|\/server\/src\/|\.ts:\d+|\bat \S+ \(|postgres(?:ql)?:\/\//;
const actors: readonly Actor[] = ['anonymous', 'user A', 'admin'];
const { runs, endsAt, seed } = proof(400);

let theatre: Theatre;
let document: Awaited<ReturnType<typeof apiDocument>>;
beforeAll(async () => {
  theatre = await openTheatre();
  document = await apiDocument('test', 'kc_session');
});
afterAll(() => theatre.close());

const random = createRandom(seed);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <T>(all: readonly T[]): T => all[below(all.length)]!;
const happens = (share: number): boolean => random() < share;

test('SEC-25 no request that the document allows, and none that differs a little, has a fault', async () => {
  const asked = routes.filter((route) => expectationOf(route).streams !== true);
  const outcomes = new Map<number, number>();
  for (let run = 0; run < runs && Date.now() < endsAt; run++) {
    const route = asked[run % asked.length]!;
    const call = changed(route, await prepare(route, await theatre.setUp(route, oneOf(actors), 'own')));
    const began = performance.now();
    const answer = await send(theatre.server, call);
    const what = `seed ${seed}, run ${run}, ${nameOf(route)}: ${JSON.stringify(call).slice(0, 600)} → ${outcomeOf(answer)}`;
    expect(answer.statusCode, what).toBeLessThan(500);
    expect(performance.now() - began, what).toBeLessThan(longestMs);
    if (!nameOf(route).includes('openapi')) expect(answer.body, what).not.toMatch(internal);
    outcomes.set(answer.statusCode, (outcomes.get(answer.statusCode) ?? 0) + 1);
    if (run % 1_000 === 999) report(`${run + 1} requests: ${JSON.stringify([...outcomes].sort())}`);
  }
  // Otherwise everything was refused before it was read.
  for (const status of [200, 404, 422]) expect(outcomes.get(status)).toBeGreaterThan(0);
});

/** The call with another body, query, path or header in some of its parts. */
function changed(route: Route, call: InjectOptions): InjectOptions {
  const operation = (document.paths[route.path]?.[route.method.toLowerCase()] ?? {}) as Operation;
  const [path = '', search = ''] = String(call.url).split('?');
  const query = new URLSearchParams(search);
  for (const { name, in: where, schema } of operation.parameters ?? [])
    if (where === 'query' && happens(0.4)) query.set(name, asText(madeOf(schema)));
  if (happens(0.1)) query.append(oneOf(['filter', 'node', 'sort', 'x', '__proto__']), asText(odd()));
  const url = `${happens(0.1) ? withOddPart(path) : path}${query.size > 0 ? `?${query}` : ''}`;
  const headers = { ...call.headers } as Record<string, string>;
  if (happens(0.1))
    headers[oneOf(['accept', 'if-none-match', 'range', 'content-encoding', 'x-forwarded-for'])] = oneOf([
      '*',
      '',
      'gzip',
      'bytes=0-',
      'x'.repeat(2_000),
    ]);
  if (headers['content-type'] !== 'application/json') return { ...call, url, headers };
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const body = mixed(JSON.parse(String(call.payload)), happens(0.8) ? madeOf(schema) : odd());
  return { ...call, url, headers, payload: happens(0.03) ? '{"a":' : JSON.stringify(body) };
}

/** Members of a valid body, and some of a made one in their place. */
function mixed(valid: unknown, made: unknown): unknown {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(valid) || !isObject(made)) return made;
  return { ...valid, ...Object.fromEntries(Object.entries(made).filter(() => happens(0.5))) };
}

function withOddPart(path: string): string {
  const parts = path.split('/');
  parts[parts.length - 1 - below(Math.min(2, parts.length - 2))] = encodeURIComponent(asText(odd()).slice(0, 150));
  return parts.join('/');
}

/** A value that a schema allows; now and then one that it does not. */
function madeOf(schema: Schema = {}, depth = 0): unknown {
  if (happens(0.08) || depth > 6) return odd();
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return oneOf(schema.enum);
  if (schema.anyOf) return madeOf(oneOf(schema.anyOf), depth + 1);
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).filter(
        ([name]) => happens(0.5) || schema.required?.includes(name),
      );
      return Object.fromEntries(members.map(([name, member]) => [name, madeOf(member, depth + 1)]));
    }
    case 'array':
      return Array.from({ length: below(4) }, () => madeOf(schema.items, depth + 1));
    case 'integer':
    case 'number':
      return (schema.minimum ?? -5) + below(Math.min(100, (schema.maximum ?? 100) - (schema.minimum ?? -5)) + 1);
    case 'boolean':
      return happens(0.5);
    default:
      return oneOf(texts).slice(0, schema.maxLength);
  }
}

const texts = [
  '',
  'shoes',
  'red shoes',
  'a@example.com',
  '00000000-0000-4000-8000-000000000000',
  '0'.repeat(32),
  '2026-11',
  'volume',
  '-volume',
  'has-red',
  'clusters',
  '{"and":[]}',
  'ünï',
  '\u{1f45f}',
];

const odd = (): unknown =>
  oneOf<unknown>([
    null,
    true,
    -1,
    0.5,
    1e308,
    2 ** 53,
    '',
    'a\0b',
    '\u{d800}',
    '\u202e\r\n',
    'x'.repeat(5_000),
    '%00',
    '../../etc/passwd',
    "'; drop table accounts --",
    [],
    {},
    [[[[]]]],
    { $ne: null },
    { length: -1 },
  ]);

const asText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/[\u{d800}-\u{dfff}]/gu, '\u{fffd}') : JSON.stringify(value);

/** mulberry32: equal seeds give equal numbers. */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
