import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Writes a file beside its target and renames it when it is durable. A failure leaves nothing. */
export async function replaceFile(target: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`;
  const handle = await open(temporary, 'wx+');
  try {
    await write(handle);
    await handle.sync();
    await handle.close();
    await rename(temporary, target);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}
