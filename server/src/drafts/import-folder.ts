import { createHash } from 'node:crypto';
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BuiltInAdmins, canonicalEmail } from '@kc/rules/account';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import { ORPCError } from '@orpc/server';
import { contextOf } from '../accounts/on-behalf.ts';
import type { RequestContext } from '../accounts/require.ts';
import { codeOf, type Queryable, type Tx } from '../database/open.ts';
import { asError, isOutage } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { StorageFull } from '../storage/storage.ts';
import { createSenders, Refused } from '../visualizations/upload/sender.ts';
import { UploadBody } from '../visualizations/upload/upload-body.ts';
import { findUpload } from '../visualizations/upload/upload-queries.ts';
import { removeUpload } from '../visualizations/upload/upload-store.ts';
import { publishesItself } from './draft-queries.ts';
import { type ImportDeps, importFile, readOptions } from './import-file.ts';

export type ImportFolderDeps = ImportDeps &
  Pick<ServerParts, 'session'> & {
    /** `IMPORT_DIR`, absolute. */
    readonly folder: string;
    readonly builtInAdmins: BuiltInAdmins;
    /** What is in a folder; replaced by a test in which one cannot be read. */
    readonly entriesIn?: ((folder: string) => Promise<readonly Dirent[]>) | undefined;
  };

/** How often the folder is looked at, and how long a file has to be as it is: somebody may still be writing it. */
const lookEveryMs = 10_000;
const settleMs = 10_000;
/** Files that are being written under another name, or that say how to import. */
const unfinished = /^\.|~$|\.(part|partial|tmp|crdownload|filepart)$/i;
const optionsFile = 'import.json';
const maxOptionsBytes = 64 * 1024;
/** Temporary refusals: the file stays where it is and is tried again. */
const passing: ReadonlySet<string> = new Set([
  'draft/too-often',
  'draft/too-many',
  'fault/unavailable',
  'list/no-room',
]);

/** What a file looked like, since when it has not changed, and the hash of its content once read, so that large files are read only once. */
type Seen = { readonly mark: string; readonly since: number; contentHash?: Buffer };
const markOf = ({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): string => `${size} ${mtimeMs}`;

/** A file at its place: `<email>/<map>/<name>`. */
type Place = { readonly email: string; readonly map: string; readonly name: string };

/**
 * Imports what appears in `IMPORT_DIR/<email>/<map>/`, in the name of that person. `map` is `new`, `active`, or the ID of a
 * visualization, as in `PUT /api/imports/{id}`, and `import.json` beside the files has the options of that call.
 *
 * A file is imported once its size and its time have not changed for a while. The hash of its content is stored with its place
 * in the transaction that begins its import, so that it is imported once, however often a server stops in between. When it is
 * read it is moved to `done`, or to `failed` with a sentence beside it. Each file has a lock in the database: several servers may
 * watch one folder. Nothing is followed out of the folder: neither folders nor files may be symbolic links.
 */
export function createImportFolder(deps: ImportFolderDeps) {
  const { log, now } = deps;
  const seen = new Map<string, Seen>();
  /** So that it is logged once, and not at every scan. */
  let hasLoggedMissing = false;

  /** Looks at every file once. */
  async function look(): Promise<void> {
    const root = await realpath(deps.folder).catch(ignoreMissing);
    if (root === undefined && !hasLoggedMissing) {
      const text = 'IMPORT_DIR is not there: make the folder, or mount it. It is looked for every ten seconds';
      log.error({ event: 'import-folder', folder: deps.folder }, text);
    }
    hasLoggedMissing = root === undefined;
    if (root === undefined) return;
    const present = new Set<string>();
    for (const place of await placesIn(deps, root)) {
      const path = join(root, place.email, place.map, place.name);
      present.add(path);
      try {
        const settled = await settledAt(path);
        if (settled) await locked(deps, path, () => processFile(deps, root, place, settled));
      } catch (error) {
        log.error({ err: error, file: path }, 'A file of the import folder could not be imported');
      }
    }
    for (const path of seen.keys()) if (!present.has(path)) seen.delete(path);
  }

  async function settledAt(path: string): Promise<Seen | undefined> {
    // Another server may have moved the file since it was listed.
    const stats = await lstat(path).catch(ignoreMissing);
    if (!stats) return undefined;
    const mark = markOf(stats);
    const before = seen.get(path);
    if (before?.mark === mark) return now() - before.since >= settleMs ? before : undefined;
    seen.set(path, { mark, since: now() });
    return undefined;
  }

  return { look };
}

/** Looks at the folder at intervals. @returns stops, and resolves once the current look is over */
export function watchImportFolder(deps: ImportFolderDeps): () => Promise<void> {
  const folder = createImportFolder(deps);
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking
      .then(folder.look)
      .catch((error: unknown) => deps.log.error({ err: error }, 'The import folder could not be looked at'));
  }, lookEveryMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}

