/**
 * What the page and the server tell each other about signing in with Google, or any OpenID Connect issuer.
 *
 * The page opens {@link googleStart} in a popup, or goes there itself; the server sends the browser on to the issuer,
 * and the issuer back to {@link googleCallback}. The session comes as a cookie and in no other way. A popup reports on
 * {@link googleChannel} and closes itself; a redirect ends at the sign-in page with its outcome in the query.
 *
 * Source: spec §7 "Authentication", security S16, T17–T23.
 */
import type { MessageCode } from './messages.ts';

export const googleStart = '/api/google/start';
export const googleCallback = '/api/google/callback';

/** The BroadcastChannel of the callback page. */
export const googleChannel = 'kc-google';

export type GoogleFlow = 'popup' | 'redirect';

/** What the page sends along to {@link googleStart}, as its query. */
export type GoogleRequest = {
  readonly flow: GoogleFlow;
  /** By which the page knows its own window's report. 8 to 128 letters, digits, `-` and `_`. */
  readonly nonce: string;
  /** "Remember me"; without it the session ends with the browser. */
  readonly remember?: 'true' | 'false';
  /**
   * An admin who is signed in shows again that it is them. Nobody is signed in by it; the page asks for its step-up handle
   * with the nonce afterwards.
   */
  readonly purpose?: 'step-up';
  /** The page's own. Where it is not `BASE_URL`'s, the issuer would send the browser to somewhere else: refused at once. */
  readonly origin?: string;
};

/** Why nobody was signed in, as a text; whatever else stands in a page's address is not said. */
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

/** `cancelled` is silent: the person closed the window or said no. */
export type GoogleFailure = (typeof googleFailures)[number] | 'cancelled';

/** What the popup says before it closes. It carries no secret, and a nonce that is not the page's own is ignored. */
export type GoogleReport = {
  readonly type: typeof googleChannel;
  /** What the page sent along to {@link googleStart}. */
  readonly nonce: string;
  /** Absent: signed in. */
  readonly failure?: GoogleFailure;
};

/** The query member of the sign-in page that a redirect comes back with: {@link googleDone} or a {@link GoogleFailure}. */
export const googleOutcome = 'google';
export const googleDone = 'done';

/** How somebody's way to the issuer and back ended. */
export type GoogleEnd = 'signed-in' | GoogleFailure;

/** What {@link googleOutcome} says. Anybody can write into an address: what is not known there is a failure. */
export function readGoogleOutcome(text: string): GoogleEnd {
  return text === googleDone ? 'signed-in' : knownFailure(text);
}

/**
 * What a message on {@link googleChannel} says, or `undefined` for one that is not meant for this page: of another shape,
 * or about a window that another page opened.
 *
 * @param nonce what this page sent along
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
