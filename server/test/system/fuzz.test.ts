import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiDocument } from '../../src/http/openapi.ts';
import { giveToken } from '../support/access-token-expectations.ts';
import type { Actor } from '../support/actors.ts';
import { isLong, proof, randomFrom, report } from '../support/proof.ts';
import { expectationOf, nameOf, outcomeOf, prepare, type Route, routes, type Stage, send } from '../support/routes.ts';
import { giveLinkOfAny } from '../support/share-links.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';
import { longestTurnMs, watchTurns } from '../support/turns.ts';

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

/** Of this machine, of the runtime, and of a stack. */
const internal = /node_modules|\/server\/src\/|\.ts:\d+|\bat \S+ \(|postgres(?:ql)?:\/\//;
const actors: readonly Actor[] = ['anonymous', 'user A', 'admin'];
const { runs, endsAt, seed } = proof(200);
/** Each of three tests gets a third of the time. */
const endOf = (third: number): number => Date.now() + ((endsAt - Date.now()) * third) / 3;
const ends = [1, 2, 3].map(endOf);

const turns = watchTurns();
let theatre: Theatre;
let document: Awaited<ReturnType<typeof apiDocument>>;
beforeAll(async () => {
  theatre = await openTheatre();
  document = await apiDocument('test', 'kc_session');
});
afterAll(async () => {
  turns.stop();
  await theatre.close();
});

let random = randomFrom(seed);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <T>(all: readonly T[]): T => all[below(all.length)]!;
const happens = (share: number): boolean => random() < share;

test('SEC-25 no request that the document allows, and none that differs a little, has a fault', async () => {
  const statuses = await ask(changed, ends[0]!);
  // Otherwise everything was refused before it was read.
  for (const status of [200, 404, 422]) expect(statuses.get(status)).toBeGreaterThan(0);
});

test('SEC-32 no hostile text, number or nesting has a fault, wherever it is in a request', async () => {
  const statuses = await ask(attacked, ends[1]!);
  for (const status of [200, 400, 404, 422]) expect(statuses.get(status)).toBeGreaterThan(0);
});

test('SEC-32 no request to the tools of agents, and none about access tokens, has a fault', async () => {
  // Which tools are met must not depend on how many other calls there are.
  random = randomFrom(seed);
  tools = await toolsOf();
  const [agents, tokens] = [routes.filter(isOfAgents), routes.filter(({ path }) => path.includes('access-tokens'))];
  expect([agents.length > 0, tokens.length > 0, tools.length > 10]).toEqual([true, true, true]);
  // Four of seven requests are for tools.
  const [forTools] = agents.filter(({ method }) => method === 'POST');
  const asked = tokens.flatMap((route) => [...agents, forTools!, forTools!, forTools!, route]);
  const made = (route: Route, call: InjectOptions) =>
    isOfAgents(route) ? asAgent(call) : oneOf([changed, attacked])(route, call);
  const statuses = await ask(made, ends[2]!, asked);
  for (const status of [200, 401]) expect(statuses.get(status)).toBeGreaterThan(0);
  expect(answered.size, `only ${[...answered]} had an answer`).toBeGreaterThan(tools.length / 4);
});

/** Sends requests of every route by turns. @returns how often each status was the answer */
async function ask(
  made: (route: Route, call: InjectOptions) => InjectOptions,
  until: number,
  asked = routes.filter((route) => expectationOf(route).streams !== true),
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let run = 0; run < runs && Date.now() < until; run++) {
    const route = asked[run % asked.length]!;
    const call = made(route, await prepare(route, await withVisitor(route, oneOf(actors))));
    turns.begin();
    const began = performance.now();
    const answer = await send(theatre.server, call);
    if (isLong) expect(performance.now() - began, nameOf(route)).toBeLessThan(longestAnswerMs);
    noteAnswered(call, answer.body);
    const longest = turns.longestMs();
    const what = `seed ${seed}, run ${run}, ${nameOf(route)}: ${JSON.stringify(call).slice(0, 600)} → ${outcomeOf(answer)}`;
    expect(answer.statusCode, what).toBeLessThan(500);
    if (isLong) expect(longest, what).toBeLessThan(longestTurnMs);
    if (!nameOf(route).includes('openapi')) expect(answer.body, what).not.toMatch(internal);
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
    if (run % 1_000 === 999) report(`${run + 1} requests: ${JSON.stringify([...statuses].sort())}`);
  }
  return statuses;
}

/** A stage for the route: for the calls of visitors, with a link that includes everything. */
async function withVisitor(route: Route, actor: Actor): Promise<Stage> {
  // The tools need a map, which a call about one brings along.
  if (isOfAgents(route)) return withToken(await theatre.setUp(aMap, oneOf(['user A', 'admin'] as const), 'own'));
  const stage = await theatre.setUp(route, actor, 'own');
  if (route.who !== 'link') return stage;
  const { id, cookie } = await giveLinkOfAny(theatre.server, { withPlan: true, withDownloads: true });
  return { ...stage, thing: id, asker: { ...stage.asker, cookie } };
}

