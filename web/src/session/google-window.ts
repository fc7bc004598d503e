import { type GoogleEnd, type GoogleFlow, googleChannel, googleStart, readGoogleReport } from '@kc/rules/google';

/** What is needed of the browser. */
export type GoogleBrowser = {
  /** The page shares no memory with a window it opens, so that a window could not be watched. */
  readonly isolated: boolean;
  /** The page's own. */
  readonly origin: string;
  /** @returns `null` when the browser blocks windows */
  open(address: string): OpenWindow | null;
  /** Leaves the page. */
  go(address: string): void;
  makeNonce(): string;
};
export type OpenWindow = Pick<Window, 'closed' | 'focus' | 'close'>;

export type GoogleListener = {
  /** Once, and never after {@link GoogleWay.stop}. @param nonce by which the server knows this way */
  onEnd(end: GoogleEnd | 'google/popup-blocked', nonce: string): void;
  /** Somebody closed the window. Should it go on unseen, `onEnd` still comes. */
  onClosed(): void;
};

/** To sign in, to be remembered or not; or to show again that it is them, which leaves the page where it is. */
export type GooglePurpose = { readonly remember: boolean } | 'step-up';

const queryOf = (purpose: GooglePurpose): Readonly<Record<string, string>> =>
  purpose === 'step-up' ? { purpose } : { remember: String(purpose.remember) };

/** Somebody's way to Google and back that this page waits for. */
export type GoogleWay = {
  /** Brings the window to the front; `false` when there is none any more. */
  focus(): boolean;
  /** Closes the window and hears no more of it. */
  stop(): void;
};

const lookEveryMs = 300;

/**
 * Goes to Google in a window of its own, or, to sign in, with the whole page when there can be none.
 *
 * To be called in the click itself: what comes after an `await` is blocked as an unwanted window.
 *
 * @returns `undefined` when the page itself leaves, or could not
 * Source: spec §7 "Authentication", security S16.
 */
export function goToGoogle(
  purpose: GooglePurpose,
  listener: GoogleListener,
  browser: GoogleBrowser = thisBrowser,
): GoogleWay | undefined {
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

/** The channel first: the window could answer at once. */
function openWindow(open: () => OpenWindow | null): Opened | undefined {
  let channel: BroadcastChannel | undefined;
  try {
    channel = new BroadcastChannel(googleChannel);
    const window = open();
    if (window) return { window, channel };
  } catch {
    // A browser that throws instead of answering `null`, or has no channels.
  }
  channel?.close();
  return undefined;
}

function waitFor({ window, channel }: Opened, nonce: string, listener: GoogleListener): GoogleWay {
  let seenOpen = !window.closed;
  const look = setInterval(() => {
    // A window of another browsing context group reads as closed from the start and tells nothing.
    seenOpen ||= !window.closed;
    if (!seenOpen || !window.closed) return;
    clearInterval(look);
    listener.onClosed();
  }, lookEveryMs);
  const stop = () => {
    clearInterval(look);
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
