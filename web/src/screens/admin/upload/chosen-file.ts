import { say, sayRefusal } from '@kc/rules/messages';
import type { OpenUpload } from '@kc/rules/shapes';
import { type ChosenFile, checkUploadFile } from '@kc/rules/upload';
import { cleanFileName } from '@kc/rules/visualization';

/** What is said of files that were chosen and cannot be sent; `undefined` when the first one can be. */
export function whyNotTaken(
  files: readonly ChosenFile[],
  receiverId: string | undefined,
  isRunning: boolean,
): string | undefined {
  if (isRunning) return say('upload/busy');
  const checked = checkUploadFile(files[0], receiverId);
  return checked.ok ? undefined : sayRefusal(checked.refusal);
}

/**
 * The unfinished upload of this very file by whoever asks: the same name, size and time of its last change, so that no
 * two versions of a file are put together.
 */
export function unfinishedOf(
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
  uploads: readonly OpenUpload[],
): OpenUpload | undefined {
  return uploads.find(
    (upload) =>
      upload.isYours &&
      upload.state === 'receiving' &&
      upload.fileName === cleanFileName(file.name) &&
      upload.fileSize === file.size &&
      upload.fileModified === file.lastModified,
  );
}
