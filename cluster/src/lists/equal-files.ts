import type { ByteSource } from '../../../pack/src/format/byte-source.ts';

/** Bytes that are compared at a time. */
const blockBytes = 1 << 20;

/** Of some files, those that are different, and those that repeat an earlier one byte for byte. */
export async function differentFiles<File extends { readonly source: ByteSource }>(
  files: readonly File[],
): Promise<{ readonly different: readonly File[]; readonly repeated: readonly File[] }> {
  const different: File[] = [];
  const repeated: File[] = [];
  for (const file of files) {
    const isRepeated = await someEqual(different, file.source);
    (isRepeated ? repeated : different).push(file);
  }
  return { different, repeated };
}

async function someEqual(files: readonly { readonly source: ByteSource }[], source: ByteSource): Promise<boolean> {
  for (const file of files) if (await areEqual(file.source, source)) return true;
  return false;
}

async function areEqual(one: ByteSource, other: ByteSource): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += blockBytes) {
    const length = Math.min(blockBytes, one.size - at);
    const [bytes, others] = await Promise.all([one.read(at, length), other.read(at, length)]);
    if (!bytes.every((byte, index) => byte === others[index])) return false;
  }
  return true;
}
