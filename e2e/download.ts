import { buffer } from 'node:stream/consumers';
import type { Download } from 'playwright-core';

/** The content of a download. The browser runs in another process, so it has no path here. */
export const bytesOf = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream());
