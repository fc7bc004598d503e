import type pg from 'pg';
import { onConnection } from '../database/copy-tables.ts';
import type { Queryable } from '../database/open.ts';
import type { Log } from '../log.ts';
import { type Storage, StorageUnavailable } from './storage.ts';
import { isLasting } from './stored-files.ts';

// Objects have no names, so only their database knows which of them are needed. A storage therefore carries the
// identity of that database, and the database knows the keys of all objects that it has made (record 078).

/** The storage has files of another database. The message says how this one can take them over. */
export class ForeignStorage extends Error {
  override readonly name = 'ForeignStorage';
}

/** `ADOPT_STORAGE` for a storage with files and without an owner; otherwise it is the owner to be replaced. */
const unmarked = 'unmarked';

type Claim = {
  readonly connection: pg.ClientConfig;
  readonly storage: Storage;
  /** `ADOPT_STORAGE` */
  readonly adopt: string | undefined;
};

export async function databaseIdentity(db: Queryable): Promise<string> {
  return (await db.selectFrom('database_identity').select('id').executeTakeFirstOrThrow()).id;
}

/**
 * Makes the database the owner of a storage, unless it is already. A storage without an owner is claimed if it has no
 * files, or at least one that this database has made. Servers of one database do so one after another.
 *
 * @returns the identity of the database
 * @throws ForeignStorage; {@link StorageUnavailable}
 */
export function claimStorage({ connection, storage, adopt }: Claim): Promise<string> {
  return onConnection(connection, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('storage owner', 0))`);
    const { rows } = await client.query<{ id: string }>('select id from database_identity');
    const identity = rows[0]!.id;
    const owner = await storage.owner();
    if (owner === identity) return identity;
    refuseOwner(storage, owner, adopt);
    if (owner === undefined && adopt !== unmarked && !(await hasMadeAny(client, storage))) throw withoutOwner(storage);
    await storage.setOwner(identity);
    return identity;
  });
}

/** @throws ForeignStorage if the storage has an owner, and not the one that may be replaced */
export function refuseOwner(storage: Storage, owner: string | undefined, adopt: string | undefined): void {
  if (owner === undefined || owner === adopt) return;
  throw new ForeignStorage(
    `${nameOf(storage)} has the files of another database. Check DATABASE_URL, STORAGE_URL and DATA_DIR. If that ` +
      `database will not be used any more, and this one is to have its files, start with ADOPT_STORAGE=${owner}`,
  );
}

/** @throws ForeignStorage if there are files */
export async function refuseFiles(storage: Storage, adopt: string | undefined): Promise<void> {
  if (adopt === unmarked) return;
  for await (const key of storage.list()) if (isLasting(key)) throw withoutOwner(storage);
}

const withoutOwner = (storage: Storage): ForeignStorage =>
  new ForeignStorage(
    `${nameOf(storage)} has files, and this database knows none of them. Check DATABASE_URL, STORAGE_URL and ` +
      `DATA_DIR. If this database is to use it all the same, start with ADOPT_STORAGE=${unmarked}`,
  );

const nameOf = ({ place }: Storage): string => {
  if (place.kind === 's3') return `The bucket ${place.bucket}${place.prefix ? `, below ${place.prefix},` : ''}`;
  return place.kind === 'disk' ? place.directory : 'The storage';
};

const batch = 500;

async function hasMadeAny(client: pg.Client, storage: Storage): Promise<boolean> {
  let keys: string[] = [];
  let isEmpty = true;
  const knows = async (): Promise<boolean> => {
    const { rowCount } = await client.query('select from stored_files where key = any ($1) limit 1', [keys]);
    keys = [];
    return rowCount === 1;
  };
  for await (const key of storage.list()) {
    if (!isLasting(key)) continue;
    isEmpty = false;
    keys.push(key);
    if (keys.length === batch && (await knows())) return true;
  }
  return isEmpty || knows();
}

const lookMs = 60_000;
const againMs = 10_000;

/**
 * Claims a storage, and looks now and then whether it is still this database's. While the storage does not answer, the
 * server starts all the same, and claims it later: until then nothing is swept.
 *
 * @param onLost called when the storage is another database's: the server must end
 * @throws ForeignStorage
 */
export async function holdStorage(
  claim: Claim & { readonly log: Log; onLost(): void },
): Promise<{ stop(): Promise<void> }> {
  const { storage, log } = claim;
  let identity: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    if (identity === undefined) identity = await claimStorage(claim);
    const owner = await storage.owner();
    if (owner === undefined) log.error({ event: 'storage-owner' }, 'The storage does not say any more whose it is');
    else if (owner !== identity) refuseOwner(storage, owner, undefined);
  };
  const again = (): void => {
    if (isStopped) return;
    const soon = identity === undefined ? againMs : lookMs;
    timer = setTimeout(() => {
      looking = look().then(again, (error: unknown) => {
        if (!(error instanceof ForeignStorage)) return again();
        log.error({ event: 'storage-owner', err: error }, 'The storage is another database’s: this server ends');
        claim.onLost();
      });
    }, soon).unref();
  };
  let looking: Promise<void> = Promise.resolve();
  await look().catch((error: unknown) => {
    if (!(error instanceof StorageUnavailable)) throw error;
    log.warn({ event: 'storage-owner', err: error }, 'The storage does not answer, so it is not known whose it is');
  });
  again();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
