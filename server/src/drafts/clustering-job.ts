import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { resultEndings } from '@kc/cluster/read/search-results';
import type { ClusteringTimes } from '@kc/rules/clustering-time';
import { draftStages } from '@kc/rules/draft';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { clusteringProcess, readingNeeds } from '../clustering/clustering-memory.ts';
import type { VectorCachePlace } from '../clustering/vector-cache.ts';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction, storableJson, type Tx } from '../database/open.ts';
import type { Queue } from '../jobs/jobs.ts';
import type { ServerParts } from '../server-parts.ts';
import { newKey, StorageFull, StorageUnavailable, StorageUnreadable } from '../storage/storage.ts';
import { noteStored } from '../storage/stored-files.ts';
import { findVisualization, noteDeletedFiles } from '../visualizations/queries.ts';
import { bytesOf, overQuota, storageRefusal, storageUse } from '../visualizations/quota.ts';
import { giveWay, HeapExhausted, outcomeOf, type Patience, startWorker, TookTooLong } from '../worker-process.ts';
import type { AdjustedMap } from './adjusted-map.ts';
import type {
  ClusteredDraft,
  ClusteringOutcome,
  ClusteringProgress,
  ClusteringRequest,
} from './clustering-messages.ts';
import { rememberTimes, stageClock } from './clustering-times.ts';
import {
  announceDraft,
  beginClustering,
  type ClusteringRun,
  changeWorking,
  forgetClustering,
  listsOfDraft,
  type StoredDraftRow,
  waitingNews,
} from './draft-queries.ts';
import { readingsOf } from './list-readings.ts';
import { publishRevision, removeAll, revisionColumns, temporaryKeys } from './revision.ts';

export type ClusteringDeps = Pick<
  ServerParts,
  'db' | 'storage' | 'log' | 'shares' | 'memoryBytes' | 'mayImport' | 'announce' | 'now'
> & {
  /** `CLUSTER_MODEL_DIR`. */
  readonly modelFolder?: string | undefined;
  /** Where vectors of keywords are cached between jobs; nowhere if omitted. */
  readonly vectors?: VectorCachePlace | undefined;
  /** Queues the publication of a draft that publishes itself, within the transaction that makes it ready. */
  queuePublication(transaction: Tx, draftId: string): Promise<void>;
  /** How long clustering may take, if not as long as usual. */
  readonly patience?: Patience | undefined;
  /** Replaces the process that clusters. */
  readonly runClustering?: typeof runClustering | undefined;
};

type ClusteringJob = { readonly draftId: string };

const maxAttempts = 3;
const expireSeconds = 6 * 3600;
/** How often a running process is compared with the row, which people stop and delete. */
const lookMs = 500;
/** While the storage does not answer, each attempt starts a process in vain. */
const retrySeconds = 3;
/** The least time between two records of progress, each of which notifies the pages. */
const progressMs = 250;

/** The draft was stopped, started again or deleted, or its beginner lost the right to import. */
class Withdrawn extends Error {}

/**
 * Clusters the lists of a draft. Can be repeated at any point: what an attempt leaves is swept, and the row changes once,
 * when everything that it refers to is durable.
 */
export function clusteringQueue(deps: ClusteringDeps): Queue<ClusteringJob> {
  return {
    name: 'clustering',
    expireSeconds,
    retrySeconds,
    async run({ draftId }, signal) {
      const run = { draftId, runId: randomBytes(16).toString('hex') };
      const draft = await beginClustering(deps.db, run, at(deps));
      if (!draft) return;
      if (draft.attempts > maxAttempts) return fail(deps, draft, { code: 'draft/failed', params: { id: draft.id } });
      const withdrawal = new AbortController();
      const watching = watch(deps, draft, withdrawal);
      try {
        await cluster(deps, draft, AbortSignal.any([signal, withdrawal.signal]));
      } catch (error) {
        if (withdrawal.signal.aborted) return;
        if (signal.aborted) {
          await forgetClustering(deps.db, run);
          throw error;
        }
        await afterFault(deps, draft, error);
      } finally {
        watching.end();
      }
    },
  };
}

