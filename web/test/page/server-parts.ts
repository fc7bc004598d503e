import type { Plugin } from 'vite';

/** What the server's queries use of Node, for those that run in the page of a test: by the end of an import. */
const inPage = new Map<string, string>([
  [
    'node:timers/promises',
    // Not a timer: tests stop those.
    `export const setImmediate = () => new Promise((resolve) => {
       const { port1, port2 } = new MessageChannel();
       port1.onmessage = () => { port1.close(); resolve(); };
       port2.postMessage(undefined);
     });`,
  ],
  [
    'node:crypto',
    // Hashes of the queries only name what is kept: the text itself does as well.
    `export const randomBytes = () => { throw new Error('Nothing is stored here'); };
     export const createHash = () => {
       let text = '';
       return { update(more) { text += more; return this; }, digest: () => text };
     };`,
  ],
  ['/worker-process.ts', 'export const memoryLimit = () => 2 ** 30;'],
  ['/text-finder.ts', 'export const loadTextFinder = () => undefined;'],
]);

/** Lets a page import `server/src/visualizations/query`. */
export function serverParts(): Plugin {
  return {
    name: 'parts-of-the-server',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!importer?.includes('/server/src/')) return undefined;
      const end = [...inPage.keys()].find((one) => id.endsWith(one));
      return end && `\0in-page:${end}`;
    },
    // A browser's timers are numbers.
    transform: (code, id) => (id.includes('/server/src/') ? code.replaceAll('.unref()', '') : undefined),
    load: (id) => (id.startsWith('\0in-page:') ? inPage.get(id.slice('\0in-page:'.length)) : undefined),
  };
}
