import { parentPort, workerData } from 'node:worker_threads';
import { eld } from 'eld/medium';

// The thread that detects the language of texts. See language.ts.

parentPort?.postMessage((workerData as readonly string[]).map((text) => eld.detect(text).language));
