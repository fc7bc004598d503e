import type { CustomFetch } from 'openid-client';
import { withoutBrotli } from '../../http/accepted-encodings.ts';
import { readUpTo } from '../../http/read-up-to.ts';

/** Limits for one request to the issuer, from its start to the last byte of the response. */
export const issuerLimits = { timeoutMs: 3_000, maxBytes: 1_000_000 } as const;

/**
 * `fetch` for the issuer's endpoints, within limits: a slow or endless response can neither delay sign-in nor fill the
 * memory. Returns only complete responses.
 *
 * @throws if the issuer takes too long or sends too much
 */
export function fetchWithin({ timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }): CustomFetch {
  return async (url, { body, signal, ...options }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const asked = new Headers(options.headers);
    asked.set('accept-encoding', withoutBrotli);
    const response = await fetch(url, {
      ...options,
      headers: asked,
      // The library's body type is wider than that of `fetch`; it sends a form, or nothing.
      body: body as NonNullable<RequestInit['body']>,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const bytes = await readUpTo(response, maxBytes);
    if (!bytes) throw new Error(`The issuer answered with more than ${maxBytes} bytes`);
    const { status, statusText, headers } = response;
    // These statuses have no body, and `Response` rejects even an empty one.
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(bytes), {
      status,
      statusText,
      headers,
    });
  };
}
