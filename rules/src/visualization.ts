/** The sample's id in links and calls; it belongs to nobody. Source: decisions §1. */
export const sampleId = 'sample';
export const sampleEmail = 'sample@example.com';

/**
 * The label under which a record says its file lies. The physical key is random and never leaves the server.
 *
 * @param time milliseconds since 1970
 * Source: spec §3 "Visualization record", security S13.
 */
export function storagePath(userId: string, time: number, fileName: string): string {
  return `users/${userId}/visualizations/${time}_${cleanFileName(fileName)}`;
}

/** What somebody says of a file, without control characters but line ends and tabs. */
export const cleanDescription = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '').trim();

/** A file name that is safe to show and to send in a header: no folders, control or direction characters, 200 long. */
export function cleanFileName(fileName: string): string {
  const base = fileName.split(/[\\/]/).pop() ?? '';
  const plain = base.replace(/[\p{Cc}\p{Bidi_Control}"]/gu, '').trim();
  return plain.slice(-200).replace(/^\.+/, '') || 'upload.json';
}