async function cluster(deps: ClusteringDeps, draft: StoredDraftRow, signal: AbortSignal): Promise<void> {
  const { storage, shares, memoryBytes } = deps;
  const share = await shares.alone(signal);
  const progress = stageProgress(deps, draft);
  const keys = { ...temporaryKeys(), stored: newKey('temp') };
  try {
    const lists = await listsOfDraft(deps.db, draft.id);
    const map = await baseOf(deps.db, draft);
    const needsMap = draft.origin === 'visualization' || draft.settings.adds !== undefined;
    if (needsMap && !map) {
      return await fail(deps, draft, { code: 'visualization/not-found' });
    }
    const size = lists.reduce((sum, list) => sum + list.size, map?.fileBytes ?? 0);
    const listBytes = lists.reduce((sum, list) => sum + bytesRead(list), map?.fileBytes ?? 0);
    const needed = readingNeeds(listBytes);
    if (needed > memoryBytes) {
      const params = { needed: mib(needed), allowed: mib(memoryBytes) };
      return await fail(deps, draft, { code: 'draft/memory', params });
    }
    share.need(needed);
    const request = {
      place: storage.place,
      lists: lists.map((list) => ({
        key: list.file_key,
        name: list.file_name,
        checksum: list.checksum,
        corrections: list.corrections ?? {},
      })),
      listBytes,
      remembered: draft.hands_off ? await readingsOf(deps.db, draft.begun_by) : undefined,
      map,
      settings: draft.settings,
      name: draft.name,
      modelFolder: deps.modelFolder,
      vectors: deps.vectors,
      memoryBytes,
      keys,
      writes: await writesOf(deps, draft, size),
    };
    const run = deps.runClustering ?? runClustering;
    const outcome = await run(request, signal, progress.report, deps.patience);
    await progress.settled();
    if (outcome.ok) await finish(deps, draft, { ...outcome.draft, stored: keys.stored }, progress.times());
    else await fail(deps, draft, outcome.refusal);
  } finally {
    share.release();
    await progress.settled();
    // A process that was killed leaves them, and people can have it killed again and again.
    await removeAll(storage, Object.values(keys));
  }
}

/** Of answers with search results, a tenth at most is kept while they are read. */
const bytesRead = ({ file_name, size }: { readonly file_name: string; readonly size: number }): number =>
  resultEndings.some((ending) => file_name.toLowerCase().endsWith(ending)) ? size / 10 : size;

/** How much storage the draft may take: multiples of what was sent, within the rest of the user's quota. */
async function writesOf(
  { db, mayImport }: ClusteringDeps,
  { begun_by, owner_id }: StoredDraftRow,
  sentBytes: number,
): Promise<ClusteringRequest['writes']> {
  const right = await mayImport(db, begun_by, owner_id);
  const use = right.ok && right.value.hasQuota ? await storageUse(db, begun_by) : undefined;
  const remaining = use ? Math.max(0, use.most - use.used) : Number.POSITIVE_INFINITY;
  const upTo = (times: number) => {
    const most = Math.max(limits.minImportWrites, times * sentBytes);
    if (use && remaining < most) return { maxBytes: remaining, refusal: overQuota(use) };
    return { maxBytes: most, refusal: { code: 'list/writes-too-much', params: { max: mib(most) } } } as const;
  };
  return { map: upTo(limits.importWrites), stored: upTo(limits.importVectors) };
}

/** The published map that a draft adjusts. It may have been deleted meanwhile. */
async function baseOf(db: Db, { base_id, branch }: StoredDraftRow): Promise<AdjustedMap | undefined> {
  const base = base_id === null ? undefined : await findVisualization(db, base_id);
  return (
    base && {
      key: base.file_key,
      fileBytes: base.file_size,
      checksum: base.file_checksum,
      fieldMap: base.field_map,
      branch: branch ?? undefined,
    }
  );
}

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

