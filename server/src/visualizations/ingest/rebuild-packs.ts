import { createHash } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { notify } from '../../database/notifications.ts';
import { changesRow, type Db, inTransaction, type Tx } from '../../database/open.ts';
import type { Jobs, Queue } from '../../jobs/jobs.ts';
import type { ServerParts } from '../../server-parts.ts';
import { newKey } from '../../storage/storage.ts';
import { noteMade } from '../../storage/stored-files.ts';
import {
  findOutdatedPacks,
  findVisualization,
  isSameMap,
  noteDeletedFiles,
  type VisualizationRecord,
} from '../queries.ts';
import type { IngestFacts } from './ingest-messages.ts';
import { runIngest } from './run-ingest.ts';

export type RebuildDeps = Pick<
  ServerParts,
  'db' | 'storage' | 'log' | 'shares' | 'memoryBytes' | 'startReading' | 'now'
>;

type RebuildJob = { readonly visualizationId: string };

const expireSeconds = 6 * 3600;
/** An original that cannot be read stays so until somebody brings it back, and each attempt starts a process. */
export const rebuildRetrySeconds = 60;

/**
 * Rebuilds the pack of a visualization from its original: in the format of this version, by its present field map. Can be repeated at any point:
 * the record switches to the new pack in one step, and unused objects are swept.
 *
 * Source: docs/pack-format.md.
 */
export function rebuildQueue(deps: RebuildDeps): Queue<RebuildJob> {
  return {
    name: 'rebuild-pack',
    expireSeconds,
    retrySeconds: rebuildRetrySeconds,
    async run({ visualizationId }, signal) {
      // The fields may be corrected again while a pack is rebuilt.
      for (;;) {
        const record = await findVisualization(deps.db, visualizationId);
        if (!record || isCurrent(record)) return;
        const isMade = await rebuildPack(deps, record, { visualization: record.id }, signal, async (tx, made) => {
          const pack = { ...made, pack_version: packFormatVersion, pack_field_map: record.field_map };
          const replaced = tx
            .updateTable('visualizations')
            .set(pack)
            .where('id', '=', record.id)
            .where('pack_key', '=', record.pack_key);
          if (!(await changesRow(replaced))) return false;
          await notify(tx, { about: 'visualizations', accountId: record.user_id });
          return true;
        });
        if (!isMade) return;
      }
    },
  };
}

/** Something that has a pack, and the upload that it is made of. */
type Packed = Pick<VisualizationRecord, 'file_key' | 'file_size' | 'field_map' | 'pack_key'> &
  Partial<Pick<VisualizationRecord, 'file_checksum'>>;

type MadePack = Pick<VisualizationRecord, 'pack_key' | 'thumbnail' | 'merged'>;

/**
 * Makes a pack of an upload in the format of this version.
 *
 * @param named what has the pack, for the log
 * @param replace lets it switch to the new pack, unless it has changed meanwhile: then it returns false
 * @returns whether the upload could be read
 */
export async function rebuildPack(
  deps: RebuildDeps,
  packed: Packed,
  named: { readonly visualization: string } | { readonly draft: string },
  signal: AbortSignal,
  replace: (tx: Tx, made: MadePack) => Promise<boolean>,
): Promise<boolean> {
  const { db, storage, log, now } = deps;
  const remade = await remakePack(deps, packed, signal);
  if ('refusal' in remade) {
    log.error({ ...named, refusal: remade.refusal }, 'A pack could not be rebuilt');
    return false;
  }
  const { packKey, packBytes, facts } = remade;
  const isReplaced = await inTransaction(db, async (tx) => {
    const { thumbnail, merged } = facts;
    if (!(await replace(tx, { pack_key: packKey, thumbnail, merged }))) return false;
    await noteMade(tx, packed.file_key, { key: packKey, bytes: packBytes });
    // A backup in progress may need the previous pack.
    await noteDeletedFiles(tx, [packed.pack_key], new Date(now() + limits.deletedFilesMs));
    return true;
  });
  if (!isReplaced) await storage.remove(packKey);
  else log.info({ event: 'rebuild-pack', ...named }, 'A pack was rebuilt');
  return true;
}

/** Makes a pack of an upload in the format of this version, and publishes it under a new key. */
async function remakePack(
  { storage, shares, memoryBytes, startReading }: RebuildDeps,
  { file_key: fileKey, file_size: fileBytes, field_map: fieldMap, file_checksum: expected = null }: Packed,
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

/**
 * Queues every pack of an earlier format, or with fields that were corrected since, the active ones first: a restored
 * database has no jobs.
 */
export async function queueRebuilds(db: Db, jobs: Jobs, queue: Queue<RebuildJob>): Promise<void> {
  const outdated = await findOutdatedPacks(db, packFormatVersion);
  await queueOnce(
    db,
    jobs,
    queue,
    outdated.map(({ id: visualizationId, pack_key }) => [pack_key, { visualizationId }]),
  );
}

/**
 * Queues rebuilds, in order. What is already queued stays queued once.
 *
 * @param rebuilds jobs with the keys of the packs that they replace: the same visualization may need another rebuild soon,
 *   after an earlier version of the product has run in between
 */
export async function queueOnce<Job extends object>(
  db: Db,
  jobs: Jobs,
  queue: Queue<Job>,
  rebuilds: readonly (readonly [packKey: string, job: Job])[],
): Promise<void> {
  for (const [packKey, job] of rebuilds) {
    const id = createHash('sha256').update(`${packFormatVersion} ${packKey}`).digest('hex').slice(0, 32);
    await inTransaction(db, (transaction) => jobs.enqueue(transaction, queue, id, job));
  }
}
