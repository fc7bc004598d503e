import { onConnection } from '../database/copy-tables.ts';
import type { CommandDatabase } from '../database/start.ts';
import { refuseOwner } from '../storage/owner.ts';
import { newKey, type Storage, StorageDenied, StorageUnavailable } from '../storage/storage.ts';
import { amount, type Finding, ok, problem, sentenceOf, warning } from './finding.ts';

const about = 'storage';
/** Of a pack that is written to a bucket in parts: so large that the rights for that are tried as well. */
const probeBytes = 17 * 2 ** 20;
const littleBytes = 5 * 2 ** 30;

/** Writes, publishes, reads, lists and removes an object, as uploads do. */
export async function checkStorage(storage: Storage): Promise<Finding[]> {
  const where = storage.place.kind === 's3' ? `bucket ${storage.place.bucket}` : 'DATA_DIR/files';
  const steps = { done: 'opened' };
  try {
    await tryObject(storage, (step) => {
      steps.done = step;
    });
  } catch (error) {
    const why =
      error instanceof StorageUnavailable && !(error instanceof StorageDenied)
        ? 'it does not answer'
        : sentenceOf(error);
    return [problem(about, `In ${where}, an object could not be used any more after it was ${steps.done}: ${why}`)];
  }
  const free = await storage.freeBytes();
  const space =
    free === Number.POSITIVE_INFINITY
      ? []
      : [
          free < littleBytes
            ? warning(
                'space',
                `${amount(free)} are free for files. A file needs its size and about 0.6 times that for its pack`,
              )
            : ok('space', `${amount(free)} are free for files`),
        ];
  return [ok(about, `In ${where}, objects can be written, published, read, listed and removed`), ...space];
}

async function tryObject(storage: Storage, reached: (step: string) => void): Promise<void> {
  const [temp, pack, file] = [newKey('temp'), newKey('pack'), newKey('file')];
  const bytes = new Uint8Array(probeBytes).fill(7);
  try {
    for (const key of [temp, file]) {
      const appender = await storage.append(key, 0);
      try {
        await appender.write(bytes);
        await appender.sync();
      } finally {
        await appender.close();
      }
    }
    reached('written');
    await storage.publish(temp, pack);
    reached('published');
    const stored = await storage.open(file);
    try {
      const read = await stored.read(probeBytes - 2, 2);
      if (read[0] !== 7 || stored.size !== probeBytes) throw new Error('other bytes were read than written');
    } finally {
      await stored.close();
    }
    reached('read');
    let isListed = false;
    for await (const key of storage.list()) isListed ||= key === file;
    if (!isListed) throw new Error('it is not listed');
    reached('listed');
  } finally {
    for (const key of [temp, pack, file]) await storage.remove(key);
  }
}

/** Whether the storage is that of the configured database: a server would refuse to start on another one's. */
export async function checkOwner({ app }: CommandDatabase, storage: Storage): Promise<Finding[]> {
  const owner = await storage.owner();
  if (owner === undefined) return [ok('owner', 'No database has claimed the files yet: the next start does')];
  const identity = await onConnection(app, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from database_identity');
    return rows[0]?.id;
  });
  if (owner !== identity) refuseOwner(storage, owner, undefined);
  return [ok('owner', 'The files are those of this database')];
}
