import type { PictureType } from '../database/avatars-table.ts';
import { withoutBrotli } from '../http/accepted-encodings.ts';
import { readUpTo } from '../http/read-up-to.ts';
import { pictureType } from './picture-type.ts';

/** Larger pictures are none: what is shown is 64 pixels wide at most. */
const maxBytes = 256 * 1024;
const timeoutMs = 3_000;

/** The world outside as the look-up may see it. Tests put a server of their own here; no variable reaches it. */
export type AvatarSource = {
  /** Scheme, host and port of whoever may be asked. */
  readonly gravatar: string;
  readonly photoOrigins: ReadonlySet<string>;
  readonly fetch: typeof fetch;
  /** Aborts a request that takes too long. */
  deadline(): AbortSignal;
};

/** Source: security S15. */
export const gravatarSource: AvatarSource = {
  gravatar: 'https://www.gravatar.com',
  // Where Google's `picture` claims lead.
  photoOrigins: new Set(['https://lh3.googleusercontent.com']),
  fetch: (...request) => fetch(...request),
  deadline: () => AbortSignal.timeout(timeoutMs),
};

export type Picture = { readonly bytes: Buffer; readonly type: PictureType };
/** A picture; `none`: nothing that can be used is there; `unavailable`: nobody could say. */
export type Answer = Picture | 'none' | 'unavailable';

/** Whether something is there, without fetching it. Anything but a plain yes is a no: a redirect, for one. */
export async function askForPicture(
  outside: AvatarSource,
  url: URL,
  signal: AbortSignal,
): Promise<boolean | 'unavailable'> {
  const response = await request(outside, 'HEAD', url, signal);
  if (typeof response === 'string') return response === 'unavailable' ? response : false;
  await response.body?.cancel();
  return true;
}

/** Fetches a picture, as many bytes of it as a picture may have and no more. */
export async function fetchPicture(outside: AvatarSource, url: URL, signal: AbortSignal): Promise<Answer> {
  const response = await request(outside, 'GET', url, signal);
  if (typeof response === 'string') return response;
  try {
    const bytes = await readUpTo(response, maxBytes);
    const type = bytes && pictureType(bytes);
    return bytes && type ? { bytes, type } : 'none';
  } catch {
    // A connection that broke or took too long; a fault of theirs, and no reason to forget a picture that is held.
    return 'unavailable';
  }
}

/**
 * One request to a host that may be asked, carrying nothing of ours. Redirects are not followed: they could lead
 * anywhere, into the server's own network too.
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
