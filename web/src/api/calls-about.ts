import type { contract } from '@kc/rules/api';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';

/** Every call of the contract, as a function that returns the server's response. */
export type Client = JsonifiedClient<ContractRouterClient<typeof contract>>;

/** What is sent may come from readonly data. */
type Sent<T> = T extends readonly (infer One)[]
  ? readonly Sent<One>[]
  : T extends object
    ? { readonly [Name in keyof T]: Sent<T[Name]> }
    : T;

/** Calls of the contract, such as `Client['plans']`, about one visualization that they need not name. */
export type CallsAbout<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (
    input: infer Input,
    options?: infer Options,
  ) => Promise<infer Output>
    ? (input: Sent<Omit<Input, 'id'>>, options?: Options) => Promise<Output>
    : never;
};

/**
 * The calls about one visualization. An empty filter is left out, so that responses without one are found in the cache.
 *
 * @param id the visualization, or the link where the calls are those of its visitors
 */
export function callsAbout<Calls extends object>(calls: Calls, id: string): CallsAbout<Calls> {
  const bound = Object.entries(calls).map(([name, call]) => [
    name,
    ({ filter, ...input }: { readonly filter?: string }, options?: object) =>
      call({ id, ...input, ...(filter && { filter }) }, options),
  ]);
  return Object.fromEntries(bound) as CallsAbout<Calls>;
}