/** The files that may be imported, in their order. A folder that cannot be read keeps nobody else's from being imported. */
async function placesIn({ log, entriesIn = entriesOf }: ImportFolderDeps, root: string): Promise<Place[]> {
  const namesIn = async (folder: string, isWanted: (entry: Dirent) => boolean): Promise<string[]> => {
    const entries = await entriesIn(folder).catch((error: unknown) => {
      // Another server, or its owner, may have removed it since it was listed.
      if (codeOf(error) !== 'ENOENT') log.error({ err: error, folder }, 'A part of the import folder cannot be read');
      return [];
    });
    return entries
      .filter(isWanted)
      .map(({ name }) => name)
      .sort();
  };
  // Symbolic links are not followed.
  const isFolder = (entry: Dirent): boolean => entry.isDirectory();
  const isList = (entry: Dirent): boolean =>
    entry.isFile() && entry.name !== optionsFile && !unfinished.test(entry.name);
  const places: Place[] = [];
  for (const email of await namesIn(root, isFolder)) {
    for (const map of await namesIn(join(root, email), isFolder)) {
      for (const name of await namesIn(join(root, email, map), isList)) places.push({ email, map, name });
    }
  }
  return places;
}

const entriesOf = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true });

/** Runs `work` unless another server works on this file. */
async function locked(deps: ImportFolderDeps, path: string, work: () => Promise<void>): Promise<void> {
  const unlock = await deps.session.tryLock(`import-folder:${path}`);
  if (!unlock) return;
  try {
    await work();
  } finally {
    await unlock();
  }
}

/** Begins the import of a file or, if that has begun already, moves the file away once the outcome is known. */
async function processFile(deps: ImportFolderDeps, root: string, place: Place, seen: Seen): Promise<void> {
  const path = join(root, place.email, place.map, place.name);
  const accountId = await accountOf(deps.db, place.email);
  if (accountId === undefined) return;
  // The file may have been removed or replaced by now: from here on, only the opened file is used.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreMissing);
  if (!file) return;
  try {
    const stats = await file.stat();
    // A folder may have become a link since it was listed.
    if (!stats.isFile() || (await realpath(path)) !== path || (await lstat(path)).ino !== stats.ino) return;
    if (markOf(stats) !== seen.mark) return;
    seen.contentHash ??= await hashOf(file);
    const row = { account_id: accountId, place: `${place.map}/${place.name}`, content_hash: seen.contentHash };
    const known = await knownImport(deps.db, row);
    const end = known
      ? await endOf(deps, known.uploadId)
      : await begin(deps, { root, place, row, file, size: stats.size, modified: Math.round(stats.mtimeMs) });
    if (end === 'again') return await forget(deps, accountId, row, known!.uploadId);
    if (end === 'later') return;
    // A failed import has one name in the folder, by which the next look knows that it was moved.
    const at = known && end.failed ? known.begunAt : new Date(deps.now());
    const name = `${at.toISOString().replace(/[:.]/g, '-')} ${place.name}`;
    // A server stopped after it had moved the file, and this one was put there since.
    const isAnother = known && end.failed && (await isPutAway(path, name));
    // Before its import is forgotten: a file that cannot be moved would be imported again at every look.
    if (!isAnother) await putAway(path, end.failed ? 'failed' : 'done', name, end.text);
    if (end.failed) await forgetRow(deps.db, row);
  } finally {
    await file.close();
  }
}

type Row = { readonly account_id: string; readonly place: string; readonly content_hash: Buffer };

/** The outcome of an import. `later`: there is none yet. `again`: a server stopped while it received the file. */
type End = 'later' | 'again' | { readonly failed: boolean; readonly text?: string | undefined };

/** The account whose folder this is; undefined unless the name is an email in its stored form. */
async function accountOf(db: Queryable, email: string): Promise<string | undefined> {
  if (canonicalEmail(email) !== email) return undefined;
  const found = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('migrated_to', 'is', null)
    .where('is_sample', '=', false)
    .executeTakeFirst();
  return found?.id;
}

async function hashOf(file: FileHandle): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const block of file.createReadStream({ start: 0, autoClose: false })) hash.update(block as Buffer);
  return hash.digest();
}

/** The upload that a file became, and since when; undefined if it was not imported yet. */
async function knownImport(db: Queryable, row: Row): Promise<{ uploadId: string; begunAt: Date } | undefined> {
  const found = await db
    .selectFrom('imported_files')
    .select(['upload_id', 'begun_at'])
    .where((e) => e.and(row))
    .executeTakeFirst();
  return found && { uploadId: found.upload_id, begunAt: found.begun_at };
}

async function forgetRow(db: Queryable, row: Row): Promise<void> {
  await db
    .deleteFrom('imported_files')
    .where((e) => e.and(row))
    .execute();
}

