import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * Reads the arguments of this command. `--help` prints its usage and ends it with 0. An unknown argument is reported before the
 * usage, and ends it with 2.
 *
 * @param usage one line or more, without a line break at the end
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}
