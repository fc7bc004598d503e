import type { IngestProgress } from '@kc/pack/ingest';
import type { Refusal } from '@kc/rules/result';

/**
 * Peak while reading, building and writing, without the names. Measured as the process size above an empty process: 42
 * bytes per row for 21,165,000 plain strings, 70 for 5,696,000 rows of which half are objects with metrics.
 */
const bytesPerRow = 110;
/** Names exist once; the rest is for the moment they are moved, if there are more than expected. */
const bytesPerNameByte = 1.25;
const fixedBytes = 64 * 2 ** 20;
/** A shorter beginning does not predict the rest. */
const enoughBytes = 32 * 2 ** 20;

/** Memory in bytes that a pack of the part read so far needs. */
export const memoryNeeded = (progress: IngestProgress): number => fixedBytes + readBytes(progress);

/**
 * Refuses a file that does not fit into memory as early as possible: when the part read so far needs more than allowed,
 * or the whole file will if it continues as it began.
 *
 * @param fileBytes of the whole file
 * @param allowedBytes `INGEST_MEMORY`
 */
export function memoryRefusal(progress: IngestProgress, fileBytes: number, allowedBytes: number): Refusal | undefined {
  const soFar = readBytes(progress);
  const whole = progress.bytes < enoughBytes ? soFar : (soFar * fileBytes) / progress.bytes;
  const needed = fixedBytes + whole;
  if (needed <= allowedBytes) return undefined;
  return { code: 'upload/too-big-to-fit', params: { neededMib: mib(needed), allowedMib: mib(allowedBytes) } };
}

/** While field columns are assembled, their blocks exist as well. */
const readBytes = ({ nodes, keywords, nameBytes, fieldBytes }: IngestProgress): number =>
  (nodes + keywords) * bytesPerRow + nameBytes * bytesPerNameByte + 2 * fieldBytes;

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