/** The outcome of an import, by its draft or its upload. If that was deleted, somebody has dealt with it. */
async function endOf({ db }: ImportFolderDeps, uploadId: string): Promise<End> {
  const upload = await findUpload(db, uploadId);
  if (!upload) return { failed: false };
  if (upload.state === 'receiving') return 'again';
  if (upload.draft_id === null) {
    if (upload.state === 'failed') return { failed: true, text: upload.refusal ? sayRefusal(upload.refusal) : '' };
    return upload.state === 'active' ? { failed: false } : 'later';
  }
  const draft = await db.selectFrom('drafts').selectAll().where('id', '=', upload.draft_id).executeTakeFirst();
  if (!draft || draft.state === 'published') return { failed: false };
  if (draft.state === 'failed') return { failed: true, text: draft.refusal ? sayRefusal(draft.refusal) : '' };
  if (draft.state !== 'ready' && draft.state !== 'stopped') return 'later';
  if (publishesItself(draft)) return 'later';
  const why = [...(draft.refusal ? [draft.refusal] : []), ...(draft.open_questions ?? [])];
  return {
    failed: false,
    text: ['This list waits as a draft.', ...why.map((refusal) => sayRefusal(refusal))].join(' '),
  };
}

type NewImport = {
  readonly root: string;
  readonly place: Place;
  readonly row: Row;
  readonly file: FileHandle;
  readonly size: number;
  readonly modified: number;
};

/** Imports a file that was not imported yet, in the name of its owner. */
async function begin(deps: ImportFolderDeps, { root, place, row, file, size, modified }: NewImport): Promise<End> {
  const context = await contextOf(deps, row.account_id);
  const recordImport = async (tx: Tx, uploadId: string): Promise<void> => {
    await tx
      .insertInto('imported_files')
      .values({ ...row, upload_id: uploadId, begun_at: new Date(deps.now()) })
      .execute();
  };
  try {
    if (size === 0) return { failed: true, text: sayRefusal({ code: 'list/no-rows' }) };
    const options = await optionsIn(join(root, place.email, place.map));
    const body = new UploadBody(file.createReadStream({ start: 0, end: size - 1, autoClose: false }));
    await importFile(deps, context, place.map, options, { name: place.name, size, modified, body }, recordImport);
    return 'later';
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (passing.has(refusal.code)) {
      deps.log.warn({ event: 'import-folder', place: row.place, code: refusal.code }, 'A file has to wait');
      return 'later';
    }
    return { failed: true, text: sayRefusal(refusal) };
  }
}

/** Why an import was refused; undefined for a fault, after which it is tried again. */
function refusalOf(error: unknown): Refusal | undefined {
  if (isOutage(error) || error instanceof StorageFull) return { code: 'fault/unavailable' };
  if (error instanceof Refused) return error.refusal;
  return error instanceof ORPCError ? (error.data as Refusal | undefined) : undefined;
}

/** Undefined for a file that does not exist. Other errors are rethrown: a file that cannot be read must not be skipped. */
function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/** The options for the files of a folder, from its `import.json`. @throws the refusal as the contract's error */
async function optionsIn(folder: string) {
  const file = await open(join(folder, optionsFile), constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreMissing);
  if (!file) return readOptions({});
  try {
    const { size } = await file.stat();
    const text = size > maxOptionsBytes ? '' : await readFile(file, 'utf8');
    const options = parsed(text);
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      throw asError({ code: 'import/options-file' });
    return readOptions(options);
  } finally {
    await file.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is refused like every value that is no object of options.
    return undefined;
  }
}

/** Removes what a server had received before it stopped, so that the next look imports the file anew. */
async function forget(deps: ImportFolderDeps, accountId: string, row: Row, uploadId: string): Promise<void> {
  const context: RequestContext = await contextOf(deps, accountId);
  const upload = await findUpload(deps.db, uploadId);
  const sender = createSenders(deps.uploads)(context, upload?.kind === 'list' ? upload.user_id : undefined);
  await removeUpload(deps.uploads, uploadId, sender);
  await forgetRow(deps.db, row);
}

/** Whether a file was moved to `failed` under this name. Somebody may have moved it back since, without its text. */
async function isPutAway(path: string, name: string): Promise<boolean> {
  const there = [name, `${name}.txt`].map((one) => lstat(join(dirname(path), 'failed', one)).catch(ignoreMissing));
  return (await Promise.all(there)).some(Boolean);
}

/** Moves a file to `done` or `failed`, and writes a text beside it if there is something to say. */
async function putAway(path: string, to: 'done' | 'failed', name: string, text: string | undefined): Promise<void> {
  const folder = join(dirname(path), to);
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is no folder`);
  if (text !== undefined) await writeFile(join(folder, `${name}.txt`), `${text}\n`, { flag: 'wx' });
  await rename(path, join(folder, name));
}
