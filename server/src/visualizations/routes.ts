import type { KeywordCursor } from '@kc/pack/detail/list-keywords';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { fieldOf } from '@kc/pack/levels/row-sort';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { defaultThresholds } from '@kc/pack/vocabulary/changes';
import type { PointLevel } from '@kc/pack/vocabulary/choices';
import { readThresholds } from '@kc/rules/changes';
import { limits } from '@kc/rules/limits';
import type { Visualization } from '@kc/rules/shapes';
import { cleanDescription, type FieldMap } from '@kc/rules/upload';
import { api, onlyVisualization, personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction, type Queryable, type Tx } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { changeable, comparable, deletable, listedOwner, openable, visible } from './access.ts';
import { lockActing } from './acting.ts';
import { type Activation, activate } from './ingest/activate.ts';
import {
  changeRecord,
  deleteVisualization,
  findByUpload,
  findVisualization,
  listOthers,
  listVisualizations,
  noteDeletedFiles,
  type OwnedRecord,
  type VisualizationRecord,
} from './queries.ts';
import type { PackQueries } from './query/pack-queries.ts';
import { checkFigures, type ReadingDeps } from './reading-routes.ts';
import {
  toOpenUploadResponse,
  toUnfinishedUploadResponse,
  toUploadResponse,
  toVisualizationResponse,
} from './responses.ts';
import { dropViewsOf, savedRoutes } from './saved.ts';
import {
  canOwnVisualizations,
  findUpload,
  listOpenUploads,
  listUnfinishedUploads,
  lockUpload,
} from './upload/upload-queries.ts';

type RouteDeps = DeletionDeps & ChangeDeps & ReadingDeps & { readonly activation: Activation };

