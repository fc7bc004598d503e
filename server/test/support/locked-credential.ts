import type { TestServer } from './server.ts';

/** Inserts what the deletion fallback leaves behind: a locked credential without an account. */
export async function lockedCredential({ server }: { readonly server: TestServer }): Promise<string> {
  const at = new Date(server.clock);
  await server.database.db
    .insertInto('credentials')
    .values({ account_id: 'deleted', password_hash: 'x', locked_at: at, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return 'deleted';
}
