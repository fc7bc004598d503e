import contract from 'virtual:contract';
import type { contract as Contract } from '@kc/rules/api';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';

/**
 * Every call of the contract as a typed function: `client.accounts.list()`, `client.session.signIn({ … })`.
 *
 * @throws what {@link import('./refusal.ts').toRefusal} turns into a refusal
 */
export const client: JsonifiedClient<ContractRouterClient<typeof Contract>> = createORPCClient(
  new OpenAPILink(contract, { url: `${location.origin}/api` }),
);
