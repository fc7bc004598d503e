/** Where each call goes, as `method path`, in the contract's own groups: `{ session: { get: 'GET /session' } }`. */
export type Calls = { readonly [name: string]: string | Calls };

type Input = Readonly<Record<string, unknown>>;
type Call = (input?: Input, options?: { readonly signal?: AbortSignal }) => Promise<unknown>;
/** A function for each call, in the same groups. */
export type FunctionsOf<C> = { readonly [Name in keyof C]: C[Name] extends string ? Call : FunctionsOf<C[Name]> };

/**
 * The calls as functions. A member of the input that the path names goes into the path; the rest is the query of a GET
 * and the JSON body of all others. What is undefined is not sent.
 *
 * @param base what every path stands behind
 * @param send as `fetch`, which rejects with a TypeError where no answer came
 * @returns functions that answer what the JSON says, and throw an Error that has the refusal as its `data`, or none
 */
export function functionsOf<C extends Calls>(calls: C, base: string, send: typeof fetch): FunctionsOf<C> {
  const made = Object.entries(calls).map(([name, at]) => [
    name,
    typeof at === 'string'
      ? (...[input, options]: Parameters<Call>) => answerOf(at, input, options?.signal, base, send)
      : functionsOf(at, base, send),
  ]);
  return Object.fromEntries(made) as FunctionsOf<C>;
}

async function answerOf(
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
  const answer = await send(`${base}${filled}${query}`, {
    method,
    redirect: 'manual',
    signal: signal ?? null,
    ...body,
  });
  const text = await answer.text();
  const said = text ? JSON.parse(text) : undefined;
  if (!answer.ok) throw Object.assign(new Error(`${at}: ${answer.status}`), { data: said?.data });
  return said;
}

const json = { 'content-type': 'application/json' };
