import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { openPack } from '../../pack/src/format/pack-reader.ts';
import { encodeSlice } from '../../pack/src/slice/slice-wire.ts';
import { takeSlice } from '../../pack/src/slice/take-slice.ts';
import { buildTree } from '../../pack/src/tree/tree-builder.ts';
import type { UploadTables } from '../../pack/src/upload/upload-tables.ts';
import { writePack } from '../../pack/src/write/pack-writer.ts';
import { arraySink, arraySource } from '../../pack/test/support/trees.ts';
import { makeTables } from '../make-tables.ts';
import { installPeers, peersFolder } from '../peers/install-peers.ts';

/** Part of the file names: increase it whenever their bytes change. */
const generation = 4;
const peers = ['flame-chart-js'];
/** Path of a file or folder that a benchmark creates. */
export const cachePath = (name: string): string => fileURLToPath(new URL(`../.cache/${name}`, import.meta.url));
const packPath = (nodes: number) => cachePath(`picture-${nodes}-${generation}.arrow`);
const jsonPath = (nodes: number) => cachePath(`picture-${nodes}-${generation}.json`);

/** Trees up to this many nodes also exist as JSON for the others. */
export const maxForOthers = 1e6;
/** Each is `page-….ts` in this folder. */
export type PageName = 'ours' | 'd3' | 'flame-chart' | 'empty';
const pages: readonly PageName[] = ['ours', 'd3', 'flame-chart', 'empty'];

/** Creates one tree as a pack for us and as nested JSON for the others, and the pages. */
export async function makePictureFiles(nodes: number): Promise<void> {
  const isForOthers = nodes <= maxForOthers;
  await mkdir(cachePath(''), { recursive: true });
  if (isForOthers) installPeers();
  for (const page of isForOthers ? pages : ['ours']) await bundlePage(page);
  if (existsSync(packPath(nodes)) && (existsSync(jsonPath(nodes)) || !isForOthers)) return;
  const tables = makeTables(nodes);
  const sink = arraySink();
  await writePack(buildTree(tables, [1, 2]), '00'.repeat(32), sink);
  await writeFile(packPath(nodes), sink.bytes());
  if (isForOthers) await writeFile(jsonPath(nodes), JSON.stringify(nested(tables)));
}

/** Serves the files of one size on a free port of the loopback interface. */
export async function servePictures(nodes: number): Promise<{ url: string; close: () => Promise<void> }> {
  // Copied, because the bytes of a small file may begin anywhere in a buffer pool, and columns must be aligned to
  // words.
  const pack = await openPack(arraySource(new Uint8Array(await readFile(packPath(nodes)))));
  const slice = async (query: URLSearchParams) => {
    const number = (name: string) => Number(query.get(name));
    return encodeSlice(await takeSlice(pack, { node: number('node'), budget: number('budget'), skip: number('skip') }));
  };
  // A running server has the pack open, with the columns that select rows in memory.
  await slice(new URLSearchParams({ node: '0', budget: '4000', skip: '0' }));
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const page = /^\/([a-z0-9-]+)\.(html|js)$/.exec(pathname);
    if (page?.[2] === 'html')
      send(
        response,
        'text/html; charset=utf-8',
        `<!doctype html><body style="margin:0"><script src="${page[1]}.js"></script>`,
      );
    else if (page) send(response, 'text/javascript', await readFile(cachePath(`${page[1]}.js`)));
    else if (pathname === '/tree.json') send(response, 'application/json', await readFile(jsonPath(nodes)));
    else if (pathname === '/slice') send(response, 'application/octet-stream', await slice(searchParams));
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}

/** Bundles `page-NAME.ts` of this folder to `NAME.js`. */
export async function bundlePage(page: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    // Other packages are installed there; a page of this folder would not find them.
    resolve: { alias: peers.map((name) => ({ find: name, replacement: join(peersFolder, 'node_modules', name) })) },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: cachePath(''),
      emptyOutDir: false,
      lib: {
        entry: fileURLToPath(new URL(`page-${page}.ts`, import.meta.url)),
        formats: ['iife'],
        name: 'page',
        fileName: () => `${page}.js`,
      },
    },
  });
}

type Nested = { name: string; children?: Nested[] };

function nested({ nodes }: UploadTables): Nested {
  const text = new TextDecoder();
  const all: Nested[] = [];
  for (let row = 0; row < nodes.rows; row++) {
    const start = nodes.nameStart[row]!;
    const node: Nested = { name: text.decode(nodes.names.subarray(start, start + nodes.nameLength[row]!)) };
    all.push(node);
    if (row === 0) continue;
    const parent = all[nodes.parent[row]!]!;
    parent.children ??= [];
    parent.children.push(node);
  }
  return all[0]!;
}
