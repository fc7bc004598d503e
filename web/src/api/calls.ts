import { inTime, patience } from './in-time.ts';

/** The route of each call as `method path`, grouped as in the contract: `{ session: { get: 'GET /session' } }`. */
export type Calls = { readonly [name: string]: string | Calls };

type Input = Readonly<Record<string, unknown>>;
type Call = (input?: Input, options?: { readonly signal?: AbortSignal }) => Promise<unknown>;
/** A function for each call, in the same groups. */
type FunctionsOf<C> = { readonly [Name in keyof C]: C[Name] extends string ? Call : FunctionsOf<C[Name]> };

/**
 * The calls as functions. Input members named in the path go into the path; the rest becomes the query of a GET or the
 * JSON body of other methods. Undefined members are omitted.
 *
 * @param base prefix of every path
 * @param send like `fetch`; rejects with a TypeError if there is no response
 * @returns functions that return the parsed JSON, or throw an Error with the refusal, if any, as its `data`; also when
 *   the server does not answer in time
 */
export function functionsOf<C extends Calls>(calls: C, base: string, send: typeof fetch): FunctionsOf<C> {
  const functions = Object.entries(calls).map(([name, at]) => [
    name,
    typeof at === 'string'
      ? (...[input, options]: Parameters<Call>) => responseOf(at, input, options?.signal, base, send)
      : functionsOf(at, base, send),
  ]);
  return Object.fromEntries(functions) as FunctionsOf<C>;
}

async function responseOf(
  at: string,
  input: Input = {},
  signal: AbortSignal | undefined,
  base: string,
  send: typeof fetch,
): Promise<unknown> {
  const [method, path] = at.split(' ') as [string, string];
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(`${rest.get(name)}`);
    rest.delete(name);
    return value;
  });
  const members = Object.fromEntries(rest);
  const isQuery = method === 'GET';
  const query = isQuery && rest.size > 0 ? `?${new URLSearchParams(members as Record<string, string>)}` : '';
  const body = isQuery || rest.size === 0 ? {} : { body: JSON.stringify(members), headers: json };
  return inTime(isQuery ? patience.read : patience.change, signal, async (ending) => {
    const response = await send(`${base}${filled}${query}`, { method, redirect: 'manual', signal: ending, ...body });
    const text = await response.text();
    const parsed = text ? JSON.parse(text) : undefined;
    if (!response.ok) throw Object.assign(new Error(`${at}: ${response.status}`), { data: parsed?.data });
    return parsed;
  });
}

const json = { 'content-type': 'application/json' };
