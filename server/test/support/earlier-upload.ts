import type { TestServer } from './server.ts';

/** The request names another upload of the same owner, which it compares with. */
export async function withEarlier({ server, thing }: { readonly server: TestServer; readonly thing: string }) {
  return { query: { vs: await earlierUpload(server, thing) } };
}

/** Gives the other visualization of the stage to the owner of this one. @returns its ID */
async function earlierUpload({ database: { db } }: TestServer, visualization: string): Promise<string> {
  const all = await db.selectFrom('visualizations').select(['id', 'user_id']).orderBy('uploaded_at').execute();
  const owner = all.find(({ id }) => id === visualization)?.user_id;
  const { id } = all.find((one) => one.id !== visualization)!;
  if (owner) await db.updateTable('visualizations').set({ user_id: owner }).where('id', '=', id).execute();
  return id;
}
