import type { GoogleFailure } from '@kc/rules/google';
import { say } from '@kc/rules/messages';

/**
 * The page that a popup ends on. Its script, `web/public/google-callback.js`, reports the attributes to the page that
 * opened it and closes the window. Nothing is inline, and nothing in it is secret.
 *
 * Source: SECURITY.md, S16.
 *
 * @param nonce of the page that opened the window: letters, digits, `-` and `_`
 */
export function callbackPage(nonce: string, failure: GoogleFailure | undefined): string {
  const outcome = failure === undefined ? '' : ` data-failure="${failure}"`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Keyword Clustering</title>
<link rel="icon" href="/favicon.svg">
<script src="/google-callback.js" data-nonce="${nonce}"${outcome}></script>
<main>
<p>${say('google/close-window')}</p>
</main>
</html>
`;
}
