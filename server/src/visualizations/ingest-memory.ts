import type { UploadProgress } from '@kc/pack/upload-reader';
import type { Refusal } from '@kc/rules/result';

/**
 * At the peak of reading, building and checking: 340 to 400 bytes measured, as growth of the process over a small file,
 * for 195,000 nodes and for 285,000 nodes with 284,000 keyword objects.
 */
const bytesPerRow = 400;
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
export function memoryRefusal(progress: UploadProgress, fileBytes: number, allowedBytes: number): Refusal | undefined {
  const soFar = (progress.nodes + progress.keywords) * bytesPerRow;
  const whole = progress.bytes < enoughBytes ? soFar : (soFar * fileBytes) / progress.bytes;
  const needed = fixedBytes + whole;
  if (needed <= allowedBytes) return undefined;
  return { code: 'upload/too-big-to-fit', params: { neededMib: mib(needed), allowedMib: mib(allowedBytes) } };
}

const mib = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
