import type { Readable } from 'node:stream';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { DataStore, ERRORS, Upload as TusUpload } from '@tus/server';
import type { Transaction } from 'kysely';
import { uploadMoved } from '../database/notifications.ts';
import { type Db, inTransaction } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import type { Appender, Storage } from '../storage/storage.ts';
import { deleteUnfinished, findUpload, recordReceived, type Upload } from './upload-queries.ts';

export type UploadStoreParts = {
  readonly db: Db;
  readonly storage: Storage;
  /** Records a new upload, or throws why not. */
  create(upload: TusUpload): Promise<void>;
  /** Queues the reading of an upload, within the transaction that records its last byte. */
  queueIngest(transaction: Transaction<Database>, id: string): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
};

/** A refusal thrown through tus, with the status it is answered with. */
export class Refused extends Error {
  readonly status: number;
  readonly refusal: Refusal;
  constructor(status: number, refusal: Refusal) {
    super(refusal.code);
    this.status = status;
    this.refusal = refusal;
  }
}

/**
 * What tus stores, stored our way: how far an upload has come is a row, its bytes are an object. An offset is recorded
 * only once the bytes before it are durable: every 4 MiB, and whenever a connection ends, however it ends.
 */
export class UploadStore extends DataStore {
  override extensions = ['creation', 'termination'];
  readonly #parts: UploadStoreParts;

  constructor(parts: UploadStoreParts) {
    super();
    this.#parts = parts;
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    await this.#parts.create(upload);
    return upload;
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const row = await this.#find(id);
    const metadata = { filename: row.file_name, userId: row.user_id, description: row.description };
    return new TusUpload({ id, size: row.size, offset: row.received, metadata });
  }

  /**
   * Appends what the connection brings. Settles with the durable offset; rejects when the connection breaks, and with
   * {@link Refused} when an error was found meanwhile in what arrived before.
   */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#find(id);
    if (row.refusal) throw new Refused(422, row.refusal);
    if (row.received !== offset) throw ERRORS.INVALID_OFFSET;
    // A replayed last chunk without bytes: everything is there, and what follows has long begun.
    if (offset === row.size) return offset;
    try {
      return await this.#append(stream, row);
    } catch (error) {
      const now = await findUpload(this.#parts.db, id);
      throw now?.refusal ? new Refused(422, now.refusal) : error;
    }
  }

  override async remove(id: string): Promise<void> {
    const deleted = await deleteUnfinished(this.#parts.db, id);
    if (!deleted) throw ERRORS.FILE_NOT_FOUND;
    await this.#parts.storage.remove(deleted.file_key);
    await uploadMoved(this.#parts.db, id);
  }

  async #append(stream: Readable, row: Upload): Promise<number> {
    const appender = await this.#parts.storage.append(row.file_key, row.received);
    try {
      return await this.#receive(stream, row.id, appender);
    } finally {
      await appender.close();
    }
  }

  async #receive(stream: Readable, id: string, appender: Appender): Promise<number> {
    let durable = appender.size;
    const commit = async (): Promise<void> => {
      if (appender.size === durable) return;
      await appender.sync();
      await this.#record(id, durable, appender.size);
      durable = appender.size;
    };
    try {
      for await (const bytes of stream) {
        await appender.write(bytes);
        if (appender.size - durable >= limits.durableEveryBytes) await commit();
      }
    } finally {
      await commit();
    }
    return durable;
  }

  async #record(id: string, from: number, to: number): Promise<void> {
    const { db, queueIngest, now } = this.#parts;
    const state = await inTransaction(db, async (transaction) => {
      const reached = await recordReceived(transaction, id, from, to, new Date(now()));
      if (reached === 'received') await queueIngest(transaction, id);
      if (reached) await uploadMoved(transaction, id);
      return reached;
    });
    // Cancelled meanwhile, or another server went on with it: these bytes count for nothing.
    if (!state) throw ERRORS.FILE_NO_LONGER_EXISTS;
  }

  async #find(id: string) {
    const row = await findUpload(this.#parts.db, id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}
