import type { IngestProgress } from '@kc/pack/ingest';
import type { Refusal } from '@kc/rules/result';

/**
 * At the peak of reading, building and writing, beside the names: 42 bytes measured for 21,165,000 rows of plain strings,
 * 70 for 5,696,000 rows of which half are objects with metrics, as the process over an empty one.
 */
const bytesPerRow = 110;
/** Names are there once; the rest is for the moment in which they are moved, where more come than was foreseen. */
const bytesPerNameByte = 1.25;
const fixedBytes = 64 * 2 ** 20;
/** A shorter beginning says too little about the rest. */
const enoughBytes = 32 * 2 ** 20;

/** Memory in bytes that it takes to make a pack of what was read so far. */
export const memoryNeeded = (progress: IngestProgress): number => fixedBytes + readBytes(progress);

/**
 * Refuses a file that will not fit into memory, as early as that can be told: when what was read so far takes more than
 * allowed, or the whole file will, if it goes on as it began.
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

/** While the columns of fields are put together, their blocks are there, too. */
const readBytes = ({ nodes, keywords, nameBytes, fieldBytes }: IngestProgress): number =>
  (nodes + keywords) * bytesPerRow + nameBytes * bytesPerNameByte + 2 * fieldBytes;

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
