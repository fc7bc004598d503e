import { say, sayRefusal } from '@kc/rules/messages';
import { type ChosenFile, checkUploadFile } from '@kc/rules/upload';

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