/** The contract's calls about uploads and visualizations. */
export function visualizationRoutes(deps: RouteDeps) {
  const { db, now, activation, packQueries, filterOf } = deps;
  return {
    uploads: {
      status: api.uploads.status.handler(async ({ input, context }) => {
        const upload = await findUpload(db, input.id);
        if (upload?.uploader_id !== personOf(context).account.id) throw asError({ code: 'request/not-found' });
        return toUploadResponse(upload, await findByUpload(db, upload.id));
      }),
      mapFields: api.uploads.mapFields.handler(async ({ input, context }) => {
        const { id } = personOf(context).account;
        const isFound = await mapUploadFields(deps, id, input.id, input.fieldMap);
        const upload = isFound ? await findUpload(db, input.id) : undefined;
        if (!upload) throw asError({ code: 'request/not-found' });
        return toUploadResponse(upload, await findByUpload(db, upload.id));
      }),
      list: api.uploads.list.handler(async ({ input, context }) => {
        const uploads = await listOpenUploads(db, input.id, now());
        if (!(await canOwnVisualizations(db, input.id))) throw asError({ code: 'account/not-found' });
        return uploads.map((upload) => toOpenUploadResponse(upload, personOf(context).account.id));
      }),
      unfinished: api.uploads.unfinished.handler(async ({ context }) => {
        const uploads = await listUnfinishedUploads(db, personOf(context).account.id, now());
        return uploads.map(toUnfinishedUploadResponse);
      }),
    },
    ...savedRoutes(deps),
    visualizations: {
      list: api.visualizations.list.handler(async ({ input, context }) => {
        const owner = listedOwner(context, input.userId);
        const records = await listVisualizations(db, owner, owner === personOf(context).account.id);
        const only = onlyVisualization(context);
        return records.filter(({ id }) => only === undefined || id === only).map(toVisualizationResponse);
      }),
      get: api.visualizations.get.handler(async ({ input, context }) =>
        toVisualizationResponse(await visible(db, context, input.id)),
      ),
      activate: api.visualizations.activate.handler(({ input, context }) =>
        changing(context, input.id, (actorId, record) => activate(activation, actorId, record)),
      ),
      describe: api.visualizations.describe.handler(({ input, context }) =>
        changing(context, input.id, (actorId, record) => describe(deps, actorId, record, input.description)),
      ),
      mapFields: api.visualizations.mapFields.handler(({ input, context }) =>
        changing(context, input.id, (actorId, record) => mapFields(deps, actorId, record, input.fieldMap)),
      ),
      nameNewestMonth: api.visualizations.nameNewestMonth.handler(({ input, context }) =>
        changing(context, input.id, (actorId, record) => nameNewestMonth(deps, actorId, record, input.month)),
      ),
      remove: api.visualizations.remove.handler(async ({ input, context }) => {
        const record = await deletable(db, context, input.id);
        await removeVisualization(deps, personOf(context).account.id, record);
        return { id: record.id };
      }),
      fields: api.visualizations.fields.handler(async ({ input, context }) => {
        const record = await openable(db, context, input.id);
        return packQueries.fields({ packKey: record.pack_key, newestMonth: record.newest_month ?? undefined });
      }),
      node: api.visualizations.node.handler(async ({ input, context, signal }) => {
        const { record, params } = await openPart(input, context, signal);
        const detail = foundIn(await packQueries.node({ ...params, fileKey: record.file_key, node: input.node }));
        return seesOriginals(context) ? detail : { ...detail, original: {} };
      }),
      keywords: api.visualizations.keywords.handler(async ({ input, context, signal }) => {
        const { params } = await openPart(input, context, signal);
        const { node, limit = limits.keywordsAtATime } = input;
        const after = input.after === undefined ? undefined : readCursor(input.after);
        const page = await packQueries.keywords({ ...params, node, limit, after });
        return { ...page, next: page.next && writeCursor(page.next) };
      }),
      members: api.visualizations.members.handler(async ({ input, context, signal }) => {
        const { params } = await openPart(input, context, signal);
        return packQueries.members({ ...params, node: input.node });
      }),
      notInHierarchy: api.visualizations.notInHierarchy.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        const { q = '', match = 'all', skip = 0, limit = limits.keywordsAtATime } = input;
        const query = { mode: match, text: q.slice(0, maxQueryLength), skip, limit };
        await filterOf.search(context, record, query);
        return packQueries.notInHierarchy({ packKey: record.pack_key, query, signal });
      }),
      notInHierarchyKeyword: api.visualizations.notInHierarchyKeyword.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        const { pack_key: packKey, file_key: fileKey } = record;
        const found = foundIn(await packQueries.notInHierarchyKeyword({ packKey, fileKey, row: input.row, signal }));
        if (seesOriginals(context)) return found;
        const { original: _unseen, ...seen } = found;
        return seen;
      }),
      locate: api.visualizations.locate.handler(async ({ input, context, signal }) => {
        const { record, params } = await openPart(input, context, signal);
        const path = await packQueries.locate({ ...params, addresses: [input.address] });
        const place = path ? { path } : ((await searchOthers(record, input.address, context)) ?? { path: [] });
        if (params.filter === '' || place.path.length === 0) return place;
        return { ...place, ...(await packQueries.keptPath({ ...params, path: place.path })) };
      }),
      search: api.visualizations.search.handler(async ({ input, context, signal }) => {
        const { record, params } = await openPart(input, context, signal);
        const { q, match = 'all', limit = limits.maxSearchHits, skip = 0, under } = input;
        const query = { mode: match, text: q.slice(0, maxQueryLength), limit, skip, under };
        await filterOf.search(context, record, query);
        return packQueries.search({ ...params, query });
      }),
      changes: api.visualizations.changes.handler(async ({ input, context, signal }) => {
        const params = await openComparison(input, context, signal);
        const { level = 'clusters', kind, from = 0, within } = input;
        const query = { level, kind, from, count: limits.changesAtATime, within };
        return packQueries.changes({ ...params, query });
      }),
      change: api.visualizations.change.handler(async ({ input, context, signal }) => {
        const params = await openComparison(input, context, signal);
        return foundIn(await packQueries.change({ ...params, node: input.node }));
      }),
      histogram: api.visualizations.histogram.handler(async ({ input, context, signal }) => {
        const { params } = await openPart(input, context, signal);
        const found = await packQueries.histogram({ ...params, of: input.of, sum: input.sum });
        if (!found) throw asError({ code: 'visualization/query-invalid' });
        return found;
      }),
      checkScore: api.visualizations.checkScore.handler(async ({ input, context, signal }) => {
        const { record, params } = await openPart(input, context, signal);
        const { score, level, within = 0 } = input;
        await filterOf.scores(context, record, [score]);
        return foundIn(await packQueries.checkScore({ ...params, score, level, within }));
      }),
      points: api.visualizations.points.handler(async ({ input, context, signal }) => {
        const { tx, ty, count = limits.maxPointsOfLevel } = input;
        const { params, plot } = await plotOf(input, context, signal);
        const query = { ...plot, tx, ty, count, names: count === 0 ? 0 : limits.maxUnplacedNames };
        return foundIn(await packQueries.points({ ...params, query }));
      }),
      density: api.visualizations.density.handler(async ({ input, context, signal }) => {
        const { edges, count = limits.maxPointsOfLevel } = input;
        const { params, plot } = await plotOf(input, context, signal);
        return foundIn(await packQueries.density({ ...params, query: { ...plot, edges, count } }));
      }),
    },
  };

  /**
   * The first step of every call that reads a pack: finds the record, if the requester may open it, checks that its rows exist,
   * and reads the filter.
   */
  async function openPart(input: PartInput, context: RequestContext, signal: AbortSignal | undefined) {
    const record = await openable(db, context, input.id);
    requireRows(record, input);
    return {
      record,
      params: { packKey: record.pack_key, filter: await filterOf(context, record, input.filter), signal },
    };
  }

  /** The same for a call that compares with an earlier upload. The contract defines the format of thresholds. */
  async function openComparison(
    input: PartInput & { readonly vs: string; readonly ct?: string | undefined },
    context: RequestContext,
    signal: AbortSignal | undefined,
  ) {
    const { after, before } = await comparable(db, context, input.id, input.vs);
    requireRows(after, input);
    const thresholds = (input.ct === undefined ? undefined : readThresholds(input.ct)) ?? defaultThresholds;
    const filter = await filterOf(context, after, input.filter);
    return { packKey: after.pack_key, vsKey: before.pack_key, thresholds, filter, signal };
  }

  /** The rows of a level by two figures, if the requester may read them. */
  async function plotOf(input: PlotInput, context: RequestContext, signal: AbortSignal | undefined) {
    const { level, within = 0, x, y, size } = input;
    const { record, params } = await openPart(input, context, signal);
    await checkFigures(packQueries, record.pack_key, [x, y, size]);
    await filterOf.scores(context, record, scoreTextsIn([x, y, size].flatMap((figure) => fieldOf(figure) ?? [])));
    return { params, plot: { level, within, x, y, size } };
  }

  /** Changes a record, if the requester may, and returns the changed record. */
  async function changing(
    context: RequestContext,
    id: string,
    change: (actorId: string, record: OwnedRecord) => Promise<unknown>,
  ): Promise<Visualization> {
    const record = await changeable(db, context, id);
    await change(personOf(context).account.id, record);
    return toVisualizationResponse((await findVisualization(db, record.id)) ?? record);
  }

  /** Limits how often a user may search other visualizations: each may mean opening a pack. */
  async function searchOthers(record: OwnedRecord, address: string, context: RequestContext) {
    // A link, and a token of one visualization, open only that one and reveal nothing about others.
    if (visitorOf(context) || onlyVisualization(context) !== undefined) return undefined;
    const wait = await consume(db, locateMissingLimit, personOf(context).account.id, now());
    return wait === 0 ? locateMissing(db, packQueries, record, address) : undefined;
  }
}

