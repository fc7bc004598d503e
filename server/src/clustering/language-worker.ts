import { parentPort } from 'node:worker_threads';
import { eld } from 'eld/medium';

// The thread that detects the languages of texts, message by message. See language.ts.

parentPort?.on('message', (texts: readonly string[]) => {
  parentPort?.postMessage(texts.map((text) => eld.detect(text).language));
});
