/** `npm start` with a data folder of its own, which is removed when it ends, also if the process that started it has ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'kc-mcp-'));
process.env.DATA_DIR = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
await import('../../../tools/start.ts');
