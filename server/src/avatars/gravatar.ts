import type { PictureType } from '../database/account-tables.ts';
import { readUpTo, withoutBrotli } from '../http/outgoing-requests.ts';

/** Larger files are rejected: avatars are at most 64 pixels wide. */
const maxBytes = 256 * 1024;
const timeoutMs = 3_000;

/** The network as the look-up sees it. Tests insert a server of their own; no variable can change it. */
export type AvatarSource = {
  /** Scheme, host and port of the allowed origins. */
  readonly gravatar: string;
  readonly photoOrigins: ReadonlySet<string>;
  readonly fetch: typeof fetch;
  /** Aborts a request that takes too long. */
  deadline(): AbortSignal;
};

/** Source: SECURITY.md, S15. */
export const gravatarSource: AvatarSource = {
  gravatar: 'https://www.gravatar.com',
  // The host of Google's `picture` claims.
  photoOrigins: new Set(['https://lh3.googleusercontent.com']),
  fetch: (...request) => fetch(...request),
  deadline: () => AbortSignal.timeout(timeoutMs),
};

type Picture = { readonly bytes: Buffer; readonly type: PictureType };
/**
 * A picture; `none`: the service has no usable picture; `unavailable`: the service could not be reached or failed, so
 * nothing is known.
 */
export type LookUpResult = Picture | 'none' | 'unavailable';

/** Whether a picture exists, without downloading it. Only a 200 counts; a redirect does not. */
export async function pictureExists(
  outside: AvatarSource,
  url: URL,
  signal: AbortSignal,
): Promise<boolean | 'unavailable'> {
  const response = await request(outside, 'HEAD', url, signal);
  if (typeof response === 'string') return response === 'unavailable' ? response : false;
  await response.body?.cancel();
  return true;
}

/** Downloads a picture, up to the maximum size of a picture. */
export async function fetchPicture(outside: AvatarSource, url: URL, signal: AbortSignal): Promise<LookUpResult> {
  const response = await request(outside, 'GET', url, signal);
  if (typeof response === 'string') return response;
  try {
    const bytes = await readUpTo(response, maxBytes);
    const type = bytes && pictureType(bytes);
    return bytes && type ? { bytes, type } : 'none';
  } catch {
    // The connection broke or took too long. This is the service's fault and no reason to delete a stored picture.
    return 'unavailable';
  }
}

/**
 * A request to an allowed host, without any of our data. Redirects are not followed: they could lead anywhere,
 * including the server's own network.
 */
async function request(
  outside: AvatarSource,
  method: 'HEAD' | 'GET',
  url: URL,
  signal: AbortSignal,
): Promise<Response | 'none' | 'unavailable'> {
  const isAllowed = url.origin === outside.gravatar || outside.photoOrigins.has(url.origin);
  if (!isAllowed || url.username !== '' || url.password !== '') return 'none';
  try {
    const response = await outside.fetch(url, {
      method,
      redirect: 'manual',
      credentials: 'omit',
      headers: { accept: 'image/png, image/jpeg, image/webp, image/gif', 'accept-encoding': withoutBrotli },
      signal: AbortSignal.any([signal, outside.deadline()]),
    });
    if (response.status === 200) return response;
    await response.body?.cancel();
    return response.status >= 500 || response.status === 429 ? 'unavailable' : 'none';
  } catch {
    return 'unavailable';
  }
}

/**
 * The type of a picture by its first bytes, whatever its name; `undefined` for anything else, including anything that a
 * browser might execute. SVG does not count: it can contain scripts.
 *
 * Source: the signatures in the WHATWG MIME Sniffing Standard, §6.1.
 */
function pictureType(bytes: Buffer): PictureType | undefined {
  const startsWith = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'image/gif';
  if (startsWith('RIFF') && startsWith('WEBPVP', 8)) return 'image/webp';
  return undefined;
}