/** The part of a map that a call refers to. */
type PartInput = {
  readonly id: string;
  readonly node?: number | undefined;
  readonly within?: number | undefined;
  readonly filter?: string | undefined;
};

function requireRows({ nodes }: OwnedRecord, { node = 0, within = 0 }: PartInput): void {
  if (node >= nodes || within >= nodes) throw asError({ code: 'visualization/node-not-found' });
}

/** Part of the input of the calls about plots. */
type PlotInput = PartInput & {
  readonly level: PointLevel;
  readonly x: string;
  readonly y: string;
  readonly size: string;
};

/** @param answer undefined if the filter excludes the focus */
function foundIn<T>(answer: T | undefined): T {
  if (answer === undefined) throw asError({ code: 'visualization/node-not-found' });
  return answer;
}

/** Clients see the figures of a keyword, and nothing of its record in the uploaded file. */
const seesOriginals = (context: RequestContext): boolean => visitorOf(context)?.kind !== 'client';

const maxQueryLength = 200;
/** Enough for following a list of old links one by one, but not for a program that guesses node IDs. */
const locateMissingLimit = { name: 'locate-gone', uses: 30, windowMs: 60_000 } as const;

/** The contract defines the format of a cursor. */
function readCursor(text: string): KeywordCursor {
  const [volume, row] = text.split('_');
  return { volume: Number(volume), row: Number(row) };
}

