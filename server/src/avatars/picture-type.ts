import type { PictureType } from '../database/avatars-table.ts';

/**
 * The type of a picture by its first bytes, whatever its name; `undefined` for anything else, including anything that a
 * browser might execute. SVG does not count: it can contain scripts.
 *
 * Source: the signatures in the WHATWG MIME Sniffing Standard, §6.1.
 */
export function pictureType(bytes: Buffer): PictureType | undefined {
  const startsWith = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'image/gif';
  if (startsWith('RIFF') && startsWith('WEBPVP', 8)) return 'image/webp';
  return undefined;
}
