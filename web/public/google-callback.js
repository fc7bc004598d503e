// The window that went to Google is back: it tells the page that opened it how it went, and closes itself.
// `GoogleReport` of rules/src/google.ts is the shape of what it says.
(() => {
  const { nonce, failure } = document.currentScript.dataset;
  const channel = new BroadcastChannel('kc-google');
  channel.postMessage({ type: 'kc-google', nonce, failure });
  channel.close();
  close();
})();