const writeCursor = ({ volume, row }: KeywordCursor): string => `${volume}_${row}`;

type ChangeDeps = Pick<ServerParts, 'db' | 'mayDo' | 'queueRebuild' | 'now'>;

type Changed = Pick<VisualizationRecord, 'id' | 'user_id' | 'file_name'>;

/** What changes in a record, and what the audit log says of it beside the file and the ID. */
type RecordChange = {
  readonly action: 'describe' | 'newest-month' | 'map-fields';
  readonly columns: Parameters<typeof changeRecord>[2];
  readonly details?: { readonly month: string } | false;
};

/** Changes the description beside a visualization's name. @param actorId the account that sent the request */
export const describe = (deps: ChangeDeps, actorId: string, record: Changed, description: string): Promise<void> =>
  change(deps, actorId, record, { action: 'describe', columns: { description: cleanDescription(description) } });

/**
 * Records which month the newest of a file's twelve is, for files that only number them. Months that the file names take
 * precedence.
 *
 * @param actorId the account that sent the request
 * @param month as in `2026-04`; null if nobody knows any more
 */
export const nameNewestMonth = (
  deps: ChangeDeps,
  actorId: string,
  record: Changed,
  month: string | null,
): Promise<void> =>
  change(deps, actorId, record, {
    action: 'newest-month',
    columns: { newest_month: month },
    details: month !== null && { month },
  });

/**
 * Changes how the members of a visualization's file are read. Its pack is rebuilt in the background; until then it
 * shows the file as it was read before. The file itself never changes.
 *
 * @param actorId the account that sent the request, for the audit log
 */
export const mapFields = (deps: ChangeDeps, actorId: string, record: Changed, map: FieldMap): Promise<void> =>
  change(deps, actorId, record, { action: 'map-fields', columns: { field_map: stored(map) } });

function change(deps: ChangeDeps, actorId: string, record: Changed, changed: RecordChange): Promise<void> {
  return inTransaction(deps.db, async (tx) => {
    await lockActing(tx, deps.mayDo, actorId, { do: 'visualizations/change', ownerId: record.user_id });
    await store(deps, tx, actorId, record, changed);
  });
}

async function store(
  { queueRebuild, now }: ChangeDeps,
  tx: Tx,
  actor: string,
  { id, user_id, file_name }: Changed,
  { action, columns, details: more }: RecordChange,
): Promise<void> {
  if (!(await changeRecord(tx, id, columns))) return;
  if (columns.field_map !== undefined) await queueRebuild(tx, id);
  const details = { file: file_name, visualization: id, ...more };
  await audit(tx, { actor, action, target: user_id, details }, now());
  await notify(tx, { about: 'visualizations', accountId: user_id });
}

/**
 * Changes how the members of an upload are read: by the ingest that is to come, or of the visualization that it has
 * become. Both lock the upload's row, so that a correction is never lost in between.
 *
 * @returns whether there is such an upload
 */
