import { randomUUID } from 'node:crypto';
import { accessTokenOf, type TokenScope } from '@kc/rules/access-token';
import { hashToken, newToken } from '../../src/accounts/tokens.ts';
import { secretName } from './begun-things.ts';
import { nothing } from './route-parts.ts';
import type { Expectation } from './routes.ts';
import type { TestServer } from './server.ts';

type Given = {
  readonly scopes?: readonly TokenScope[];
  readonly visualizationId?: string;
  readonly revoked?: boolean;
  /** In milliseconds from now; a day without it. */
  readonly lifeMs?: number;
};

/** Stores an access token of an account, `read` without anything else. */
export async function giveToken(
  { database: { db }, clock }: Pick<TestServer, 'database' | 'clock'>,
  accountId: string,
  { scopes = ['read'], visualizationId, revoked = false, lifeMs = 86_400_000 }: Given = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const [id, token, at] = [randomUUID(), accessTokenOf(newToken()), new Date(clock)];
  await db
    .insertInto('access_tokens')
    .values({
      id,
      token_hash: hashToken(token),
      account_id: accountId,
      name: secretName,
      scopes: [...scopes],
      visualization_id: visualizationId ?? null,
      created_at: at,
      expires_at: new Date(clock + lifeMs),
      revoked_at: revoked ? at : null,
    })
    .execute();
  return { id, token };
}

const mcp = {
  headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
};

/** The expectations for the calls about access tokens, and for the tools of agents. */
export const tokenExpectations: Readonly<Record<string, Expectation>> = {
  'POST /api/access-tokens': {
    who: 'approved',
    ask: ({ server }) => ({ body: { name: 'cron', scopes: ['read'], expiresAt: server.clock + 86_400_000 } }),
    answer: 200,
  },
  'GET /api/access-tokens': { who: 'approved', ask: nothing, answer: 200 },
  'GET /api/access-tokens/all': { who: 'admin', ask: nothing, answer: 200 },
  'POST /mcp': { who: 'approved', ask: () => mcp, answer: 200 },
  'GET /mcp': { who: 'approved', ask: nothing, answer: 405 },
  'DELETE /mcp': { who: 'approved', ask: nothing, answer: 405 },
  'DELETE /api/access-tokens/{id}': {
    who: 'approved',
    names: 'token',
    ask: nothing,
    answer: 200,
    refused: { missing: 'token/not-found' },
  },
};
