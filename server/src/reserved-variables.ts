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
  const asked: readonly [boolean, string][] = [
    [config.metricsPort !== undefined, 'METRICS_PORT is set, but this edition serves no metrics yet'],
    [config.role !== 'all', `ROLE is ${config.role}, but this edition always does everything in one process`],
  ];
  return asked.filter(([isAsked]) => isAsked).map(([, sentence]) => sentence);
}