function mapUploadFields(deps: ChangeDeps, actorId: string, uploadId: string, map: FieldMap): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const upload = await lockUpload(tx, uploadId);
    if (upload?.uploader_id !== actorId || upload.kind !== 'json' || upload.state === 'failed') return false;
    const record = await findByUpload(tx, uploadId);
    const columns = { field_map: stored(map) };
    if (record) await store(deps, tx, actorId, record, { action: 'map-fields', columns });
    else await tx.updateTable('uploads').set(columns).where('id', '=', uploadId).execute();
    return true;
  });
}

const stored = (map: FieldMap): string | null => (Object.keys(map).length === 0 ? null : JSON.stringify(map));

type DeletionDeps = Pick<ServerParts, 'db' | 'mayDo' | 'queueFileDeletion' | 'now'>;

/**
 * Deletes a visualization in one transaction: its record, and the upload it came from, so that a repeated ingest cannot
 * create it again. The original, the pack and the lists stay on disk for a day for backups in progress.
 *
 * Saved views are deleted with the last visualization that shows their data.
 *
 * No other visualization becomes active: an administrator decides what the user sees. Deleting a deleted visualization
 * changes nothing.
 *
 * @param actorId the account that sent the request
 * @throws the refusal as the contract's error if they may not do it any more
 */
export async function removeVisualization(
  { db, mayDo, now, queueFileDeletion }: DeletionDeps,
  actorId: string,
  { id, user_id, uploaded_by }: Pick<VisualizationRecord, 'id' | 'user_id' | 'uploaded_by'>,
): Promise<void> {
  const at = now();
  const removeAfter = new Date(at + limits.deletedFilesMs);
  await inTransaction(db, async (tx) => {
    await lockActing(tx, mayDo, actorId, {
      do: 'visualizations/delete',
      ownerId: user_id,
      uploadedBy: uploaded_by,
    });
    const lists = await tx
      .selectFrom('visualization_lists')
      .select('file_key')
      .where('visualization_id', '=', id)
      .execute();
    const deleted = await deleteVisualization(tx, id);
    if (!deleted) return;
    if (deleted.upload_id) await tx.deleteFrom('uploads').where('id', '=', deleted.upload_id).execute();
    await dropViewsOf(tx, deleted);
    const keys = [deleted.file_key, deleted.pack_key, ...lists.map((list) => list.file_key)];
    await noteDeletedFiles(tx, keys, removeAfter);
    await queueFileDeletion(tx, keys, removeAfter);
    const details = { file: deleted.file_name, visualization: id, active: deleted.is_active };
    await audit(tx, { actor: actorId, action: 'delete-visualization', target: deleted.user_id, details }, at);
    await notify(tx, { about: 'visualizations', accountId: deleted.user_id });
  });
}

/** How many earlier uploads are searched. Each one means opening a pack. */
const maxOthers = 5;

/**
 * Resolves a link to a node that this visualization does not contain. If another visualization of the same user has the
 * node, its path is known, and the result is its deepest ancestor that still exists here. A user who may see one of a
 * user's visualizations may see the others.
 *
 * @returns the path to that ancestor, root first, and the name of the missing node; `undefined` if no visualization has
 * the node
 */
async function locateMissing(
  db: Queryable,
  packQueries: PackQueries,
  record: Pick<VisualizationRecord, 'id' | 'user_id' | 'pack_key'>,
  address: string,
): Promise<{ path: number[]; gone: string } | undefined> {
  for (const { pack_key } of await listOthers(db, record, packFormatVersion, maxOthers)) {
    const places = await packQueries.placesTo({ packKey: pack_key, address });
    const missingName = places?.at(-1)?.name;
    if (!places || missingName === undefined) continue;
    const path = await packQueries.locate({
      packKey: record.pack_key,
      addresses: places.map((place) => place.address),
    });
    return path && { path, gone: missingName };
  }
  return undefined;
}
