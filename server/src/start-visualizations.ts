import { randomBytes } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type { AnyRouter } from '@orpc/server';
import type { FastifyPluginAsync } from 'fastify';
import type pg from 'pg';
import { api, personOf } from './accounts/require.ts';
import type { Tx } from './database/open.ts';
import { type ClusteringDeps, clusteringQueue } from './drafts/clustering-job.ts';
import { createEditors } from './drafts/editing-process.ts';
import { continueDraft, listKept } from './drafts/list-kept.ts';
import { publicationQueue } from './drafts/publish.ts';
import { draftRebuildQueue, queueDraftRebuilds } from './drafts/rebuild-drafts.ts';
import { startDrafts } from './drafts/routes.ts';
import { handoverRoutes } from './handover/handover-routes.ts';
import { createImportNews } from './import-news/import-news.ts';
import { type Jobs, type Queue, startJobs } from './jobs/jobs.ts';
import type { Mailer } from './mail/mailer.ts';
import { findMarks } from './marks/find-marks.ts';
import { assignmentQueue, notifyOwnersBy } from './plans/assignment-mails.ts';
import { followMoves } from './plans/follow-moves.ts';
import { planRoutes } from './plans/plan-routes.ts';
import type { ServerParts } from './server-parts.ts';
import { deletedFiles, deleteFilesQueue, purge } from './visualizations/cleanup/delete-files.ts';
import { graceMs, sweep } from './visualizations/cleanup/sweep.ts';
import { createDownloads, createPlaces } from './visualizations/export/downloads.ts';
import { exportRoutes } from './visualizations/export/export-routes.ts';
import { fileRoutes, levelRoutes } from './visualizations/files.ts';
import type { Activation } from './visualizations/ingest/activate.ts';
import { readDuringUpload } from './visualizations/ingest/follow-upload.ts';
import { ingestQueue } from './visualizations/ingest/ingest.ts';
import { createMemoryShares } from './visualizations/ingest/memory-shares.ts';
import { queueRebuilds, rebuildQueue } from './visualizations/ingest/rebuild-packs.ts';
import { moveSaved } from './visualizations/move-saved.ts';
import { flipActive } from './visualizations/queries.ts';
import { createFilterCache } from './visualizations/query/filter-cache.ts';
import type { PackQueries } from './visualizations/query/pack-queries.ts';
import { createQueryThread, type QueryWatch } from './visualizations/query/query-thread.ts';
import { repeatMarks } from './visualizations/query/repeat-marks.ts';
import { readUserQuota, setUserQuota } from './visualizations/quota.ts';
import { visualizationRoutes } from './visualizations/routes.ts';
import { ensureSample, removeSample } from './visualizations/sample.ts';
import { type ReceiveUploadDeps, receiveUploads } from './visualizations/upload/receive-upload.ts';
import { createUploadLocks } from './visualizations/upload/upload-locks.ts';
import { openUploadSession } from './visualizations/upload/upload-session.ts';
import { moveDismissed } from './warnings/move-dismissed.ts';
import { warningRoutes } from './warnings/warning-routes.ts';
import { notifyWebhooks } from './webhooks/notify-webhooks.ts';
import { type SendingDeps, webhookQueue } from './webhooks/send-deliveries.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

export type VisualizationDeps = Pick<
  ServerParts,
  | 'db'
  | 'storage'
  | 'listener'
  | 'log'
  | 'memoryBytes'
  | 'builtInAdmins'
  | 'mayDo'
  | 'mayImport'
  | 'startReading'
  | 'now'
