import { readFileSync } from 'node:fs';
import { isContractProcedure } from '@orpc/contract';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contract } from '../rules/src/api.ts';
import { noticesPath } from '../rules/src/paths.ts';
import { startChunks } from './chunks.ts';

/**
 * Method and path of every call, in the contract's own groups, as JSON: they are all that the browser's client needs, and
 * the schemas would bring zod into the first load.
 */
function callsOfContract(): Plugin {
  const name = 'virtual:contract';
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export default ${JSON.stringify(ofBrowser, routeOnly)}` : undefined),
  };
}

/** Visitors of a link call under the names of the others: see `use-link.ts`. */
const ofBrowser = { ...contract, shared: undefined };

const routeOnly = (_name: string, value: unknown) =>
  isContractProcedure(value) ? `${value['~orpc'].route.method} ${value['~orpc'].route.path}` : value;

/** The product's version as the server of the same sources says it. */
const { version } = JSON.parse(readFileSync(new URL('../server/package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const serverUrl = process.env.API_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  define: { __PRODUCT_VERSION__: JSON.stringify(version) },
  plugins: [react(), tailwindcss(), callsOfContract()],
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // One stylesheet, linked from the document, blocks the first paint; data: fonts would break the policy's font-src.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What every page starts with compresses better as one file, and comes with one request.
    // So does what a screen starts with.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'] },
            // Imported through an index of all of them, so only tree shaking tells which ones a part uses.
            { name: 'libraries', test: /node_modules.(lucide-react|@tanstack.(react-)?query)/ },
            {
              name: startChunks(),
              debugName: 'frame, explore, forms and parts',
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  // Its address is the server's BASE_URL, to the letter: Google comes back there.
  server: {
    host: 'localhost',
    proxy: Object.fromEntries(['/api', noticesPath].map((path) => [path, { target: serverUrl }])),
  },
});
