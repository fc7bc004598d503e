import { cutText } from './storable-text.ts';

/** The sample's ID in links and calls. It belongs to no account. */
export const sampleId = 'sample';
export const sampleEmail = 'sample@example.com';

/**
 * The file location that a visualization's record shows. It is only informative: the key under which the file is really
 * stored is random and never leaves the server.
 *
 * @param time of the upload, in milliseconds since 1970
 */
export function storagePath(userId: string, time: number, fileName: string): string {
  return `users/${userId}/visualizations/${time}_${cleanFileName(fileName)}`;
}

/** A file description without control characters, except line ends and tabs. */
export const cleanDescription = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '').trim();

/**
 * A file name that is safe to show and to send in a header: no folders, quotes, control or direction characters, no
 * leading dots, and at most the last 200 UTF-16 code units, which include the extension. `upload.json` if nothing is
 * left.
 */
export function cleanFileName(fileName: string): string {
  const base = fileName.split(/[\\/]/).pop() ?? '';
  const plain = base.replace(/[\p{Cc}\p{Bidi_Control}"]/gu, '').trim();
  return cutText(plain, -200).replace(/^\.+/, '') || 'upload.json';
}