> &
  Pick<ClusteringDeps, 'modelFolder' | 'vectors' | 'runClustering'> & {
    /** For the long-lived connections: locks and jobs. With the server's own role. */
    readonly connection: () => pg.ClientConfig;
    /** Whether no other server uses this database. */
    readonly alone: boolean;
    /** Whether this server reads uploads, clusters lists and cleans up. Otherwise others do. */
    readonly works: boolean;
    /** Aborted when this server must do nothing more of that. */
    readonly rest?: AbortSignal | undefined;
    readonly sample: boolean;
    /** `SWEEP_AT_MOST` */
    readonly sweepAtMost?: number | undefined;
    /** How long clustering may take; {@link ClusteringDeps.patience} by default. */
    readonly clusteringPatience?: ClusteringDeps['patience'];
    /** Hears about queries, for the metrics. */
    readonly queryWatch?: QueryWatch | undefined;
    /** Where people open the product, for links in files and mails, and whom they can contact. */
    readonly baseUrl: URL;
    readonly supportEmail: string;
    readonly mailer: Pick<Mailer, 'send'>;
    readonly webhooks: Pick<SendingDeps, 'network' | 'secret' | 'send'>;
    /** The window over which a sender's rate is averaged; {@link limits.uploadRateWindowMs} by default. */
    readonly rateWindowMs?: number;
    /** Milliseconds without progress after which an upload is no longer read while it arrives; a minute by default. */
    readonly readIdleMs?: number;
    readonly mayUpload: Activation['mayUpload'];
    /** Replaces activation, for a test that wants it to fail. */
    readonly flip?: typeof flipActive;
    /** Replaces the queue, for a test in which nothing is removed later. */
    readonly queueFileDeletion?: ServerParts['queueFileDeletion'];
    /** Wraps the query thread, for a test that watches or delays queries. */
    readonly wrapQueries?: (packQueries: PackQueries) => PackQueries;
  };

type Visualizations = Pick<ServerParts, 'session' | 'queueFileDeletion' | 'announce'> & {
  /** What receives the bytes of uploads and lists. */
  readonly uploads: ReceiveUploadDeps;
  /** What the app registers: the contract's calls, and routes with bodies of their own. */
  readonly mount: { readonly routes: Readonly<Record<string, AnyRouter>>; readonly raw: FastifyPluginAsync };
  /** To be called when the app no longer responds. */
  stop(): Promise<void>;
};

const sweepMs = 3_600_000;
/** After a start, somebody may still notice that it is on the wrong database. */
const firstSweepMs = 600_000;

