import { say, sayRefusal } from '@kc/rules/messages';
import type { OpenUpload } from '@kc/rules/shapes';
import { type ChosenFile, checkUploadFile, cleanFileName } from '@kc/rules/upload';

/** Why the chosen files cannot be sent; `undefined` if the first one can. */
export function whyRefused(
  files: readonly ChosenFile[],
  receiverId: string | undefined,
  isRunning: boolean,
): string | undefined {
  if (isRunning) return say('upload/busy');
  const checked = checkUploadFile(files[0], receiverId);
  return checked.ok ? undefined : sayRefusal(checked.refusal);
}

/**
 * The user's unfinished upload of this same file, matched by name, size and modification time so that two versions of a
 * file are never mixed.
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
