import { randomBytes } from 'node:crypto';
import type { ByteSink, ByteSource } from '@kc/pack/format/byte-source';

/**
 * Where uploaded files and packs lie. Objects have random keys, never a name that a person gave, and are written once:
 * an object is appended to until it is complete, then only read or removed.
 */
export interface Storage {
  /** How a worker thread opens the same storage again. */
  readonly place: StoragePlace;
  /**
   * Opens an object to write on at `offset`. What lies beyond `offset` is cut off: it was never acknowledged. The
   * object is created, durably, when `offset` is 0.
   * @throws Error when fewer than `offset` bytes are stored; {@link StorageFull}
   */
  append(key: string, offset: number): Promise<Appender>;
  /** @throws {@link ObjectMissing} when there is no such object */
  open(key: string): Promise<StoredBytes>;
  /** Durably gives the complete object `from` the key `to`, at once for every reader; replaces what lies there. */
  publish(from: string, to: string): Promise<void>;
  /** Removes an object; a missing one is no error. */
  remove(key: string): Promise<void>;
  /** Size in bytes and the last write in milliseconds since 1970, `undefined` for a missing object. */
  stat(key: string): Promise<{ readonly size: number; readonly modifiedAt: number } | undefined>;
  /** Every key there is, in no order. */
  list(): AsyncIterable<string>;
  /** Bytes that can still be stored. */
  freeBytes(): Promise<number>;
}

export type StoragePlace = { readonly kind: 'disk'; readonly directory: string } | { readonly kind: 'memory' };

/** An object being written. Written bytes are durable once `sync` settles; `close` alone promises nothing. */
export interface Appender extends ByteSink {
  /** Bytes of the object so far, written or not yet durable. */
  readonly size: number;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A complete object, open for reading until it is closed. */
export interface StoredBytes extends ByteSource {
  close(): Promise<void>;
}

/** There is no room for more bytes. A fault of its own because the person asking can be told. */
export class StorageFull extends Error {
  constructor(cause?: unknown) {
    super('The storage has no room left', { cause });
    this.name = 'StorageFull';
  }
}

/** There is no object of this key. */
export class ObjectMissing extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`There is no object ${key}`);
    this.name = 'ObjectMissing';
    this.key = key;
  }
}

/** An object that should be there cannot be read. */
export class StorageUnreadable extends Error {
  constructor(cause?: unknown) {
    super('What is stored cannot be read', { cause });
    this.name = 'StorageUnreadable';
  }
}

/** `file`: an upload, whole or arriving. `pack`: a finished pack. `temp`: a pack under construction. */
export type ObjectKind = 'file' | 'pack' | 'temp';

/** A key nobody can guess and nothing else has: 128 random bits. */
export const newKey = (kind: ObjectKind): string => `${kind}-${randomBytes(16).toString('hex')}`;

export const isKey = (name: string): boolean => /^(?:file|pack|temp)-[0-9a-f]{32}$/.test(name);