/** Starts uploads, visualizations and drafts: routes for the app, jobs, the sample, and the hourly sweep. */
export async function startVisualizations(deps: VisualizationDeps): Promise<Visualizations> {
  const { db, storage, log, now, mayUpload, wrapQueries = (queries: PackQueries) => queries } = deps;
  // A job may begin, and send notifications, before all queues are there.
  let begin: (jobs: Jobs) => void = () => undefined;
  const started = new Promise<Jobs>((resolve) => {
    begin = resolve;
  });
  const enqueue: Jobs['enqueue'] = async (...job) => (await started).enqueue(...job);
  const queueNew = <Data extends object>(tx: Tx, queue: Queue<Data>, data: Data, notBefore?: Date): Promise<void> =>
    enqueue(tx, queue, randomBytes(16).toString('hex'), data, notBefore);
  const packQueries = repeatMarks(wrapQueries(createQueryThread(storage.place, log, deps.queryWatch)));
  const news = createImportNews({
    ...deps,
    packQueries,
    enqueue,
    sender: deps,
    notifyWebhooks: (tx, event) => notifyWebhooks({ enqueue, baseUrl: deps.baseUrl, now }, tx, event),
  });
  const parts: ServerParts = {
    ...deps,
    isAdmin: mayUpload,
    packQueries,
    filterOf: createFilterCache({ db, marks: findMarks({ db, packQueries }), packQueries, now }),
    session: openUploadSession(deps.connection),
    shares: createMemoryShares(deps.memoryBytes),
    announce: news.announce,
    queueIngest: (tx, uploadId) => enqueue(tx, ingests, uploadId, { uploadId }),
    queueRebuild: (tx, visualizationId) => queueNew(tx, rebuilds, { visualizationId }),
    queueClustering: (tx, draftId) => queueNew(tx, clusterings, { draftId }),
    queueFileDeletion:
      deps.queueFileDeletion ??
      (async (tx, keys, removeAfter) => {
        if (keys.length > 0) await queueNew(tx, deletions, { keys }, removeAfter);
      }),
  };
  const activation: Activation = {
    ...parts,
    mayUpload,
    flip: deps.flip ?? flipActive,
    async followMoves(tx, record, moves) {
      await followMoves(packQueries, tx, { record, moves, at: new Date(now()) });
      await moveDismissed(packQueries, tx, record, moves);
      await moveSaved(packQueries, tx, record, moves);
    },
  };
  const ingest = { ...parts, activation, idleMs: deps.readIdleMs };
  const ingests = ingestQueue(ingest);
  const rebuilds = rebuildQueue(parts);
  const draftRebuilds = draftRebuildQueue(parts);
  const clusterings = clusteringQueue({
    ...parts,
    modelFolder: deps.modelFolder,
    vectors: deps.vectors,
    runClustering: deps.runClustering,
    patience: deps.clusteringPatience,
    queuePublication: (tx, draftId) => queueNew(tx, publications, { draftId }),
  });
  const deletions = deleteFilesQueue(parts);
  const editors = createEditors(deps.memoryBytes);
  const publications = publicationQueue({ ...parts, editors });
  const assignmentMails = assignmentQueue({ ...deps, sender: deps });
  const sending = { ...deps.webhooks, db, log, enqueue, now };
  const jobs = await startJobs({
    connection: deps.connection(),
    queues: [
      ingests,
      deletions,
      rebuilds,
      draftRebuilds,
      clusterings,
      publications,
      assignmentMails,
      webhookQueue(sending),
      ...news.queues,
    ],
    works: deps.works,
    alone: deps.alone,
    rest: deps.rest,
    log,
  });
  begin(jobs);
  const behind = deps.works ? readDuringUpload(ingest) : undefined;
  deps.rest?.addEventListener('abort', () => void behind?.stop(), { once: true });

  const downloads = createDownloads(parts);
  const exporting = { ...parts, downloads, places: createPlaces(limits.maxExportsAtOnce) };
  const { plansByLink, ...planCalls } = planRoutes({ ...parts, notifyOwners: notifyOwnersBy(jobs, assignmentMails) });
  const own = {
    ...visualizationRoutes({ ...parts, activation }),
    ...planCalls,
    ...warningRoutes(parts),
    ...webhookRoutes({ ...sending, isAdmin: mayUpload }),
  };
  const ofStorage = {
    storage: {
      use: api.storage.use.handler(async () => {
        const free = await storage.freeBytes();
        return { kept: await deletedFiles(parts), ...(Number.isFinite(free) ? { free } : {}) };
      }),
      purge: api.storage.purge.handler(({ context }) => purge(parts, personOf(context).account.id)),
    },
    quotas: {
      get: api.quotas.get.handler(({ input }) => readUserQuota(db, input.id)),
      set: api.quotas.set.handler(({ input, context }) =>
        setUserQuota(parts, personOf(context).account.id, input.id, input.own),
      ),
    },
  };
  const uploads: ReceiveUploadDeps = {
    ...parts,
    locks: createUploadLocks(parts.session),
    rateWindowMs: deps.rateWindowMs ?? limits.uploadRateWindowMs,
    listKept: (transaction, uploadId) => listKept(parts, transaction, uploadId),
    listRemoved: (transaction, draftId) => continueDraft(parts, transaction, draftId),
    deletedFiles: () => deletedFiles(parts),
  };
  const drafts = startDrafts({ ...parts, uploads });
  await prepareSample(deps);
  await queueRebuilds(db, jobs, rebuilds);
  await queueDraftRebuilds(db, jobs, draftRebuilds);
  const sweeping = sweepRegularly(deps);
  return {
    mount: {
      routes: { ...own, ...ofStorage, ...drafts.routes, ...sharedRoutes({ ...own, plansByLink }) },
      raw: async (scope) => {
        await scope.register(fileRoutes(exporting));
        await scope.register(levelRoutes(parts));
        await scope.register(exportRoutes(exporting));
        await scope.register(handoverRoutes({ ...exporting, baseUrl: deps.baseUrl.origin }));
        receiveUploads(scope, uploads);
        await scope.register(drafts.raw);
      },
    },
    session: parts.session,
    uploads,
    queueFileDeletion: parts.queueFileDeletion,
    announce: parts.announce,
    async stop() {
      drafts.stop();
      editors.stop();
      clearTimeout(sweeping.timer);
      downloads.stop();
      await behind?.stop();
      await jobs.stop();
      await parts.session.close();
      await packQueries.close();
    },
  };
}