/** Stores the first revision, if the draft still exists and its beginner may still import. */
async function finish(
  deps: ClusteringDeps,
  draft: StoredDraftRow,
  made: ClusteredDraft & { readonly stored: string },
  stages: ClusteringTimes['stages'],
): Promise<void> {
  const { db, storage } = deps;
  const { fileKey, packKey } = await publishRevision(storage, made.revision);
  const graphKey = newKey('file');
  await storage.publish(made.stored, graphKey);
  const accepted = draft.hands_off?.accepts ?? [];
  const open = (made.questions ?? []).filter(({ about }) => !accepted.includes(about));
  const isStored = await inTransaction(db, async (transaction) => {
    const right = await deps.mayImport(transaction, draft.begun_by, draft.owner_id);
    if (!right.ok) {
      await withdraw(deps, transaction, draft, right.refusal);
      return false;
    }
    const objects = [
      { key: graphKey, bytes: made.storedBytes },
      { key: fileKey, bytes: made.revision.fileBytes },
      { key: packKey, bytes: made.revision.packBytes },
    ];
    // Several drafts may have been clustered within the rest of the quota.
    const refusal = right.value.hasQuota && (await storageRefusal(transaction, draft.begun_by, bytesOf(objects)));
    if (refusal) {
      await failIn(deps, transaction, draft, refusal);
      return false;
    }
    const isWanted = await changeWorking(transaction, runOf(draft), {
      state: 'ready',
      stage: null,
      stage_at: null,
      counted: null,
      done: null,
      total: null,
      share: 1,
      refusal: null,
      warnings: storableJson([...made.warnings]),
      open_questions: draft.hands_off && storableJson(open.map(({ text }) => text)),
      method: made.method,
      report: storableJson(made.report),
      field_map: made.fieldMap && storableJson(made.fieldMap),
      graph_key: graphKey,
      operation: made.operations.length,
      ...revisionColumns(newViewId(), { fileKey, packKey }, made.revision),
      stop: made.stop ?? null,
      counts: JSON.stringify(made.counts),
      marks: storableJson(made.marks),
      touched_at: at(deps),
    });
    if (!isWanted) return false;
    await noteStored(transaction, draft.begun_by, objects);
    // Adjusted and updated maps take other proportions of time.
    if (draft.origin === 'lists' && draft.base_id === null)
      await rememberTimes(transaction, { keywords: made.report.keywords, stages });
    await replaceOperations(transaction, draft, made.operations, at(deps));
    const before = [draft.graph_key, draft.file_key, draft.pack_key].filter((key) => key !== null);
    if (before.length > 0) await noteDeletedFiles(transaction, before, new Date(deps.now() + limits.deletedFilesMs));
    if (draft.hands_off?.publishes && open.length === 0) await deps.queuePublication(transaction, draft.id);
    else if (draft.hands_off)
      await deps.announce(
        transaction,
        waitingNews(
          draft,
          open.map(({ text }) => text),
        ),
      );
    await announceDraft(transaction, draft);
    return true;
  });
  if (!isStored) await removeAll(storage, [fileKey, packKey, graphKey]);
}

async function replaceOperations(
  tx: Tx,
  { id: draft_id, begun_by: account_id }: StoredDraftRow,
  operations: ClusteredDraft['operations'],
  at: Date,
): Promise<void> {
  await tx.deleteFrom('draft_operations').where('draft_id', '=', draft_id).execute();
  for (const [index, operation] of operations.entries()) {
    const values = { draft_id, number: index + 1, account_id, operation: storableJson(operation), at };
    await tx.insertInto('draft_operations').values(values).execute();
  }
}

/** The attempt that a draft was read for. */
const runOf = ({ id, run_id }: StoredDraftRow): ClusteringRun => ({ draftId: id, runId: run_id ?? '' });

/** The ID under which a revision is read. */
const newViewId = (): string => randomBytes(16).toString('hex');

const fail = (deps: ClusteringDeps, draft: StoredDraftRow, refusal: Refusal): Promise<void> =>
  inTransaction(deps.db, (transaction) => failIn(deps, transaction, draft, refusal));

async function failIn(deps: ClusteringDeps, transaction: Tx, draft: StoredDraftRow, refusal: Refusal): Promise<void> {
  const changes = { state: 'failed', stage: null, refusal: storableJson(refusal), touched_at: at(deps) } as const;
  if (!(await changeWorking(transaction, runOf(draft), changes))) return;
  await announceDraft(transaction, draft);
  const { id, name, owner_id: ownerId, begun_by: byId } = draft;
  await deps.announce(transaction, { event: 'import.failed', draft: id, name, ownerId, byId, reason: refusal });
}

/** Rethrows the fault, so that the job is retried, until there were too many attempts or it is another one's turn. */
async function afterFault(deps: ClusteringDeps, draft: StoredDraftRow, fault: unknown): Promise<void> {
  const event = fault instanceof StorageFull ? 'storage-full' : 'clustering-failed';
  deps.log.error({ event, err: fault, draft: draft.id, attempt: draft.attempts }, 'Lists could not be clustered');
  if (fault instanceof StorageUnavailable) {
    // Nothing was learned about the lists, so this was no attempt.
    const again = { state: 'queued', attempts: draft.attempts - 1 } as const;
    if (await changeWorking(deps.db, runOf(draft), again)) throw fault;
    return;
  }
  // The next attempt would take as long, or as much memory.
  const isCertain = fault instanceof TookTooLong || fault instanceof HeapExhausted;
  if (isCertain || draft.attempts >= maxAttempts) return fail(deps, draft, refusalOf(deps, fault, draft));
  if (await changeWorking(deps.db, runOf(draft), { state: 'queued' })) throw fault;
}

function refusalOf({ memoryBytes }: ClusteringDeps, fault: unknown, { id }: StoredDraftRow): Refusal {
  if (fault instanceof StorageFull) return { code: 'upload/storage-refused' };
  if (fault instanceof StorageUnreadable) return { code: 'upload/unreadable' };
  if (fault instanceof HeapExhausted) return { code: 'draft/out-of-memory', params: { allowed: mib(memoryBytes) } };
  if (fault instanceof TookTooLong) {
    return fault.isSilent
      ? { code: 'draft/stalled', params: { minutes: Math.ceil(fault.ms / 60_000) } }
      : { code: 'draft/too-slow', params: { hours: Math.ceil(fault.ms / 3_600_000) } };
  }
  return { code: 'draft/failed', params: { id } };
}

