import { createHash } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { notify } from '../../database/notifications.ts';
import { type Db, inTransaction } from '../../database/open.ts';
import type { Jobs, Queue } from '../../jobs/jobs.ts';
import type { Log } from '../../log.ts';
import { newKey, type Storage } from '../../storage/storage.ts';
import { noteMade } from '../../storage/stored-files.ts';
import {
  findOutdatedPacks,
  findVisualization,
  isSameMap,
  noteDeletedFiles,
  replacePack,
  type VisualizationRecord,
} from '../queries.ts';
import type { IngestFacts } from './ingest-messages.ts';
import type { MemoryShares } from './memory-shares.ts';
import { runIngest, type StartReading } from './run-ingest.ts';

export type RebuildDeps = {
  readonly db: Db;
  readonly storage: Storage;
  readonly log: Log;
  readonly shares: MemoryShares;
  readonly memoryBytes: number;
  /** Replaces the process that reads. */
  readonly startReading?: StartReading | undefined;
  /** Milliseconds since 1970. */
  now(): number;
};

type RebuildJob = { readonly visualizationId: string };

const expireSeconds = 6 * 3600;

/**
 * Rebuilds the pack of a visualization from its original: in the format of this version, by its present field map. Can be repeated at any point:
 * the record switches to the new pack in one step, and unused objects are swept.
 *
 * Source: docs/pack-format.md.
 */
export function rebuildQueue(deps: RebuildDeps): Queue<RebuildJob> {
  const { db, storage, log, now } = deps;
  return {
    name: 'rebuild-pack',
    expireSeconds,
    async run({ visualizationId }, signal) {
      // The fields may be corrected again while a pack is rebuilt.
      while (await rebuild(visualizationId, signal));
    },
  };

  /** @returns whether to look again */
  async function rebuild(visualizationId: string, signal: AbortSignal): Promise<boolean> {
    const record = await findVisualization(db, visualizationId);
    if (!record || isCurrent(record)) return false;
    const remade = await remakePack(deps, record, signal);
    if ('refusal' in remade) {
      log.error({ visualization: record.id, refusal: remade.refusal }, 'A pack could not be rebuilt');
      return false;
    }
    const { packKey, packBytes, facts } = remade;
    const isReplaced = await inTransaction(db, async (transaction) => {
      const { thumbnail, merged } = facts;
      const made = {
        pack_key: packKey,
        pack_version: packFormatVersion,
        pack_field_map: record.field_map,
        thumbnail,
        merged,
      };
      if (!(await replacePack(transaction, record, made))) return false;
      await noteMade(transaction, record.file_key, { key: packKey, bytes: packBytes });
      // A backup in progress may need the previous pack.
      await noteDeletedFiles(transaction, [record.pack_key], new Date(now() + limits.deletedFilesMs));
      await notify(transaction, { about: 'visualizations', accountId: record.user_id });
      return true;
    });
    if (!isReplaced) await storage.remove(packKey);
    else log.info({ event: 'rebuild-pack', visualization: record.id }, 'A pack was rebuilt');
    return true;
  }
}

/** Makes a pack of an upload in the format of this version, and publishes it under a new key. */
export async function remakePack(
  {
    storage,
    shares,
    memoryBytes,
    startReading,
  }: Pick<RebuildDeps, 'storage' | 'shares' | 'memoryBytes' | 'startReading'>,
  {
    file_key: fileKey,
    file_size: fileBytes,
    field_map: fieldMap,
    file_checksum: expected = null,
  }: Pick<VisualizationRecord, 'file_key' | 'file_size' | 'field_map'> &
    Partial<Pick<VisualizationRecord, 'file_checksum'>>,
  signal: AbortSignal,
): Promise<
  { readonly packKey: string; readonly packBytes: number; readonly facts: IngestFacts } | { readonly refusal: Refusal }
> {
  const share = await shares.alone(signal);
  const tempKey = newKey('temp');
  const packKey = newKey('pack');
  try {
    const request = { place: storage.place, fileKey, tempKey, fileBytes, memoryBytes, fieldMap };
    const outcome = await runIngest(request, signal, ({ neededBytes }) => share.need(neededBytes), startReading);
    if (!outcome.ok) return { refusal: outcome.refusal };
    if (expected !== null && expected !== outcome.fileChecksum) return { refusal: { code: 'upload/unreadable' } };
    await storage.publish(tempKey, packKey);
    return { packKey, packBytes: outcome.packBytes, facts: outcome.facts };
  } finally {
    share.release();
    await storage.remove(tempKey);
  }
}

const isCurrent = ({ pack_version, field_map, pack_field_map }: VisualizationRecord): boolean =>
  pack_version === packFormatVersion && isSameMap(field_map, pack_field_map);

/** Queues every pack of an earlier format, the active ones first. A pack that is already queued stays queued once. */
export async function queueRebuilds(db: Db, jobs: Jobs, queue: Queue<RebuildJob>): Promise<void> {
  for (const { id } of await findOutdatedPacks(db, packFormatVersion)) {
    const job = createHash('sha256').update(`${packFormatVersion} ${id}`).digest('hex').slice(0, 32);
    await inTransaction(db, (transaction) => jobs.enqueue(transaction, queue, job, { visualizationId: id }));
  }
}
