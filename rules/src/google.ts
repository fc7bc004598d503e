/**
 * The protocol between page and server for signing in with Google, or another OpenID Connect issuer.
 *
 * The page opens {@link googleStart} in a popup, or navigates to it. The server redirects the browser to the issuer,
 * and the issuer back to {@link googleCallback}. The session is set only as a cookie. A popup reports on {@link
 * googleChannel} and closes itself; a redirect ends at the sign-in page with its outcome in the query.
 *
 * Source: SECURITY.md, S16, T17–T23.
 */
import type { MessageCode } from './messages.ts';

export const googleStart = '/api/google/start';
export const googleCallback = '/api/google/callback';

/** The BroadcastChannel of the callback page. */
export const googleChannel = 'kc-google';

export type GoogleFlow = 'popup' | 'redirect';

/**
 * The message codes of a failed sign-in. The page shows only these: its address and messages from other pages can
 * contain anything.
 */
export const googleFailures = [
  'google/failed',
  'google/profile-failed',
  'google/unauthorized-domain',
  'sign-in/google-off',
  'sign-in/disabled',
  'sign-up/in-use',
  'sign-up/closed',
  'sign-up/full',
] as const satisfies readonly MessageCode[];

/** `cancelled`: the user closed the window or declined, so no message is shown. */
export type GoogleFailure = (typeof googleFailures)[number] | 'cancelled';

/** The popup's message before it closes. It contains no secret; a page ignores reports with a nonce of another page. */
type GoogleReport = {
  readonly type: typeof googleChannel;
  /** The nonce that the page sent to {@link googleStart}. */
  readonly nonce: string;
  /** Absent after success. */
  readonly failure?: GoogleFailure;
};

/**
 * The query parameter with which a redirect returns to the sign-in page: {@link googleDone} or a {@link GoogleFailure}.
 */
export const googleOutcome = 'google';
export const googleDone = 'done';

/** How a sign-in at the issuer ended. */
export type GoogleEnd = 'signed-in' | GoogleFailure;

/** Reads {@link googleOutcome}. An unknown value is a failure, because anybody can edit an address. */
export function readGoogleOutcome(text: string): GoogleEnd {
  return text === googleDone ? 'signed-in' : knownFailure(text);
}

/**
 * Reads a message on {@link googleChannel}. Returns `undefined` if it is not for this page: it has another shape, or
 * another page opened the popup.
 *
 * @param nonce that this page sent
 */
export function readGoogleReport(message: unknown, nonce: string): GoogleEnd | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const report = message as { readonly [member in keyof GoogleReport]?: unknown };
  if (report.type !== googleChannel || report.nonce !== nonce) return undefined;
  return report.failure === undefined ? 'signed-in' : knownFailure(report.failure);
}

function knownFailure(code: unknown): GoogleFailure {
  return [...googleFailures, 'cancelled' as const].find((known) => known === code) ?? 'google/failed';
}
