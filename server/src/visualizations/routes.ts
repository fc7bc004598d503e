import type { KeywordCursor } from '@kc/pack/detail/list-keywords';
import type { Level } from '@kc/pack/levels/level';
import { fieldOf } from '@kc/pack/levels/row-sort';
import { scoreTextsIn } from '@kc/pack/score/score-name';
import { readThresholds, usualThresholds } from '@kc/rules/changes';
import { limits } from '@kc/rules/limits';
import type { NodeDetail } from '@kc/rules/shapes';
import { api, personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import { consume } from '../http/rate-limits.ts';
import { asError } from '../http/refusals.ts';
import { changeable, comparable, deletable, listedOwner, openable, visible } from './access.ts';
import {
  type DeletionDeps,
  describe,
  type FieldMapDeps,
  mapFields,
  mapUploadFields,
  nameNewestMonth,
  removeVisualization,
} from './change-visualization.ts';
import { type Activation, activate } from './ingest/activate.ts';
import { presetRoutes } from './presets.ts';
import { findByUpload, findVisualization, listVisualizations, type OwnedRecord } from './queries.ts';
import { checkFigures } from './query/check-figures.ts';
import type { FilterCache } from './query/filter-cache.ts';
import { locateGone } from './query/locate-gone.ts';
import type { PackQueries } from './query/pack-queries.ts';
import {
  toOpenUploadResponse,
  toUnfinishedUploadResponse,
  toUploadResponse,
  toVisualizationResponse,
} from './responses.ts';
import { savedViewRoutes } from './saved-views.ts';
import { canOwnVisualizations, findUpload, listOpenUploads, listUnfinishedUploads } from './upload/upload-queries.ts';

export type RouteDeps = {
  readonly activation: Activation;
  readonly deletion: DeletionDeps;
  readonly fieldMaps: FieldMapDeps;
  readonly packQueries: PackQueries;
  readonly filterOf: FilterCache;
};

/** The contract's calls about uploads and visualizations. */
export function visualizationRoutes({ activation, deletion, fieldMaps, packQueries, filterOf }: RouteDeps) {
  const { db } = activation;
  return {
    uploads: {
      status: api.uploads.status.handler(async ({ input, context }) => {
        const upload = await findUpload(db, input.id);
        if (upload?.uploader_id !== personOf(context).account.id) throw asError({ code: 'request/not-found' });
        return toUploadResponse(upload, await findByUpload(db, upload.id));
      }),
      mapFields: api.uploads.mapFields.handler(async ({ input, context }) => {
        const { id } = personOf(context).account;
        const isFound = await mapUploadFields(fieldMaps, id, input.id, input.fieldMap);
        const upload = isFound ? await findUpload(db, input.id) : undefined;
        if (!upload) throw asError({ code: 'request/not-found' });
        return toUploadResponse(upload, await findByUpload(db, upload.id));
      }),
      list: api.uploads.list.handler(async ({ input, context }) => {
        const uploads = await listOpenUploads(db, input.id, activation.now());
        if (!(await canOwnVisualizations(db, input.id))) throw asError({ code: 'account/not-found' });
        return uploads.map((upload) => toOpenUploadResponse(upload, personOf(context).account.id));
      }),
      unfinished: api.uploads.unfinished.handler(async ({ context }) => {
        const uploads = await listUnfinishedUploads(db, personOf(context).account.id, activation.now());
        return uploads.map(toUnfinishedUploadResponse);
      }),
    },
    ...savedViewRoutes({ db, now: activation.now }),
    ...presetRoutes({ db, filterOf, now: activation.now }),
    visualizations: {
      list: api.visualizations.list.handler(async ({ input, context }) => {
        const owner = listedOwner(context, input.userId);
        const records = await listVisualizations(db, owner, owner === personOf(context).account.id);
        return records.map(toVisualizationResponse);
      }),
      get: api.visualizations.get.handler(async ({ input, context }) =>
        toVisualizationResponse(await visible(db, context, input.id)),
      ),
      activate: api.visualizations.activate.handler(async ({ input, context }) => {
        const record = await changeable(db, context, input.id);
        await activate(activation, personOf(context).account.id, record);
        return toVisualizationResponse((await findVisualization(db, record.id)) ?? record);
      }),
      describe: api.visualizations.describe.handler(async ({ input, context }) => {
        const record = await changeable(db, context, input.id);
        await describe(activation, personOf(context).account.id, record, input.description);
        return toVisualizationResponse((await findVisualization(db, record.id)) ?? record);
      }),
      mapFields: api.visualizations.mapFields.handler(async ({ input, context }) => {
        const record = await changeable(db, context, input.id);
        await mapFields(fieldMaps, personOf(context).account.id, record, input.fieldMap);
        return toVisualizationResponse((await findVisualization(db, record.id)) ?? record);
      }),
      nameNewestMonth: api.visualizations.nameNewestMonth.handler(async ({ input, context }) => {
        const record = await changeable(db, context, input.id);
        await nameNewestMonth(activation, personOf(context).account.id, record, input.month);
        return toVisualizationResponse((await findVisualization(db, record.id)) ?? record);
      }),
      remove: api.visualizations.remove.handler(async ({ input, context }) => {
        const record = await deletable(db, context, input.id);
        await removeVisualization(deletion, personOf(context).account.id, record);
        return { id: record.id };
      }),
      fields: api.visualizations.fields.handler(async ({ input, context }) => {
        const record = await openable(db, context, input.id);
        return packQueries.fields({ packKey: record.pack_key, newestMonth: record.newest_month ?? undefined });
      }),
      node: api.visualizations.node.handler(({ input, context, signal }) => nodeOf(input, context, signal)),
      keywords: api.visualizations.keywords.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        if (input.node >= record.nodes) throw asError({ code: 'visualization/node-not-found' });
        const after = input.after === undefined ? undefined : readCursor(input.after);
        const limit = input.limit ?? limits.keywordsAtATime;
        const filter = await filterOf(context, record, input.filter);
        const asked = { packKey: record.pack_key, node: input.node, limit, after, filter, signal };
        const page = await packQueries.keywords(asked);
        return { ...page, next: page.next && writeCursor(page.next) };
      }),
      members: api.visualizations.members.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        if (input.node >= record.nodes) throw asError({ code: 'visualization/node-not-found' });
        const filter = await filterOf(context, record, input.filter);
        return packQueries.members({ packKey: record.pack_key, node: input.node, filter, signal });
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
        const found = await packQueries.notInHierarchyKeyword({
          packKey: record.pack_key,
          fileKey: record.file_key,
          row: input.row,
          signal,
        });
        if (!found) throw asError({ code: 'visualization/node-not-found' });
        if (seesOriginals(context)) return found;
        const { original: _unseen, ...seen } = found;
        return seen;
      }),
      locate: api.visualizations.locate.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        const filter = await filterOf(context, record, input.filter);
        const packKey = record.pack_key;
        const path = await packQueries.locate({ packKey, addresses: [input.address], signal });
        const place = path ? { path } : ((await searchOthers(record, input.address, context)) ?? { path: [] });
        if (filter === '' || place.path.length === 0) return place;
        return { ...place, ...(await packQueries.keptPath({ packKey, path: place.path, filter, signal })) };
      }),
      search: api.visualizations.search.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        const { q, match = 'all', limit = limits.maxSearchHits, skip = 0, under } = input;
        const query = { mode: match, text: q.slice(0, maxQueryLength), limit, skip, under };
        await filterOf.search(context, record, query);
        const filter = await filterOf(context, record, input.filter);
        return packQueries.search({ packKey: record.pack_key, query, filter, signal });
      }),
      changes: api.visualizations.changes.handler(async ({ input, context, signal }) => {
        const { after, before } = await comparable(db, context, input.id, input.vs);
        const { level = 'clusters', kind, from = 0, within, ct } = input;
        if (within !== undefined && within >= after.nodes) throw asError({ code: 'visualization/node-not-found' });
        const query = { level, kind, from, count: limits.changesAtATime, within };
        const filter = await filterOf(context, after, input.filter);
        return packQueries.changes({ ...comparedBy(after, before, ct), query, filter, signal });
      }),
      change: api.visualizations.change.handler(async ({ input, context, signal }) => {
        const { after, before } = await comparable(db, context, input.id, input.vs);
        if (input.node >= after.nodes) throw asError({ code: 'visualization/node-not-found' });
        const filter = await filterOf(context, after, input.filter);
        const compared = comparedBy(after, before, input.ct);
        const changed = await packQueries.change({ ...compared, node: input.node, filter, signal });
        if (!changed) throw asError({ code: 'visualization/node-not-found' });
        return changed;
      }),
      histogram: api.visualizations.histogram.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        const filter = await filterOf(context, record, input.filter);
        const found = await packQueries.histogram({ packKey: record.pack_key, of: input.of, filter, signal });
        if (!found) throw asError({ code: 'visualization/query-invalid' });
        return found;
      }),
      checkScore: api.visualizations.checkScore.handler(async ({ input, context, signal }) => {
        const record = await openable(db, context, input.id);
        const { score, level, within = 0 } = input;
        if (within >= record.nodes) throw asError({ code: 'visualization/node-not-found' });
        const filter = await filterOf(context, record, input.filter);
        await filterOf.scores(context, record, [score]);
        const asked = { packKey: record.pack_key, score, level, within, filter, signal };
        const checked = await packQueries.checkScore(asked);
        if (!checked) throw asError({ code: 'visualization/node-not-found' });
        return checked;
      }),
      points: api.visualizations.points.handler(async ({ input, context, signal }) => {
        const { tx, ty, count = limits.maxPointsOfLevel } = input;
        const plot = await plotOf(input, context);
        const query = { ...plot.query, tx, ty, count, names: count === 0 ? 0 : limits.maxUnplacedNames };
        return foundIn(await packQueries.points({ ...plot, query, signal }));
      }),
      density: api.visualizations.density.handler(async ({ input, context, signal }) => {
        const { edges, count = limits.maxPointsOfLevel } = input;
        const plot = await plotOf(input, context);
        const query = { ...plot.query, edges, count };
        return foundIn(await packQueries.density({ ...plot, query, signal }));
      }),
    },
  };

  /** The rows of a level by two figures, if the requester may ask for them. */
  async function plotOf(input: AskedPlot, context: RequestContext) {
    const record = await openable(db, context, input.id);
    const { level, within = 0, x, y, size } = input;
    if (within >= record.nodes) throw asError({ code: 'visualization/node-not-found' });
    const packKey = record.pack_key;
    await checkFigures(packQueries, packKey, [x, y, size]);
    const filter = await filterOf(context, record, input.filter);
    await filterOf.scores(context, record, scoreTextsIn([x, y, size].flatMap((figure) => fieldOf(figure) ?? [])));
    return { packKey, filter, query: { level, within, x, y, size } };
  }

  /** Limits how often a user may search other visualizations: each may mean opening a pack. */
  async function searchOthers(record: OwnedRecord, address: string, context: RequestContext) {
    // A link opens one visualization, and tells nothing about others.
    if (visitorOf(context)) return undefined;
    const wait = await consume(db, goneLimit, personOf(context).account.id, deletion.now());
    return wait === 0 ? locateGone(db, packQueries, record, address) : undefined;
  }

  async function nodeOf(
    input: { id: string; node: number; filter?: string | undefined },
    context: RequestContext,
    signal: AbortSignal | undefined,
  ): Promise<NodeDetail> {
    const record = await openable(db, context, input.id);
    if (input.node >= record.nodes) throw asError({ code: 'visualization/node-not-found' });
    const filter = await filterOf(context, record, input.filter);
    const detail = await packQueries.node({
      packKey: record.pack_key,
      fileKey: record.file_key,
      node: input.node,
      filter,
      signal,
    });
    if (!detail) throw asError({ code: 'visualization/node-not-found' });
    return seesOriginals(context) ? detail : { ...detail, original: {} };
  }
}

