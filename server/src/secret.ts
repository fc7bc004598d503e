import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';

/** The file with the secret that a server generates for itself; `undefined` if `SECRET` is set. */
export const secretFile = ({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): string | undefined =>
  secret ? undefined : join(dataDir, 'secret', 'server.key');

/**
 * The key with which this server signs: `SECRET`, otherwise 256 bits in a file of the data directory, readable only by
 * the server's user and written at the first start.
 *
 * @throws ConfigError if that file contains no secret
 */
export function readSecret({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): string {
  if (secret) return secret;
  const folder = join(dataDir, 'secret');
  const file = join(folder, 'server.key');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const kept = readFileSync(file, 'utf8').trim();
  if (kept.length < 32) throw new ConfigError('DATA_DIR', 'contains an invalid secret/server.key: remove it');
  return kept;
}
