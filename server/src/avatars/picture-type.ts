import type { PictureType } from '../database/avatars-table.ts';

/**
 * What a picture is by its first bytes, whatever it is called; `undefined` for anything a browser might run or that is
 * no picture. SVG is none here: it can carry scripts.
 *
 * Source: the formats' own signatures, as the WHATWG's MIME Sniffing Standard §6.1 lists them.
 */
export function pictureType(bytes: Buffer): PictureType | undefined {
  const startsWith = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'image/gif';
  if (startsWith('RIFF') && startsWith('WEBPVP', 8)) return 'image/webp';
  return undefined;
}