/** Part of the input of the calls about plots. */
type AskedPlot = {
  readonly id: string;
  readonly level: Level;
  readonly within?: number | undefined;
  readonly x: string;
  readonly y: string;
  readonly size: string;
  readonly filter?: string | undefined;
};

/** @param answer undefined if the filter excludes the focus */
function foundIn<T>(answer: T | undefined): T {
  if (answer === undefined) throw asError({ code: 'visualization/node-not-found' });
  return answer;
}

/** Clients see the figures of a keyword, and nothing of its record in the uploaded file. */
const seesOriginals = (context: RequestContext): boolean => visitorOf(context)?.kind !== 'client';

/** The packs of a comparison. The contract defines the format of thresholds. */
const comparedBy = (after: OwnedRecord, before: OwnedRecord, ct: string | undefined) => ({
  packKey: after.pack_key,
  vsKey: before.pack_key,
  thresholds: (ct === undefined ? undefined : readThresholds(ct)) ?? usualThresholds,
});

const maxQueryLength = 200;
/** Enough for following a list of old links one by one; a program that guesses node IDs gets no further. */
const goneLimit = { name: 'locate-gone', uses: 30, windowMs: 60_000 } as const;

/** The contract defines the format of a cursor. */
function readCursor(text: string): KeywordCursor {
  const [volume, row] = text.split('_');
  return { volume: Number(volume), row: Number(row) };
}

const writeCursor = ({ volume, row }: KeywordCursor): string => `${volume}_${row}`;
