import { randomBytes, randomUUID } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import type { Db } from '../../src/database/open.ts';
import { newKey } from '../../src/storage/storage.ts';
import type { VisualizationRecord } from '../../src/visualizations/queries.ts';
import type { NewUpload } from '../../src/visualizations/upload/upload-queries.ts';

/** Inserts an account row, for tests of records that refer to it. */
export async function insertAccount(
  db: Db,
  id: string,
  more: { role?: 'admin' | 'user'; isSample?: boolean; migratedTo?: string } = {},
): Promise<void> {
  const now = new Date(0);
  await db
    .insertInto('accounts')
    .values({
      id,
      email: `${id}@example.com`,
      is_sample: more.isSample ?? false,
      migrated_to: more.migratedTo ?? null,
      created_at: now,
      updated_at: now,
      role: more.role ?? 'user',
      status: 'approved',
    })
    .execute();
}

export function recordOf(userId: string, more: Partial<VisualizationRecord> = {}): VisualizationRecord {
  return {
    id: randomUUID(),
    user_id: userId,
    upload_id: randomBytes(16).toString('hex'),
    file_name: 'shoes.json',
    storage_path: `users/${userId}/visualizations/0_shoes.json`,
    uploaded_by: 'admin',
    uploaded_at: new Date(0),
    is_active: false,
    is_sample: false,
    file_size: 10,
    description: '',
    keywords: 1,
    nodes: 2,
    root_name: 'shoes',
    thumbnail: null,
    merged: null,
    file_key: newKey('file'),
    pack_key: newKey('pack'),
    pack_version: packFormatVersion,
    field_map: null,
    pack_field_map: null,
    newest_month: null,
    exported_on: null,
    file_checksum: null,
    source_hash: null,
    ...more,
  };
}

export function uploadOf(userId: string, size: number): NewUpload {
  return {
    id: randomBytes(16).toString('hex'),
    uploader_id: userId,
    user_id: userId,
    file_name: 'shoes.json',
    description: '',
    size,
    file_key: newKey('file'),
    pack_key: newKey('pack'),
  };
}
