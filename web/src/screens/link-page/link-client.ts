import calls from 'virtual:contract';
import type { contract } from '@kc/rules/api';
import type { ContractRouterClient } from '@orpc/contract';
import type { JsonifiedClient } from '@orpc/openapi-client';
import { functionsOf } from '../../api/calls.ts';

type Client = JsonifiedClient<ContractRouterClient<typeof contract>>;

/** The calls under the same names, for the visitors of a link: `id` is then the link. Those that only read exist. */
export const linkClient = functionsOf(calls, '/api', (address, init) =>
  fetch(String(address).replace(/^\/api\/visualizations\//, '/api/shared/'), init),
) as unknown as Pick<Client, 'visualizations' | 'plans' | 'warnings' | 'sharing'>;
