import type { Config } from '../config.ts';
import { memoryLimit } from '../memory-limit.ts';
import { freeBytesOf } from '../storage/space.ts';
import { amount, type Finding, ok, warning } from './finding.ts';

/** Reading the largest file that is accepted takes about as much. */
const comfortableBytes = 2 * 2 ** 30;

/** The first Node 24 whose Brotli decoder a response from another server cannot reach. */
const soundNode = '24.22.1';

/**
 * Whether a version comes before another: numbers joined by full stops, compared part by part. What follows the numbers,
 * as in `18.4 (Debian 18.4-1)`, does not count.
 */
export function isOlder(version: string, than: string): boolean {
  const [parts, others] = [version, than].map((text) => /^[\d.]*/.exec(text)![0].split('.').map(Number));
  for (const [at, other] of others!.entries()) {
    const part = parts![at] ?? 0;
    if (part !== other) return part < other;
  }
  return false;
}

/** Whether a version of Node has a flaw that is known. */
export const nodeFinding = (version: string): Finding =>
  isOlder(version, soundNode)
    ? warning('Node', `Node ${version} has a known security flaw: install ${soundNode} or newer, and start with that`)
    : ok('Node', `Node ${version}`);

/** Node, memory for reading uploads, and space in `DATA_DIR`, which the embedded database and copies need. */
export async function checkMachine({ dataDir, ingestMemoryBytes, diskAlarmBytes }: Config): Promise<Finding[]> {
  const free = await freeBytesOf(dataDir);
  return [
    nodeFinding(process.versions.node),
    ingestMemoryBytes < comfortableBytes
      ? warning(
          'memory',
          `Reading uploads may use ${amount(ingestMemoryBytes)}. Files that need more are refused: see INGEST_MEMORY`,
        )
      : ok('memory', `Reading uploads may use ${amount(ingestMemoryBytes)} of ${amount(memoryLimit())}`),
    free < diskAlarmBytes
      ? warning('disk', `${amount(free)} are free in ${dataDir}, and DISK_ALARM is ${amount(diskAlarmBytes)}`)
      : ok('disk', `${amount(free)} are free in ${dataDir}`),
  ];
}
