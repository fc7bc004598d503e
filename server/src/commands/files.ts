import { rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

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
