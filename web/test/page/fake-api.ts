/**
 * The API, faked at the edge: `fetch` is answered by handlers that have the types of the contract. What a screen sends
 * and what a handler answers are also checked with the contract's schemas, so a fake cannot drift from the server. A
 * call without a handler fails the test.
 */
import type { messages } from '@kc/rules/all-messages';
import { contract } from '@kc/rules/api';
import { rawRoutes } from '@kc/rules/raw-routes';
import type { Refusal } from '@kc/rules/result';
import {
  type AnyContractProcedure,
  type ContractProcedure,
  type InferSchemaInput,
  type InferSchemaOutput,
  isContractProcedure,
} from '@orpc/contract';
import { readAtNow } from './fake-times.ts';
import { noteProblem } from './problems.ts';

type Contract = typeof contract;
type Names<Calls> = {
  [Name in keyof Calls & string]: Calls[Name] extends AnyContractProcedure ? Name : `${Name}.${Names<Calls[Name]>}`;
}[keyof Calls & string];
type At<Calls, Name> = Name extends keyof Calls
  ? Calls[Name]
  : Name extends `${infer Group extends keyof Calls & string}.${infer Rest}`
    ? At<Calls[Group], Rest>
    : never;
/** A call of the contract, such as `session.signIn`. */
export type CallName = Names<Contract>;
/** As on the server: it is given what the schema has read. */
type HandlerOf<Call> =
  Call extends ContractProcedure<infer Input, infer Output, infer _Errors, infer _Meta>
    ? (input: NonNullable<InferSchemaOutput<Input>>) => InferSchemaInput<Output> | Promise<InferSchemaInput<Output>>
    : never;

/** A call outside the contract; `parameters` are those of its path. */
export type RawCall = {
  readonly request: Request;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
};
/** `METHOD /api/path`, as in `rules/src/raw-routes.ts`. */
type RawName = `${'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE'} /${string}`;

export type Handlers = { readonly [Name in CallName]?: HandlerOf<At<Contract, Name>> } & {
  readonly [Name in RawName]?: (call: RawCall) => Response | Promise<Response>;
};

type Schema = { readonly '~standard': { validate(value: unknown): unknown } };
type Route = {
  readonly name: string;
  readonly method: string;
  readonly path: RegExp;
  readonly input?: Schema | undefined;
  readonly output?: Schema | undefined;
};
type Handler = (given: unknown) => unknown;

const handlers = new Map<string, Handler>();
const routes: readonly Route[] = [
  ...routesOf(contract, ''),
  ...rawRoutes.map(({ method, path }) => ({ name: `${method} ${path}`, method, path: pathPattern(path) })),
];

/** Answers calls from now on until the end of the test; a later handler of the same call replaces the earlier one. */
export function fakeApi(given: Handlers): void {
  for (const [name, handler] of Object.entries(given)) {
    if (!routes.some((route) => route.name === name)) throw new Error(`The contract has no call ${name}`);
    handlers.set(name, handler as Handler);
  }
}

export function forgetHandlers(): void {
  handlers.clear();
}

/** What a handler throws to refuse, as the server does. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** Refuses in the middle of a handler. */
export function refuse(code: keyof typeof messages, params?: Refusal['params']): never {
  throw new Refused(params ? { code, params } : { code });
}

/** A handler that refuses: `{ 'session.signIn': refuses('sign-in/wrong-password') }`. */
export const refuses = (code: keyof typeof messages, params?: Refusal['params']) => (): Promise<never> =>
  Promise.reject(new Refused(params ? { code, params } : { code }));

/** Calls that the server refuses for now, until the returned function is called. */
export function failsFor(...names: readonly (CallName | RawName)[]): () => void {
  const before = names.map((name) => [name, handlers.get(name)!] as const);
  for (const name of names) handlers.set(name, refuses('fault/unavailable'));
  return () => {
    for (const [name, handler] of before) handlers.set(name, handler);
  };
}

