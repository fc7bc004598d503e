import { packFormatVersion } from '@kc/pack/format/pack-format';
import { type Action, can } from '@kc/rules/access';
import { linkAllows, type Visitor } from '@kc/rules/link';
import { storagePath } from '@kc/rules/upload';
import type { Selectable } from 'kysely';
import { onlyVisualization, personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import type { DraftRow } from '../database/draft-tables.ts';
import { isId, type Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { findVisualization, type OwnedRecord } from './queries.ts';
import { shownPackKey } from './query/shown-columns.ts';

/**
 * What this account reads under an ID: a visualization, or a revision of a draft. What belongs to someone else is
 * reported as missing, like what never existed.
 *
 * @throws the refusal as the contract's error
 */
export async function visible(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const visitor = visitorOf(context);
  if (visitor) return shared(db, visitor, id);
  const found = isNameable(context, id) ? await findReadable(db, id) : undefined;
  if (!found) throw notFound();
  const answer = can(personOf(context).account, found.action, context.builtInAdmins);
  // The response must not reveal whether an ID is that of somebody's draft.
  if (!answer.ok && answer.refusal.code === 'draft/not-found') throw notFound();
  allowed(answer);
  return found.record;
}

/** As {@link visible}, for what drafts do not have: the record of a visualization. */
export async function published(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const visitor = visitorOf(context);
  if (visitor) return shared(db, visitor, id);
  const record = isNameable(context, id) ? await findVisualization(db, id) : undefined;
  if (!record) throw notFound();
  allowed(can(personOf(context).account, viewing(record), context.builtInAdmins));
  return record;
}

/**
 * The one visualization that a link opens, with the columns that the link shows. For its visitors, the ID of the link
 * stands for it in every call.
 */
async function shared(db: Queryable, visitor: Visitor, id: string): Promise<OwnedRecord> {
  const record = id === visitor.linkId ? await findVisualization(db, visitor.visualizationId) : undefined;
  if (!record) throw notFound();
  const { columns } = visitor;
  return columns === undefined ? record : { ...record, pack_key: shownPackKey(record.pack_key, columns) };
}

/**
 * Whether the requester may continue a download from this visualization: everybody who may read it, and
 * visitors of a link that includes downloads.
 */
export async function mayTake(db: Queryable, context: RequestContext, id: string): Promise<boolean> {
  if (!visitorOf(context)) return maySee(db, { ...context, person: await context.readAgain() }, id);
  const visitor = await context.readVisitorAgain();
  return visitor.ok && visitor.value.visualizationId === id && linkAllows(visitor.value, 'downloads');
}

/** Whether an account may read what has this ID right now. Nobody reads what was deleted. */
async function maySee(db: Queryable, context: RequestContext, id: string): Promise<boolean> {
  const { person, builtInAdmins } = context;
  const found = person && isNameable(context, id) ? await findReadable(db, id) : undefined;
  return found !== undefined && can(person?.account, found.action, builtInAdmins).ok;
}

/** False for everything but the one visualization that an access token may be limited to. */
const isNameable = (context: RequestContext, id: string): boolean =>
  [undefined, id].includes(onlyVisualization(context));

/** The record with an ID, and what somebody must be allowed to do in order to read it. */
async function findReadable(
  db: Queryable,
  id: string,
): Promise<{ readonly record: OwnedRecord; readonly action: Action } | undefined> {
  const record = await findVisualization(db, id);
  if (record) return { record, action: viewing(record) };
  const view = await findDraftView(db, id);
  if (!view) return undefined;
  return { record: view.record, action: { do: 'drafts/use', ownerId: view.record.user_id, begunBy: view.begunBy } };
}

const viewing = (record: OwnedRecord): Action => ({
  do: 'visualizations/view',
  ownerId: record.user_id,
  sample: record.is_sample,
});

/**
 * The record, if this account may see it and its pack can be opened. A pack written by an earlier version cannot be
 * opened until it has been rebuilt.
 *
 * @throws the refusal as the contract's error
 */
export async function openable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await visible(db, context, id);
  if (record.pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  return record;
}

/**
 * A record and the earlier upload it is compared with, if this account may compare them and both packs can be opened.
 * Neither is a draft or the sample.
 *
 * @throws the refusal as the contract's error
 */
export async function comparable(
  db: Queryable,
  context: RequestContext,
  id: string,
  vs: string,
): Promise<{ readonly after: OwnedRecord; readonly before: OwnedRecord }> {
  if (context.visitor) throw notFound();
  const [after, before] = [await published(db, context, id), await published(db, context, vs)];
  const action = { do: 'visualizations/compare', ownerId: after.user_id, otherOwnerId: before.user_id } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
  if (after.is_sample || before.is_sample || after.id === before.id) throw notFound();
  for (const { pack_version } of [after, before]) {
    if (pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  }
  return { after, before };
}

/** The record, if this account may activate or describe it. Nobody owns the sample. */
export async function changeable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await published(db, context, id);
  const action = { do: 'visualizations/change', ownerId: record.user_id } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
  if (record.is_sample) throw notFound();
  return record;
}

/**
 * The record, if this account may delete it: an administrator, or a user who imported it. Nobody may delete the sample.
 */
export async function deletable(db: Queryable, context: RequestContext, id: string): Promise<OwnedRecord> {
  const record = await published(db, context, id);
  if (record.is_sample) throw notFound();
  const action = { do: 'visualizations/delete', ownerId: record.user_id, uploadedBy: record.uploaded_by } as const;
  allowed(can(personOf(context).account, action, context.builtInAdmins));
  return record;
}

/** Whose visualizations are listed: the requester's own, or for an administrator those of the named account. */
export function listedOwner(context: RequestContext, userId: string | undefined): string {
  const { account } = personOf(context);
  if (userId === undefined || userId === account.id) return account.id;
  allowed(can(account, { do: 'accounts/list' }, context.builtInAdmins));
  return userId;
}

const notFound = () => asError({ code: 'visualization/not-found' });

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
async function findDraftView(db: Queryable, id: string): Promise<DraftView | undefined> {
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
