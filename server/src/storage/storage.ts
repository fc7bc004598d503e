import { randomBytes } from 'node:crypto';
import type { ByteSink, ByteSource } from '@kc/pack/format/byte-source';

/**
 * Storage of uploaded files and packs. Objects have random keys, never names that a user chose, and are written once:
 * an object is appended to until it is complete, then only read or removed.
 */
export interface Storage {
  /** How a worker thread opens the same storage. */
  readonly place: StoragePlace;
  /**
   * Opens an object for writing at `offset`. Bytes beyond `offset` are cut off: they were never acknowledged. Creates
   * the object, durably, if `offset` is 0.
   * @param generation rises with each caller who may append to this object. Where a later one has begun, what an earlier one
   *   still writes does not count, even if that one does not know it yet.
   * @throws Error if fewer than `offset` bytes are stored; {@link StorageFull}
   */
  append(key: string, offset: number, generation?: number): Promise<Appender>;
  /** @throws {@link ObjectMissing} if the object does not exist */
  open(key: string): Promise<StoredBytes>;
  /** Durably renames the complete object `from` to `to`, atomically for all readers; replaces an existing object. */
  publish(from: string, to: string): Promise<void>;
  /** Removes an object; a missing one is no error. */
  remove(key: string): Promise<void>;
  /** Size in bytes and the last write in milliseconds since 1970, `undefined` for a missing object. */
  stat(key: string): Promise<{ readonly size: number; readonly modifiedAt: number } | undefined>;
  /** All keys, in no order. */
  list(): AsyncIterable<string>;
  /** The time that `modifiedAt` goes by. It may differ from the database's. */
  now(): Promise<number>;
  /**
   * Removes from this machine what it stores for removed objects, and abandoned unfinished objects.
   *
   * @param graceMs the age from which an unfinished object counts as abandoned
   */
  tidy(graceMs: number): Promise<void>;
  /** The identity of the database that refers to the objects; `undefined` if nobody has claimed them. */
  owner(): Promise<string | undefined>;
  /** Durably replaces the owner. @param identity 32 hex digits */
  setOwner(identity: string): Promise<void>;
  /** Rejects if nothing can be read or stored now. */
  check(): Promise<void>;
  /** Free space in bytes; infinite if nobody knows a limit. */
  freeBytes(): Promise<number>;
  /** The same of the disk on which objects are under construction. */
  freeForWork(): Promise<number>;
}

export type StoragePlace =
  | { readonly kind: 'disk'; readonly directory: string }
  | { readonly kind: 'memory' }
  | S3Place;

/** Does something with an object, which is open for as long as that takes. */
export async function whileOpen<T>(
  storage: Storage,
  key: string,
  work: (object: StoredBytes) => Promise<T> | T,
): Promise<T> {
  const object = await storage.open(key);
  try {
    return await work(object);
  } finally {
    await object.close();
  }
}

/** An object being written. Written bytes are durable when `sync` settles; `close` alone guarantees nothing. */
export interface Appender extends ByteSink {
  /** Size of the object so far, whether or not it is durable. */
  readonly size: number;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A complete object, open for reading until it is closed. */
export interface StoredBytes extends ByteSource {
  close(): Promise<void>;
}

/** No space is left. A separate error, so that the user can be informed. */
export class StorageFull extends Error {
  constructor(cause?: unknown) {
    super('The storage has no room left', { cause });
    this.name = 'StorageFull';
  }
}

/** There is no object with this key. */
export class ObjectMissing extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`There is no object ${key}`);
    this.name = 'ObjectMissing';
    this.key = key;
  }
}

/** The storage cannot be reached now. Nothing is wrong with what is stored: whatever failed can be done again later. */
export class StorageUnavailable extends Error {
  constructor(cause?: unknown) {
    super('The storage does not answer', { cause });
    this.name = 'StorageUnavailable';
  }
}

/** The storage answers, but refuses this server: its keys, its clock or its configuration are wrong. */
export class StorageDenied extends StorageUnavailable {
  /** @param what is wrong, for the log */
  constructor(what: string, cause?: unknown) {
    super(cause);
    this.message = `The storage refuses this server: ${what}`;
    this.name = 'StorageDenied';
  }
}

/** An existing object cannot be read. */
export class StorageUnreadable extends Error {
  constructor(cause?: unknown) {
    super('What is stored cannot be read', { cause });
    this.name = 'StorageUnreadable';
  }
}

/** `file`: an upload, complete or arriving. `pack`: a finished pack. `temp`: a pack under construction. */
export type ObjectKind = 'file' | 'pack' | 'temp';

/** An unguessable, unique key: 128 random bits. */
export const newKey = (kind: ObjectKind): string => `${kind}-${randomBytes(16).toString('hex')}`;

/** The object with the identity of the database that a storage belongs to. It has no key, so it is not listed. */
export const ownerName = 'owner';
export const identityBytes = 32;

export const isKey = (name: string): boolean => /^(?:file|pack|temp)-[0-9a-f]{32}$/.test(name);

/** What a process that works on stored objects says about why it failed: the class of an error does not cross into another. */
export type FaultKind = 'full' | 'unreadable' | 'unavailable' | 'other';

export function faultKindOf(error: unknown): FaultKind {
  if (error instanceof StorageFull) return 'full';
  if (error instanceof StorageUnavailable) return 'unavailable';
  // Whoever could not read an object says so, but there may be nothing wrong with the object.
  if (error instanceof StorageUnreadable)
    return error.cause instanceof StorageUnavailable ? 'unavailable' : 'unreadable';
  return 'other';
}

/** @param text the stack of the error that the other process had */
export function faultOf(kind: FaultKind, text: string): Error {
  if (kind === 'full') return new StorageFull(text);
  if (kind === 'unavailable') return new StorageUnavailable(text);
  return kind === 'unreadable' ? new StorageUnreadable(text) : new Error(text);
}

/** Where a bucket is, and how to sign in there. It is passed to threads and processes, so it is plain data. */
export type BucketPlace = {
  readonly bucket: string;
  /** Of all names: empty, or ending in a slash. */
  readonly prefix: string;
  /** Of a store other than AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
};

/** A bucket, and the folder of this machine for packs under construction and for copies of packs. */
export type S3Place = BucketPlace & {
  readonly kind: 's3';
  readonly folder: string;
  /** What copies of packs may take on this machine. */
  readonly cacheBytes: number;
};
