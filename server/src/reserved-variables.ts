import { type Config, ConfigError } from './config.ts';

/**
 * A sentence for every configured feature that this edition does not have yet.
 *
 * @throws ConfigError if continuing would lose data
 */
export function reservedVariables(config: Config): string[] {
  if (config.storageUrl) {
    throw new ConfigError(
      'STORAGE_URL',
      'names an S3 store, but this edition stores files on the local disk only: unset it',
    );
  }
  return [];
}
