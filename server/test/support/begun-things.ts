import { randomBytes } from 'node:crypto';
import { insertUpload } from '../../src/visualizations/upload/upload-queries.ts';
import { uploadOf } from './rows.ts';
import type { TestServer } from './server.ts';

/** Inserts an upload that an account has begun for itself. @returns its ID */
export async function beginUpload({ database, clock }: TestServer, accountId: string): Promise<string> {
  const upload = uploadOf(accountId, 10);
  await insertUpload(database.db, { ...upload, file_name: secretName }, new Date(clock));
  return upload.id;
}

/** Inserts a draft that an account has begun for itself. It can be edited, but has no revision. @returns its ID */
export async function beginDraft({ database, clock }: TestServer, accountId: string): Promise<string> {
  const at = new Date(clock);
  const draft = {
    id: randomBytes(16).toString('hex'),
    owner_id: accountId,
    begun_by: accountId,
    name: secretName,
    description: '',
    origin: 'lists',
    state: 'ready',
    settings: JSON.stringify({ preset: 'balanced', grouping: 'columns' }),
    report: JSON.stringify({ rows: 0, keywords: 0, repeats: 0, files: [] }),
    created_at: at,
    touched_at: at,
  } as const;
  await database.db.insertInto('drafts').values(draft).execute();
  return draft.id;
}

/** The file name of every upload and visualization of the matrix, and the name of every draft. No response to another user may contain it. */
export const secretName = 'secret-plan.json';
