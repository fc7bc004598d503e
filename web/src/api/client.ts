import calls from 'virtual:contract';
import type { contract } from '@kc/rules/api';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { functionsOf } from './calls.ts';

type Client = JsonifiedClient<ContractRouterClient<typeof contract>>;

/**
 * Every call of the contract as a typed function: `client.accounts.list()`, `client.session.signIn({ … })`.
 *
 * @throws errors that {@link import('./refusal.ts').toRefusal} turns into a refusal
 */
export const client = functionsOf(calls, '/api', fetch) as unknown as Client;