/** Aborts the work once its draft is no longer wanted. */
function watch(deps: ClusteringDeps, draft: StoredDraftRow, withdrawal: AbortController): { end(): void } {
  const end = new AbortController();
  const look = async (): Promise<void> => {
    for (;;) {
      await pause(lookMs, undefined, { signal: end.signal, ref: false });
      // A database that is briefly unavailable ends no clustering, and the next look is as good.
      const isWanted = await isStillWanted(deps, draft).catch((error: unknown) => {
        deps.log.warn({ err: error, draft: draft.id }, 'A draft could not be watched');
        return true;
      });
      if (!isWanted) return withdrawal.abort(new Withdrawn('The draft is no longer wanted'));
    }
  };
  look().catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return { end: () => end.abort() };
}

async function isStillWanted(deps: ClusteringDeps, draft: StoredDraftRow): Promise<boolean> {
  const row = await deps.db
    .selectFrom('drafts')
    .select(['state', 'run_id'])
    .where('id', '=', draft.id)
    .executeTakeFirst();
  if (row?.state !== 'working' || row.run_id !== draft.run_id) return false;
  const right = await deps.mayImport(deps.db, draft.begun_by, draft.owner_id);
  if (right.ok) return true;
  await inTransaction(deps.db, (transaction) => withdraw(deps, transaction, draft, right.refusal));
  return false;
}

/** The creator of the draft lost the right to import. The reason is saved, and the lists are kept: the draft can be restarted. */
async function withdraw(deps: ClusteringDeps, transaction: Tx, draft: StoredDraftRow, right: Refusal): Promise<void> {
  // Other refusals are worded for the person who lost the right, but it is somebody else who reads this.
  const reason: Refusal = right.code === 'list/off' ? right : { code: 'draft/right-lost' };
  const changes = { state: 'stopped', stage: null, refusal: storableJson(reason), touched_at: at(deps) } as const;
  if (await changeWorking(transaction, runOf(draft), changes)) await announceDraft(transaction, draft);
}

/** Records the stage, a few times a second. Reports in between are dropped, except for the newest. */
function stageProgress(deps: ClusteringDeps, draft: StoredDraftRow) {
  let next: ClusteringProgress | undefined;
  let counted: number | undefined;
  let writing: Promise<void> | undefined;
  const clock = stageClock(deps.now);
  const over = new AbortController();
  const write = async (): Promise<void> => {
    while (next) {
      const { stage, done, total } = next;
      next = undefined;
      const share = total ? (done ?? 0) / total : 0;
      const figures = { done: done ?? null, total: total ?? null, share, counted: counted ?? null };
      await changeWorking(deps.db, runOf(draft), { stage, stage_at: new Date(clock.since()), ...figures });
      await notify(deps.db, { about: 'drafts', accountId: draft.begun_by });
      await pause(progressMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  return {
    report(progress: ClusteringProgress): void {
      if (draftStages.includes(progress.stage)) {
        clock.enter(progress.stage);
        counted = progress.keywords ?? counted;
        next = progress;
      }
      writing ??= write()
        .catch((error: unknown) => deps.log.warn({ err: error }, 'Progress could not be recorded'))
        .finally(() => {
          writing = undefined;
        });
    },
    /** What the stages took; the last one ends now. */
    times: () => clock.finish(),
    /** Settles when the last report is recorded. */
    settled: async () => {
      over.abort();
      await writing;
    },
  };
}

const at = ({ now }: ClusteringDeps): Date => new Date(now());

const worker = new URL('./clustering-worker.ts', import.meta.url);

/**
 * A million keywords spend four minutes in the longest stage that reports nothing, and a language model reports after every
 * few texts. The job runner would repeat what takes six hours.
 */
const defaultPatience: Patience = { silentMs: 20 * 60_000, wholeMs: 5 * 3_600_000 };

/** Clusters stored lists in a separate process. Rejects like {@link outcomeOf}. */
export function runClustering(
  request: ClusteringRequest,
  signal: AbortSignal,
  onProgress: (progress: ClusteringProgress) => void,
  patience: Patience = defaultPatience,
): Promise<ClusteringOutcome> {
  const child = startWorker(worker, { ...clusteringProcess(request.listBytes), memoryBytes: request.memoryBytes });
  giveWay(child);
  child.send(request, () => undefined);
  return outcomeOf(child, { what: 'clustered lists', signal, onProgress, patience });
}
