import { storagePath } from '@kc/rules/upload';
import type { Selectable } from 'kysely';
import type { DraftRow } from '../database/draft-tables.ts';
import { isId, type Queryable } from '../database/open.ts';
import type { OwnedRecord } from './queries.ts';

/** A revision of a draft as a record that no list contains, and who began the draft. */
type DraftView = { readonly record: OwnedRecord; readonly begunBy: string };

type DraftFacts = Pick<
  Selectable<DraftRow>,
  'owner_id' | 'begun_by' | 'name' | 'description' | 'created_at' | 'touched_at' | 'field_map'
> & { readonly user_email: string };

type RevisionFacts = Pick<
  OwnedRecord,
  'file_key' | 'pack_key' | 'pack_version' | 'file_size' | 'nodes' | 'keywords' | 'merged' | 'root_name'
>;

/** The revision with this ID: the current one of a draft, or one that was replaced a moment ago. */
export async function findDraftView(db: Queryable, id: string): Promise<DraftView | undefined> {
  if (!isId(id)) return undefined;
  const current = await withOwner(db).selectAll('drafts').where('drafts.view_id', '=', id).executeTakeFirst();
  if (current) {
    // The table requires both keys of a revision that has an ID.
    return viewOf(id, current, { ...current, file_key: current.file_key!, pack_key: current.pack_key! });
  }
  const past = await withOwner(db)
    .innerJoin('past_revisions', 'past_revisions.draft_id', 'drafts.id')
    .selectAll('drafts')
    .selectAll('past_revisions')
    .where('past_revisions.view_id', '=', id)
    .executeTakeFirst();
  return past && viewOf(id, past, past);
}

const withOwner = (db: Queryable) =>
  db
    .selectFrom('drafts')
    .innerJoin('accounts', 'accounts.id', 'drafts.owner_id')
    .select('accounts.email as user_email');

function viewOf(id: string, draft: DraftFacts, revision: RevisionFacts): DraftView {
  const fileName = `${draft.name}-draft.json`;
  const { file_key, pack_key, pack_version, file_size, nodes, keywords, merged, root_name } = revision;
  const record: OwnedRecord = {
    id,
    user_id: draft.owner_id,
    user_email: draft.user_email,
    upload_id: null,
    file_name: fileName,
    storage_path: storagePath(draft.owner_id, draft.created_at.getTime(), fileName),
    uploaded_by: draft.begun_by,
    uploaded_at: draft.touched_at,
    is_active: false,
    is_sample: false,
    description: draft.description,
    thumbnail: null,
    field_map: draft.field_map,
    pack_field_map: draft.field_map,
    newest_month: null,
    exported_on: null,
    file_checksum: null,
    source_hash: null,
    ...{ file_key, pack_key, pack_version, file_size, nodes, keywords, merged, root_name },
  };
  return { record, begunBy: draft.begun_by };
}
