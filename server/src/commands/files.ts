import { rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { ByteSource } from '@kc/pack/format/byte-source';

/** The exit status of a command that was interrupted. */
const interrupted = 130;

/** Writes a file beside its target and renames it when it is durable. A failure or an interruption leaves nothing. */
export async function replaceFile(target: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`;
  const handle = await open(temporary, 'wx+');
  const stop = (): void => {
    rmSync(temporary, { force: true });
    process.exit(interrupted);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await write(handle);
    await handle.sync();
    await handle.close();
    await rename(temporary, target);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Reads from an open file. */
export async function sourceOf(handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat();
  return {
    size,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > size)
        throw new RangeError(`Bytes ${offset}+${length} of ${size}`);
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new RangeError(`The file ended at byte ${offset + done}`);
        done += bytesRead;
      }
      return bytes;
    },
  };
}
