import { type GoogleFailure, googleChannel } from '@kc/rules/google';
import { onTestFinished, vi } from 'vitest';

/** In place of the window that a page opens: it reports what happened at Google, as the callback page does. */
export function standInGoogle() {
  const popup = {
    closed: false,
    focus: vi.fn(),
    close: () => {
      popup.closed = true;
    },
  };
  const open = vi.spyOn(window, 'open').mockImplementation(() => {
    popup.closed = false;
    return popup as unknown as Window;
  });
  const channel = new BroadcastChannel(googleChannel);
  onTestFinished(() => channel.close());
  /** The query of the address that was opened last. */
  const asked = () => new URL(String(open.mock.lastCall![0]), location.origin).searchParams;
  const report = (failure?: GoogleFailure) =>
    channel.postMessage({ type: googleChannel, nonce: asked().get('nonce'), ...(failure && { failure }) });
  return { popup, open, asked, report };
}
