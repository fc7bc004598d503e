import type { Person } from '../../src/accounts/require.ts';
import { issueStepUp, mintIdToken } from '../../src/accounts/step-up.ts';
import { insertToken, issueToken, type Purpose } from '../../src/accounts/tokens.ts';
import type { Asker } from './actors.ts';
import type { Stage } from './routes.ts';
import { builtInEmail } from './server.ts';

export function tokenOf({ server }: Stage, purpose: Purpose, accountId: string): Promise<string> {
  return issueToken(server.database.db, purpose, accountId, 60_000, server.clock);
}

/** A token of the asker, or `none` without a valid session. */
export const ownTokenOf = (stage: Stage, purpose: Purpose): Promise<string> | string =>
  stage.asker.sessionId ? tokenOf(stage, purpose, stage.asker.account.id) : 'none';

/** A valid claim link of a built-in admin who is not one of the actors. */
export async function claimOf(stage: Stage): Promise<string> {
  const { db } = stage.server.database;
  const at = new Date(stage.server.clock);
  await db.deleteFrom('accounts').where('email', '=', builtInEmail).execute();
  await db
    .insertInto('accounts')
    .values({ id: 'claimed', email: builtInEmail, created_at: at, updated_at: at })
    .execute();
  return tokenOf(stage, 'claim', 'claimed');
}

/** A step-up handle for the asker's session, so that missing permission is the only possible obstacle. */
export async function stepUpOf({ server, asker }: Stage): Promise<string> {
  const person = personOf(asker);
  return (person && (await issueStepUp(server.database.db, person, server.clock))) ?? 'none';
}

/** Simulates that the asker has just returned from the issuer. @returns the page's nonce */
export async function wayBackOf({ server, asker }: Stage): Promise<string> {
  const [person, nonce] = [personOf(asker), 'nonce-of-the-page'];
  const made = { token: `${asker.sessionId} ${nonce}`, purpose: 'issuer', lifeMs: 60_000 } as const;
  if (person) await insertToken(server.database.db, person, made, server.clock);
  return nonce;
}

export async function idTokenOf(stage: Stage): Promise<string> {
  const person = personOf(stage.asker);
  if (!person) return 'none';
  const { database, clock } = stage.server;
  const minted = await mintIdToken(database.db, person, await stepUpOf(stage), clock);
  if (!minted.ok) throw new Error('No id token was minted');
  return minted.value;
}

function personOf({ account, sessionId }: Asker): Person | undefined {
  return sessionId ? { account, sessionId, hasPhoto: false } : undefined;
}
