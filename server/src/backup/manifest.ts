import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isKey } from '../storage/storage.ts';

/**
 * The contents of a backup. A folder with this file is complete: it is written after everything that it names is
 * durable.
 * - `manifest.json`: this
 * - `tables/NAME.copy`: the rows of a table in the text format of PostgreSQL's COPY
 * - `files/KEY`: an original or a pack
 * - `secret/server.key`: the server's signing key, unless `SECRET` was set
 */
export const manifestName = 'manifest.json';
export const formatVersion = 1;

const bytes = z.number().check(z.nonnegative());
const sum = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const fileFacts = { bytes, sha256: sum };

const manifest = z.object({
  format: z.literal(formatVersion),
  /** 128 random bits as hex. */
  id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** The time of the snapshot, ISO 8601 in UTC. */
  at: z.string(),
  /** The product version that wrote it. */
  version: z.string(),
  /** The last migration of the database. */
  schema: z.string(),
  /** In an order in which they can be filled. */
  tables: z.array(
    z.object({ name: z.string().check(z.regex(/^\w+$/)), columns: z.array(z.string()), rows: bytes, ...fileFacts }),
  ),
  files: z.array(z.object({ key: z.string().check(z.refine(isKey)), ...fileFacts })),
  secret: z.optional(z.object(fileFacts)),
});
export type Manifest = z.infer<typeof manifest>;

/** A file of a backup: its path in the folder, its length in bytes and its SHA-256 as hex. */
export type BackedUpFile = { readonly path: string; readonly bytes: number; readonly sha256: string };

export const tablePath = (name: string): string => join('tables', `${name}.copy`);
export const filePath = (key: string): string => join('files', key);
export const secretPath = join('secret', 'server.key');

/** All files of a backup except its manifest. */
export function backedUpFiles({ tables, files, secret }: Manifest): BackedUpFile[] {
  return [
    ...tables.map((table) => ({ ...table, path: tablePath(table.name) })),
    ...files.map((file) => ({ ...file, path: filePath(file.key) })),
    ...(secret ? [{ ...secret, path: secretPath }] : []),
  ];
}

/** A backup that cannot be made or used. The message is for the person who ran the command. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** @throws BackupError if the folder is no complete backup, or a later version of the product wrote it */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BackupError(`${folder} is no complete backup: it has no ${manifestName}`);
  const read = manifest.safeParse(parsed(text));
  if (!read.success) {
    throw new BackupError(`${folder} cannot be used: its ${manifestName} is damaged, or of a newer version`);
  }
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