/** A server without its sample still works: errors are logged. */
async function prepareSample(deps: VisualizationDeps): Promise<void> {
  try {
    await (deps.sample ? ensureSample(deps) : removeSample(deps));
  } catch (error) {
    deps.log.error({ err: error }, 'The sample could not be prepared');
  }
}

function sweepRegularly(deps: VisualizationDeps): { timer: NodeJS.Timeout } {
  const { db, storage, log, now, sweepAtMost: atMost } = deps;
  const run = (): void => {
    if (deps.rest?.aborted) return;
    sweeping.timer = setTimeout(run, sweepMs).unref();
    const swept = deps.works ? sweep({ db, storage, log, now, atMost }) : Promise.resolve();
    swept.then(() => storage.tidy(graceMs)).catch((error: unknown) => log.error({ err: error }, 'The sweep failed'));
  };
  const sweeping = { timer: setTimeout(run, firstSweepMs).unref() };
  return sweeping;
}

type Own = ReturnType<typeof visualizationRoutes> & ReturnType<typeof planRoutes> & ReturnType<typeof warningRoutes>;

/**
 * The reading calls again, for the visitors of a link: the same handlers behind the guard of the link, and the call that
 * edits the plan. The visitor in
 * the context makes `access.ts` open the one visualization of the link, whatever the input names.
 */
function sharedRoutes({ visualizations, plans, plansByLink, warnings }: Own) {
  return {
    shared: {
      fields: api.shared.fields.handler(visualizations.fields['~orpc'].handler),
      node: api.shared.node.handler(visualizations.node['~orpc'].handler),
      keywords: api.shared.keywords.handler(visualizations.keywords['~orpc'].handler),
      members: api.shared.members.handler(visualizations.members['~orpc'].handler),
      notInHierarchy: api.shared.notInHierarchy.handler(visualizations.notInHierarchy['~orpc'].handler),
      notInHierarchyKeyword: api.shared.notInHierarchyKeyword.handler(
        visualizations.notInHierarchyKeyword['~orpc'].handler,
      ),
      locate: api.shared.locate.handler(visualizations.locate['~orpc'].handler),
      histogram: api.shared.histogram.handler(visualizations.histogram['~orpc'].handler),
      search: api.shared.search.handler(visualizations.search['~orpc'].handler),
      checkScore: api.shared.checkScore.handler(visualizations.checkScore['~orpc'].handler),
      points: api.shared.points.handler(visualizations.points['~orpc'].handler),
      density: api.shared.density.handler(visualizations.density['~orpc'].handler),
      plan: api.shared.plan.handler(plans.read['~orpc'].handler),
      planTotals: api.shared.planTotals.handler(plans.totals['~orpc'].handler),
      planPeople: api.shared.planPeople.handler(plans.people['~orpc'].handler),
      changePlan: plansByLink.change,
      warnings: api.shared.warnings.handler(warnings.summary['~orpc'].handler),
      warningsOfKind: api.shared.warningsOfKind.handler(warnings.page['~orpc'].handler),
      warningsOfNode: api.shared.warningsOfNode.handler(warnings.ofNode['~orpc'].handler),
      warningMarks: api.shared.warningMarks.handler(warnings.marks['~orpc'].handler),
    },
  };
}