const isOfAgents = ({ path }: Route): boolean => path === '/mcp';
const aMap = routes.find((route) => nameOf(route) === 'GET /api/visualizations/{id}')!;
/** In a proof, however it was asked. */
const longestAnswerMs = 5_000;

/** The stage of an agent: most have a token of their person, some a session, a wrong token or nothing. */
async function withToken(stage: Stage): Promise<Stage> {
  const { server, asker, thing } = stage;
  const only = happens(0.2) ? { visualizationId: thing } : {};
  const { token } = await giveToken(server, asker.account.id, { scopes: ['read', 'plan'], ...only });
  const kinds = {
    right: `Bearer ${token}`,
    wrong: `Bearer kc_${'a'.repeat(43)}`,
    odd: `Bearer ${asText(odd())}`,
    none: '',
  };
  agent = { map: thing, authorization: happens(0.85) ? kinds.right : oneOf(Object.values(kinds)) };
  return happens(0.1) ? stage : { ...stage, asker: { ...asker, cookie: '' } };
}
let agent: { readonly map: string; readonly authorization: string };

type Tool = { readonly name: string; readonly inputSchema: Schema };
let tools: readonly Tool[] = [];
/** The tools that had an answer without an error. */
const answered = new Set<string>();

async function toolsOf(): Promise<Tool[]> {
  const route = routes.find((one) => nameOf(one) === 'POST /mcp')!;
  const answer = await send(theatre.server, await prepare(route, await theatre.setUp(route, 'user A', 'own')));
  const [, json] = /(\{.*\})/s.exec(answer.body)!;
  return (JSON.parse(json!) as { result: { tools: Tool[] } }).result.tools;
}

function noteAnswered({ payload }: InjectOptions, body: string): void {
  if (tools.length === 0 || !body.includes('"structuredContent"')) return;
  const named = tools.find(({ name }) => String(payload).includes(`"name":"${name}"`));
  if (named) answered.add(named.name);
}

/** A request of an agent: most call a tool with arguments that it allows; some differ a little, or are anything. */
function asAgent(call: InjectOptions): InjectOptions {
  const tool = oneOf(tools);
  const given = madeOf(tool.inputSchema, 0, 0.02);
  const known = { ...(happens(0.8) && { map: agent.map }), ...(happens(0.4) && { node: undefined }) };
  const params = {
    name: happens(0.95) ? tool.name : odd(),
    arguments: isObject(given) ? { ...given, ...known } : given,
  };
  const request = { jsonrpc: '2.0', id: happens(0.9) ? 1 : odd(), method: 'tools/call', params };
  const made = oneOf<() => unknown>([
    ...Array.from({ length: 6 }, () => () => request),
    () => ({ ...request, method: oneOf(['initialize', 'ping', 'tools/list', 'resources/list', 'x', '__proto__']) }),
    () => Array.from({ length: below(60) }, () => request),
    () => odd(),
  ])();
  const headers: Record<string, string> = { ...(call.headers as Record<string, string>) };
  if (agent.authorization !== '') headers.authorization = agent.authorization.replace(/[^\x20-\x7e]/g, '?');
  if (happens(0.1))
    headers[oneOf(['accept', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id', 'content-type'])] = oneOf([
      ...['', '*/*', 'application/json', 'text/event-stream', '1999-01-01', 'x'.repeat(2_000)],
    ]);
  if (call.method !== 'POST') return { ...call, headers };
  const places = isObject(made) ? placesIn(made) : [];
  if (places.length > 0 && happens(0.3)) {
    const [holder, name] = oneOf(places);
    holder[name] = mark;
    return { ...call, headers, payload: JSON.stringify(made).replace(JSON.stringify(mark), () => hostileJson()) };
  }
  return { ...call, headers, payload: happens(0.02) ? '{"jsonrpc":' : JSON.stringify(made) };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The call with something hostile in one place: a member of its body at any depth, its query, its path or a header. */
function attacked(route: Route, call: InjectOptions): InjectOptions {
  const [path = '', search = ''] = String(call.url).split('?');
  const operation = operationOf(route);
  const headers = call.headers as Record<string, string>;
  if (nameOf(route) === 'POST /api/uploads') {
    const name = oneOf(['filename', 'userId', 'description', 'filetype', 'modified']);
    const kept = headers['upload-metadata']!.split(',').filter((pair) => !pair.startsWith(`${name} `));
    const metadata = [...kept, `${name} ${Buffer.from(asText(hostileText())).toString('base64')}`].join(',');
    return { ...call, headers: { ...headers, 'upload-metadata': metadata } };
  }
  const isJson = headers['content-type'] === 'application/json';
  if (isJson && happens(0.85)) {
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    const valid = JSON.parse(String(call.payload)) as object;
    const made = madeOf(schema, 0, 0);
    const body = typeof made === 'object' && made !== null ? { ...made, ...valid } : valid;
    const [holder, name] = oneOf(placesIn(body));
    holder[name] = mark;
    const payload = JSON.stringify(body).replace(JSON.stringify(mark), () => hostileJson());
    return { ...call, payload };
  }
  const query = new URLSearchParams(search);
  const named = (operation.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name] : []));
  const names = [...new Set([...query.keys(), ...named, ...rawNames])];
  if (path.split('/').length > 3 && happens(0.15)) return { ...call, url: `${withOddPart(path, hostileText())}` };
  query.set(oneOf(names), asText(hostileText()));
  return { ...call, url: `${path}?${query}` };
}

