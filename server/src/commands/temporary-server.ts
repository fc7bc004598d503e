/** `npm start` for a server whose data nobody needs when it has ended: it removes them itself, also if whoever started it is gone. */
import { rmSync } from 'node:fs';

const folder = process.env.DATA_DIR!;
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
await import('../../../tools/start.ts');
