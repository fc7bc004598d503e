import { statfs } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { memoryLimit } from '../memory-limit.ts';
import { amount, type Finding, ok, warning } from './finding.ts';

/** Reading the largest file that is accepted takes about as much. */
const comfortableBytes = 2 * 2 ** 30;
const littleBytes = 2 * 2 ** 30;

/** Memory for reading uploads, and space in `DATA_DIR`, which the embedded database and copies need. */
export async function checkMachine({ dataDir, ingestMemoryBytes }: Config): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  return [
    ingestMemoryBytes < comfortableBytes
      ? warning(
          'memory',
          `Reading uploads may use ${amount(ingestMemoryBytes)}. Files that need more are refused: see INGEST_MEMORY`,
        )
      : ok('memory', `Reading uploads may use ${amount(ingestMemoryBytes)} of ${amount(memoryLimit())}`),
    free < littleBytes
      ? warning('disk', `${amount(free)} are free in ${dataDir}`)
      : ok('disk', `${amount(free)} are free in ${dataDir}`),
  ];
}
