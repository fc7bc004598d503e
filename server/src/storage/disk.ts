import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Appender,
  isKey,
  ObjectMissing,
  ownerName,
  type Storage,
  StorageFull,
  type StoredBytes,
} from './storage.ts';

/** Storage in one folder of this machine, readable only by the server's user. Creates the folder. */
export async function openDiskStorage(directory: string): Promise<Storage> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const pathOf = (key: string): string => {
    if (!isKey(key)) throw new Error('Not a storage key');
    return join(directory, key);
  };
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  };
  return {
    place: { kind: 'disk', directory },
    append: async (key, offset) => appendTo(directory, pathOf(key), offset),
    open: async (key) => openBytes(key, pathOf(key)),
    async publish(from, to) {
      await orFull(rename(pathOf(from), pathOf(to)));
      await syncDirectory(directory);
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async stat(key) {
      const found = await stat(pathOf(key)).catch(missing);
      return found && { size: found.size, modifiedAt: found.mtimeMs };
    },
    async *list() {
      for await (const entry of await opendir(directory)) if (entry.isFile() && isKey(entry.name)) yield entry.name;
    },
    now: async () => Date.now(),
    // The sweep sees everything that is here.
    tidy: () => Promise.resolve(),
    async owner() {
      return (await readFile(join(directory, ownerName), 'utf8').catch(missing))?.trim();
    },
    setOwner: (identity) => writeOwner(directory, identity),
    check: () => access(directory, constants.R_OK | constants.W_OK),
    freeBytes,
    freeForWork: freeBytes,
  };
}

async function writeOwner(directory: string, identity: string): Promise<void> {
  const path = join(directory, ownerName);
  const handle = await orFull(open(`${path}.new`, 'w', 0o600));
  try {
    await orFull(handle.writeFile(`${identity}\n`));
    await orFull(handle.sync());
  } finally {
    await handle.close();
  }
  await orFull(rename(`${path}.new`, path));
  await syncDirectory(directory);
}

async function appendTo(directory: string, path: string, offset: number): Promise<Appender> {
  const handle = await orFull(open(path, offset === 0 ? 'w' : 'r+', 0o600));
  try {
    const { size } = await handle.stat();
    if (size < offset) throw new Error(`The stored object is shorter (${size}) than what was acknowledged (${offset})`);
    await handle.truncate(offset);
    if (offset === 0) await syncDirectory(directory);
  } catch (error) {
    await handle.close();
    throw error;
  }
  let position = offset;
  return {
    get size() {
      return position;
    },
    async write(bytes) {
      position += await writeAt(handle, bytes, position);
    },
    sync: () => orFull(handle.sync()),
    close: () => handle.close(),
  };
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let written = 0;
  while (written < bytes.length) {
    const step = await orFull(handle.write(bytes, written, bytes.length - written, position + written));
    written += step.bytesWritten;
  }
  return written;
}

/** A file of this machine, as the object `key`. @throws {@link ObjectMissing} */
export async function openBytes(key: string, path: string): Promise<StoredBytes> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? new ObjectMissing(key) : error;
  });
  return bytesOf(handle);
}

/** The bytes of an open file that does not change. */
export async function bytesOf(handle: FileHandle): Promise<StoredBytes> {
  const { size } = await handle.stat();
  return {
    size,
    async read(offset, length, into = new Uint8Array(length)) {
      if (offset < 0 || length < 0 || offset + length > size) {
        throw new RangeError(`[${offset}, ${offset + length}) leaves [0, ${size})`);
      }
      for (let have = 0; have < length; ) {
        const { bytesRead } = await handle.read(into, have, length - have, offset + have);
        if (bytesRead === 0) throw new Error('The stored object became shorter');
        have += bytesRead;
      }
      return into;
    },
    close: () => handle.close(),
  };
}

/** Makes new and moved names in a folder survive a power loss. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await orFull(handle.sync());
  } finally {
    await handle.close();
  }
}

async function orFull<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const code = codeOf(error);
    throw code === 'ENOSPC' || code === 'EDQUOT' ? new StorageFull(error) : error;
  });
}

function missing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
