import { sayRefusal } from '@kc/rules/entry-messages';
import { googleChannel } from '@kc/rules/google';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type GoogleAttempt,
  type GoogleBrowser,
  type GooglePurpose,
  goToGoogle,
  type OpenWindow,
  refusalOfEnd,
} from './google-window.ts';

const report = { type: 'kc-google', nonce: 'n1' };

type Calls = string[];
type Popup = { -readonly [member in keyof OpenWindow]: OpenWindow[member] };

let flow: GoogleAttempt | undefined;
let provider: BroadcastChannel;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  provider = new BroadcastChannel(googleChannel);
});
afterEach(() => {
  flow?.stop();
  provider.close();
  vi.useRealTimers();
});

function popupThat(calls: Calls): Popup {
  const popup: Popup = {
    closed: false,
    focus: () => void calls.push('focused'),
    close: () => {
      popup.closed = true;
    },
  };
  return popup;
}

/** Starts the Google flow with a browser that records its calls in `calls`. */
function begin(
  calls: Calls,
  browser: Partial<GoogleBrowser>,
  purpose: GooglePurpose = { remember: true },
): GoogleAttempt | undefined {
  flow = goToGoogle(
    purpose,
    { onEnd: (end) => void calls.push(`end ${end}`), onClosed: () => void calls.push('closed') },
    {
      isolated: false,
      origin: 'https://keywords.example',
      open: () => null,
      go: (address) => void calls.push(`went ${address}`),
      makeNonce: () => 'n1',
      ...browser,
    },
  );
  return flow;
}

/** Another window of this site posts to the channel. */
const post = (...messages: unknown[]): void => {
  for (const message of messages) provider.postMessage(message);
};

test('a window opens at once with a nonce, the remember option and the page’s origin', () => {
  const opened: string[] = [];
  const popup = popupThat([]);
  const open = (address: string) => {
    opened.push(address);
    return popup;
  };
  expect(begin([], { open })).toBeDefined();
  expect(opened).toEqual(['/api/google/start?flow=popup&nonce=n1&remember=true&origin=https%3A%2F%2Fkeywords.example']);
});

const redirect = 'went /api/google/start?flow=redirect&nonce=n1&remember=true&origin=https%3A%2F%2Fkeywords.example';

// Shows P4.2.
test.each<[string, Partial<GoogleBrowser>]>([
  ['blocks the window', { open: () => null }],
  [
    'fails to open it',
    {
      open: () => {
        throw new DOMException('no windows here', 'NotSupportedError');
      },
    },
  ],
  ['has isolated the page', { isolated: true, open: () => popupThat([]) }],
])('the page itself navigates if the browser %s', (_name, browser) => {
  const calls: Calls = [];
  expect(begin(calls, browser)).toBeUndefined();
  expect(calls).toEqual([redirect]);
});

test('without a window or navigation, the window counts as blocked', () => {
  const calls: Calls = [];
  const go = () => {
    throw new DOMException('no leaving', 'SecurityError');
  };
  begin(calls, { go });
  expect(calls).toEqual(['end google/popup-blocked']);
});

test('S6 a step-up never navigates the page: it opens a window, or is blocked', () => {
  const opened: string[] = [];
  const calls: Calls = [];
  const open = (address: string) => {
    opened.push(address);
    return null;
  };
  expect(begin(calls, { open }, 'step-up')).toBeUndefined();
  expect(opened).toEqual([
    '/api/google/start?flow=popup&nonce=n1&purpose=step-up&origin=https%3A%2F%2Fkeywords.example',
  ]);
  expect(calls).toEqual(['end google/popup-blocked']);
});

test('the report of its own window ends the flow once and closes the window', async () => {
  const calls: Calls = [];
  const popup = popupThat(calls);
  begin(calls, { open: () => popup });
  post(report, { ...report, failure: 'google/failed' });
  await expect.poll(() => calls).toEqual(['end signed-in']);
  expect(popup.closed).toBe(true);
});

test('T22 reports of other windows and of other shapes are ignored', async () => {
  const calls: Calls = [];
  begin(calls, { open: () => popupThat(calls) });
  const forged = { ...report, failure: 'google/failed' };
  post(
    { ...forged, nonce: 'n2' },
    { ...forged, nonce: ['n1'] },
    { ...forged, type: 'other' },
    'kc-google',
    null,
    42,
    report,
  );
  await expect.poll(() => calls).toEqual(['end signed-in']);
});

test('a closed window is reported only after it was seen open', () => {
  const calls: Calls = [];
  const popup = popupThat(calls);
  begin(calls, { open: () => popup });
  vi.advanceTimersByTime(1_000);
  expect(calls).toEqual([]);
  popup.closed = true;
  vi.advanceTimersByTime(1_000);
  expect(calls).toEqual(['closed']);
});

test('S16 a window that appears closed from the start is not taken for closed', () => {
  const calls: Calls = [];
  begin(calls, { open: () => ({ ...popupThat(calls), closed: true }) });
  vi.advanceTimersByTime(10_000);
  expect(calls).toEqual([]);
});

test('a window that seemed closed can still report', async () => {
  const calls: Calls = [];
  const popup = popupThat(calls);
  begin(calls, { open: () => popup });
  popup.closed = true;
  vi.advanceTimersByTime(1_000);
  post(report);
  await expect.poll(() => calls).toEqual(['closed', 'end signed-in']);
});

test('a second click focuses the open window', () => {
  const calls: Calls = [];
  const popup = popupThat(calls);
  const going = begin(calls, { open: () => popup });
  expect(going?.focus()).toBe(true);
  popup.closed = true;
  expect(going?.focus()).toBe(false);
  expect(calls).toEqual(['focused']);
});

test('after stop nothing is reported', async () => {
  const calls: Calls = [];
  const popup = popupThat(calls);
  begin(calls, { open: () => popup })?.stop();
  const next: Calls = [];
  begin(next, { open: () => popupThat(next) });
  post(report);
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => next).toEqual(['end signed-in']);
  expect(calls).toEqual([]);
  expect(popup.closed).toBe(true);
});

test('the window of another provider that is blocked during a step-up is named', () => {
  expect(sayRefusal(refusalOfEnd('google/popup-blocked', 'Acme ID'))).toBe(
    'The window of Acme ID was blocked by your browser. Please enable popups for this site.',
  );
  expect(refusalOfEnd('google/popup-blocked', undefined)).toEqual({ code: 'google/popup-blocked' });
  expect(refusalOfEnd('google/failed', 'Acme ID')).toEqual({ code: 'google/failed' });
});
