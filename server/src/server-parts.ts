import type { BuiltInAdmins } from '@kc/rules/account';
import type { Result } from '@kc/rules/result';
import type { News } from '@kc/rules/webhook';
import type { Listener } from './database/notifications.ts';
import type { Db, Tx } from './database/open.ts';
import type { Log } from './log.ts';
import type { Storage } from './storage/storage.ts';
import type { MayDo, MayImport } from './visualizations/acting.ts';
import type { MemoryShares } from './visualizations/ingest/memory-shares.ts';
import type { StartReading } from './visualizations/ingest/run-ingest.ts';
import type { FilterCache } from './visualizations/query/filter-cache.ts';
import type { PackQueries } from './visualizations/query/pack-queries.ts';
import type { UploadSession } from './visualizations/upload/upload-session.ts';

/** Parts of a running server. Each feature says which ones it needs: `Pick<ServerParts, 'db' | 'now'>`. */
export type ServerParts = {
  readonly db: Db;
  readonly storage: Storage;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Announces changes by any server, and the loss of rights. */
  readonly listener: Listener;
  /** The connection that holds this server's locks. */
  readonly session: UploadSession;

  readonly builtInAdmins: BuiltInAdmins;
  /** Whether this account is an administrator's right now. It stays one until the transaction ends. */
  readonly isAdmin: (tx: Tx, accountId: string) => Promise<Result<unknown>>;
  readonly mayDo: MayDo;
  readonly mayImport: MayImport;

  readonly packQueries: PackQueries;
  readonly filterOf: FilterCache;

  /** `INGEST_MEMORY`: what reading uploads and clustering lists may use, in bytes. */
  readonly memoryBytes: number;
  readonly shares: MemoryShares;
  /** Replaces the process that reads a file, for tests of which most read a few lines. */
  readonly startReading?: StartReading | undefined;

  /** Queues the ingest of a complete upload within the transaction. */
  queueIngest(tx: Tx, uploadId: string): Promise<void>;
  /** Queues the rebuild of a visualization's pack within the transaction. */
  queueRebuild(tx: Tx, visualizationId: string): Promise<void>;
  /** Queues the clustering of a draft's lists within the transaction. */
  queueClustering(tx: Tx, draftId: string): Promise<void>;
  /** Tells webhooks what has happened, if its transaction is committed. */
  announce(tx: Tx, news: News): Promise<void>;
  /** Queues the removal of files within the transaction that deletes their records. */
  queueFileDeletion(tx: Tx, keys: readonly string[], removeAfter: Date): Promise<void>;
};
