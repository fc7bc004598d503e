import type { DraftOperation } from '@kc/rules/draft-shapes';
import type { Transaction } from 'kysely';
import type { Db } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import type { Log } from '../log.ts';
import type { Storage } from '../storage/storage.ts';
import type { UploadSession } from '../visualizations/upload/upload-session.ts';
import type { Editors } from './editors.ts';
import type { ReplacementDeps } from './replace-revision.ts';

export type ChangeDeps = ReplacementDeps & {
  readonly db: Db;
  readonly storage: Storage;
  readonly log: Log;
  readonly session: UploadSession;
  readonly editors: Editors;
  /** Queues the ingest of a complete upload within the transaction. */
  queueIngest(tx: Transaction<Database>, uploadId: string): Promise<void>;
  /** Memory that reading a revision may use, in bytes. */
  readonly memoryBytes: number;
};

/** What the asker wants, and the number of the last operation that they know. */
export type WantedChange =
  | { readonly kind: 'operate'; readonly after: number; readonly operation: DraftOperation }
  | { readonly kind: 'undo' | 'redo'; readonly after: number };
