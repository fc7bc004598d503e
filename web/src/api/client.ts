import calls from 'virtual:contract';
import { functionsOf } from './calls.ts';
import type { Client } from './calls-about.ts';
import { createReadTimes } from './read-at.ts';

/** When the responses of this page were read. */
export const readTimes = createReadTimes((target, options) => fetch(target, options));

/**
 * Every call of the contract as a typed function: `client.accounts.list()`, `client.session.signIn({ … })`.
 *
 * @throws errors that {@link import('./refusal.ts').toRefusal} turns into a refusal
 */
export const client = functionsOf(calls, '/api', readTimes.send) as unknown as Client;
