import { rmSync } from 'node:fs';
import { access, constants, type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The exit status of a command that was interrupted. */
const interrupted = 130;

/**
 * Looks whether {@link replaceFile} will be able to write there, before long work.
 *
 * @throws Error that names the target
 */
export async function demandWritable(target: string): Promise<void> {
  // With the dot, a file is no folder.
  const fault = await access(`${dirname(target)}/.`, constants.W_OK).catch((error: Error) => error);
  if (fault) throw new Error(`${target} cannot be written: ${fault.message}`);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw new Error(`${target} cannot be written: it is a folder`);
}

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
