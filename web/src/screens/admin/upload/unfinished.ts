import type { OpenUpload } from '@kc/rules/shapes';
import { cleanFileName } from '@kc/rules/visualization';

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
