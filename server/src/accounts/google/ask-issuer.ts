import type { CustomFetch } from 'openid-client';
import { withoutBrotli } from '../../http/accepted-encodings.ts';
import { readUpTo } from '../../http/read-up-to.ts';

/** What one request to the issuer may take, from its start to the last byte of the answer. */
export const issuerLimits = { timeoutMs: 3_000, maxBytes: 1_000_000 } as const;

/**
 * `fetch` for the issuer's endpoints, within limits: whoever answers there can neither hold a sign-in up nor fill the
 * memory. The answer is whole when it is handed on.
 *
 * @throws when the issuer takes too long, or says more than it may
 */
export function fetchWithin({ timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }): CustomFetch {
  return async (url, { body, signal, ...options }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const asked = new Headers(options.headers);
    asked.set('accept-encoding', withoutBrotli);
    const response = await fetch(url, {
      ...options,
      headers: asked,
      // The library types a body more widely than `fetch` does; it sends a form, or nothing.
      body: body as NonNullable<RequestInit['body']>,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const bytes = await readUpTo(response, maxBytes);
    if (!bytes) throw new Error(`The issuer answered with more than ${maxBytes} bytes`);
    const { status, statusText, headers } = response;
    // These statuses have no body, and `Response` refuses to be given an empty one.
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(bytes), {
      status,
      statusText,
      headers,
    });
  };
}