/** A handler that never answers. */
export const neverAnswers = (): Promise<never> => new Promise(() => undefined);

/** A handler as without a connection. */
export const isOffline = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));

/** What a handler can wait for, so that a test sees what a screen shows in between. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Calls on their way to a handler, or back from one. */
let underWay = 0;
/** Whether no call is under way. One that a handler has not answered yet is not. */
export const isQuiet = (): boolean => underWay === 0;

const realFetch = globalThis.fetch.bind(globalThis);

globalThis.fetch = async (target, options) => {
  const request = new Request(target, options);
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith('/api/')) return realFetch(request);
  const { signal } = request;
  if (signal.aborted) throw signal.reason;
  underWay++;
  const answer = answerTo(request, url).finally(() => underWay--);
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ]);
};

async function handled(handler: Handler, given: unknown): Promise<unknown> {
  underWay--;
  try {
    return await handler(given);
  } finally {
    underWay++;
  }
}

async function answerTo(request: Request, url: URL): Promise<Response> {
  const begun = readAtNow();
  const asked = `${request.method} ${url.pathname}`;
  const candidates = routes.filter(({ method, path }) => method === request.method && path.test(url.pathname));
  // A path without parameters comes before one with them.
  const route = candidates.find(({ name }) => handlers.has(name)) ?? candidates[0];
  const handler = route && handlers.get(route.name);
  if (!route || !handler) {
    noteProblem(`no handler for ${asked}${route ? ` (${route.name})` : ', which is in no contract'}`);
    return refusalResponse({ code: 'fault/unavailable' });
  }
  const parameters = Object.fromEntries(
    Object.entries(route.path.exec(url.pathname)?.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]),
  );
  if (route.name.includes(' ')) {
    const call: RawCall = { request, parameters, query: url.searchParams };
    return orRefusal(route.name, async () => (await handled(handler, call)) as Response);
  }
  const text = await request.text();
  const sent = { ...Object.fromEntries(url.searchParams), ...parameters, ...(text ? JSON.parse(text) : {}) };
  const input = await checked(route.input, sent, `the input of ${route.name}`);
  return orRefusal(route.name, async () => {
    const answer = await handled(handler, input ?? {});
    await checked(route.output, answer, `the answer to ${route.name}`);
    return Response.json(answer, { headers: { 'Read-At': begun } });
  });
}

async function orRefusal(name: string, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refused) return refusalResponse(error.refusal);
    if (!(error instanceof TypeError)) noteProblem(`the handler of ${name}: ${error}`);
    throw error;
  }
}

const refusalResponse = (refusal: Refusal): Response =>
  Response.json(
    { data: refusal },
    { status: refusal.code === 'request/not-found' ? 404 : 422, headers: { 'Read-At': readAtNow() } },
  );

/** The value as the schema reads it; what the schema refuses is noted as a problem. */
async function checked(schema: Schema | undefined, value: unknown, what: string): Promise<unknown> {
  if (!schema) return value;
  const result = (await schema['~standard'].validate(value)) as
    | { readonly value: unknown; readonly issues?: undefined }
    | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] }[] };
  if (!result.issues) return result.value;
  const issues = result.issues.map(({ message, path = [] }) => `${path.join('.')}: ${message}`);
  noteProblem(`${what} is not as the contract says: ${issues.join('; ')}`);
  return value;
}

function routesOf(calls: object, before: string): Route[] {
  return Object.entries(calls).flatMap(([name, call]): Route[] => {
    if (!isContractProcedure(call)) return routesOf(call as object, `${before}${name}.`);
    const { route, inputSchema, outputSchema } = call['~orpc'];
    return [
      {
        name: `${before}${name}`,
        method: route.method ?? 'POST',
        path: pathPattern(`/api${route.path}`),
        input: inputSchema,
        output: outputSchema,
      },
    ];
  });
}

function pathPattern(path: string): RegExp {
  const pattern = path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${pattern}$`);
}
