import type { IngestProgress } from '@kc/pack/ingest';
import type { Refusal } from '@kc/rules/result';

/**
 * At the peak of reading, building and writing, names included: 105 bytes measured for 2,117,000 rows of plain strings,
 * 210 for 570,000 rows of which half are objects with metrics, as the process over an empty one. Long names take more.
 */
const bytesPerRow = 260;
const fixedBytes = 64 * 2 ** 20;
/** A shorter beginning says too little about the rest. */
const enoughBytes = 32 * 2 ** 20;

/**
 * Refuses a file that will not fit into memory, as early as that can be told: when what was read so far takes more than
 * allowed, or the whole file will, if it goes on as it began.
 *
 * @param fileBytes of the whole file
 * @param allowedBytes `INGEST_MEMORY`
 */
export function memoryRefusal(progress: IngestProgress, fileBytes: number, allowedBytes: number): Refusal | undefined {
  // While the columns of fields are put together, their blocks are there, too.
  const soFar = (progress.nodes + progress.keywords) * bytesPerRow + 2 * progress.fieldBytes;
  const whole = progress.bytes < enoughBytes ? soFar : (soFar * fileBytes) / progress.bytes;
  const needed = fixedBytes + whole;
  if (needed <= allowedBytes) return undefined;
  return { code: 'upload/too-big-to-fit', params: { neededMib: mib(needed), allowedMib: mib(allowedBytes) } };
}

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