const mark = '\u{e000} something hostile';
/** What the raw routes read of a query. */
const rawNames = ['filter', 'node', 'rows', 'field', 'by', 'sort', 'score', 'level', 'kind', 'vs', 'ct', 'of', 'plan'];

type Holder = Record<string, unknown>;
/** Every member of a value, at any depth, with what holds it. */
const placesIn = (value: object): (readonly [Holder, string])[] =>
  Object.entries(value).flatMap(([name, member]: [string, unknown]) => [
    [value as Holder, name] as const,
    ...(typeof member === 'object' && member !== null ? placesIn(member) : []),
  ]);

const longLength = 60_000;
const hostileText = (): string =>
  oneOf<() => string>([
    () => '\0',
    () => 'a\0b',
    () => '\u{d800}',
    () => 'a\u{dc00}b',
    () => `${'n'.repeat(below(300))}\u{1f600}`,
    () => oneOf([...' \n\r\t/\\.,;:()[]{}"\'=%+-_*?^$|#a0é\u3000']).repeat(longLength),
    () => '(a+)+$'.repeat(below(60)),
    () => '9'.repeat(below(400)),
    () => '1e400',
    () => 'constructor',
    () => '__proto__',
  ])();

/** Something hostile as JSON: a text, a number, or lists and objects within each other. */
const hostileJson = (): string =>
  oneOf<() => string>([
    () => JSON.stringify(hostileText()),
    () => JSON.stringify(hostileText()),
    () => JSON.stringify(hostileText()),
    () => oneOf(['1e400', '-1e400', '1e-400', '9007199254740993', '-0', '9'.repeat(longLength)]),
    () => `${'['.repeat(longLength / 2)}${']'.repeat(longLength / 2)}`,
    () => `${'{"a":'.repeat(longLength / 6)}1${'}'.repeat(longLength / 6)}`,
    () => `${'['.repeat(20)}"a"${']'.repeat(20)}`,
    () => `[${'[],'.repeat(longLength / 3)}1]`,
  ])();

const operationOf = (route: Route): Operation =>
  (document.paths[route.path]?.[route.method.toLowerCase()] ?? {}) as Operation;

/** The call with another body, query, path or header in some of its parts. */
function changed(route: Route, call: InjectOptions): InjectOptions {
  const operation = operationOf(route);
  const [path = '', search = ''] = String(call.url).split('?');
  const query = new URLSearchParams(search);
  for (const { name, in: where, schema } of operation.parameters ?? [])
    if (where === 'query' && happens(0.4)) query.set(name, asText(madeOf(schema)));
  if (happens(0.1)) query.append(oneOf(['filter', 'node', 'sort', 'x', '__proto__']), asText(odd()));
  const url = `${happens(0.1) ? withOddPart(path, odd()) : path}${query.size > 0 ? `?${query}` : ''}`;
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
  if (!isObject(valid) || !isObject(made)) return made;
  return { ...valid, ...Object.fromEntries(Object.entries(made).filter(() => happens(0.5))) };
}

function withOddPart(path: string, part: unknown): string {
  const parts = path.split('/');
  // By character, so that no pair of surrogates is cut in half.
  const written = [...asText(part)].slice(0, 150).join('');
  parts[parts.length - 1 - below(Math.min(2, parts.length - 2))] = encodeURIComponent(written);
  return parts.join('/');
}

/** A value that a schema allows; now and then, by a share of `oddity`, one that it does not. */
function madeOf(schema: Schema = {}, depth = 0, oddity = 0.08): unknown {
  if (happens(oddity) || depth > 6) return odd();
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return oneOf(schema.enum);
  const part = (of: Schema | undefined) => madeOf(of, depth + 1, oddity);
  if (schema.anyOf) return part(oneOf(schema.anyOf));
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).filter(
        ([name]) => happens(0.5) || schema.required?.includes(name),
      );
      return Object.fromEntries(members.map(([name, member]) => [name, part(member)]));
    }
    case 'array':
      return Array.from({ length: below(4) }, () => part(schema.items));
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
