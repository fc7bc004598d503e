import { type GoogleEnd, type GoogleFlow, googleChannel, googleStart, readGoogleReport } from '@kc/rules/google';
import type { Refusal } from '@kc/rules/result';

/** The browser features that this needs. */
export type GoogleBrowser = {
  /** Cross-origin isolation: the page cannot observe a window that it opens. */
  readonly isolated: boolean;
  /** The origin of the page. */
  readonly origin: string;
  /** @returns `null` when the browser blocks windows */
  open(address: string): OpenWindow | null;
  /** Navigates away from the page. */
  go(address: string): void;
  makeNonce(): string;
};
export type OpenWindow = Pick<Window, 'closed' | 'focus' | 'close'>;

export type GoogleListener = {
  /** Called once, and never after {@link GoogleAttempt.stop}. @param nonce identifies this attempt at the server */
  onEnd(end: GoogleEnd | 'google/popup-blocked', nonce: string): void;
  /** The user closed the window. If the flow continues elsewhere, `onEnd` is still called. */
  onClosed(): void;
};

/** Sign-in, with or without "Remember me", or a step-up, which leaves the page where it is. */
export type GooglePurpose = { readonly remember: boolean } | 'step-up';

const queryOf = (purpose: GooglePurpose): Readonly<Record<string, string>> =>
  purpose === 'step-up' ? { purpose } : { remember: String(purpose.remember) };

/** A pending Google flow. */
export type GoogleAttempt = {
  /** Brings the window to the front; `false` if it is gone. */
  focus(): boolean;
  /** Closes the window and stops listening. */
  stop(): void;
};

const pollMs = 300;

/**
 * Starts the Google flow in a popup, or, for sign-in, in the whole page if popups are unavailable.
 *
 * Call it directly in the click handler: browsers block a popup opened after an `await`.
 *
 * @returns `undefined` if the page itself navigates away, or if nothing could be opened
 */
export function goToGoogle(
  purpose: GooglePurpose,
  listener: GoogleListener,
  browser: GoogleBrowser = thisBrowser,
): GoogleAttempt | undefined {
  const nonce = browser.makeNonce();
  const address = (flow: GoogleFlow) =>
    `${googleStart}?${new URLSearchParams({ flow, nonce, ...queryOf(purpose), origin: browser.origin })}`;
  const opened = browser.isolated ? undefined : openWindow(() => browser.open(address('popup')));
  if (opened) return waitFor(opened, nonce, listener);
  try {
    if (purpose === 'step-up') listener.onEnd('google/popup-blocked', nonce);
    else browser.go(address('redirect'));
  } catch {
    listener.onEnd('google/popup-blocked', nonce);
  }
  return undefined;
}

type Opened = { readonly window: OpenWindow; readonly channel: BroadcastChannel };

/** Opens the channel first, because the window could report at once. */
function openWindow(open: () => OpenWindow | null): Opened | undefined {
  let channel: BroadcastChannel | undefined;
  try {
    channel = new BroadcastChannel(googleChannel);
    const window = open();
    if (window) return { window, channel };
  } catch {
    // The browser throws instead of returning `null`, or does not support channels.
  }
  channel?.close();
  return undefined;
}

function waitFor({ window, channel }: Opened, nonce: string, listener: GoogleListener): GoogleAttempt {
  let wasOpen = !window.closed;
  const timer = setInterval(() => {
    // A window in another browsing context group reads as closed from the start, even while it is open.
    wasOpen ||= !window.closed;
    if (!wasOpen || !window.closed) return;
    clearInterval(timer);
    listener.onClosed();
  }, pollMs);
  const stop = () => {
    clearInterval(timer);
    channel.close();
    window.close();
  };
  channel.onmessage = ({ data }) => {
    const end = readGoogleReport(data, nonce);
    if (end === undefined) return;
    stop();
    listener.onEnd(end, nonce);
  };
  return {
    focus() {
      if (window.closed) return false;
      window.focus();
      return true;
    },
    stop,
  };
}

const size = { width: 480, height: 640 };

const thisBrowser: GoogleBrowser = {
  get origin() {
    return location.origin;
  },
  get isolated() {
    return crossOriginIsolated;
  },
  open(address) {
    const left = Math.max(0, Math.round(screenX + (outerWidth - size.width) / 2));
    const top = Math.max(0, Math.round(screenY + (outerHeight - size.height) / 2));
    return open(address, googleChannel, `popup,width=${size.width},height=${size.height},left=${left},top=${top}`);
  },
  go: (address) => location.assign(address),
  makeNonce: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hexByte).join(''),
};

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');

const ofOtherProviders: Readonly<Record<string, string>> = {
  'google/popup-blocked': 'provider/popup-blocked',
  'google/unauthorized-domain': 'provider/unauthorized-domain',
};

/** The message about a sign-in that failed. @param name of the provider; undefined for Google */
export function refusalOfEnd(end: string, name: string | undefined): Refusal {
  const other = ofOtherProviders[end];
  return name === undefined || other === undefined ? { code: end } : { code: other, params: { name } };
}
