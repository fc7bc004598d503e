import { buffer } from 'node:stream/consumers';
import type { Download } from 'playwright-core';

/** What a page gave to be saved. The browser is another process's, so it has no path here. */
export const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());
