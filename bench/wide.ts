import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, open, rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createIngest } from '../pack/src/ingest.ts';
import { foldForSearch } from '../pack/src/names/normal-form.ts';
import { writePack } from '../pack/src/write/pack-writer.ts';
import type { NodeDetail } from '../rules/src/shapes.ts';
import { openDiskStorage } from '../server/src/storage/disk.ts';
import { uploadLoop } from '../server/src/visualizations/ingest/make-pack.ts';
import { createPackQueries, type PackQueries } from '../server/src/visualizations/query/pack-queries.ts';
import { type BenchCase, type Contender, costOf } from './bench-case.ts';
import { makeUpload, type UploadVariant } from './make-upload.ts';

/** Uploads with a million keywords under one node, in two languages. */
const uploads = { ascii: ['wide', 169], japanese: ['wide-japanese', 143] } as const satisfies Record<
  string,
  readonly [UploadVariant, number]
>;
type Language = keyof typeof uploads;
/** Part of the pack file names: increase it whenever their bytes change. */
const generation = 1;
const cluster = 1;

/** Typical requests for a node with a million children, through the same code as in the server's query thread. */
export const cases: readonly BenchCase[] = [
  wideCase('first detail', 'ascii', [
    ours('ascii', async (queries, keys) => childrenOf(await queries.node({ ...keys, node: cluster }))),
    ours(
      'ascii',
      async (queries, keys) => childrenOf(await queries.node({ ...keys, node: cluster + 1 })),
      'ours, of one of its children',
    ),
  ]),
  wideCase('CSV', 'ascii', [
    ours('ascii', async (queries, keys) => {
      const { number } = await queries.beginExport({ ...keys, query: { form: 'csv', node: cluster, filter: '' } });
      let bytes = 0;
      for (let part = await queries.nextPart({ number }); part; part = await queries.nextPart({ number }))
        bytes += part.length;
      await queries.endExport({ number });
      return { megabytes: bytes / 1e6 };
    }),
  ]),
  ...(['ascii', 'japanese'] as const).map((language) =>
    wideCase(`first search, ${language}`, language, [
      ours(language, async (queries, keys) => {
        const { total } = await queries.search({
          ...keys,
          query: { mode: 'phrase', text: texts[language], limit: 50, skip: 0 },
        });
        return { total };
      }),
      { name: 'includes on strings that are held and folded', measure: () => measureStrings(language) },
    ]),
  ),
];

const texts = { ascii: 'garden', japanese: 'テント' } as const;

type Keys = { readonly packKey: string; readonly fileKey: string };
type Work = (queries: PackQueries, keys: Keys) => Promise<Record<string, number>>;

function wideCase(name: string, language: Language, contenders: readonly Contender[]): BenchCase {
  return { name: `wide/${name}`, rounds: 5, prepare: async () => void (await makeStorage(language)), contenders };
}

const childrenOf = (detail: NodeDetail | undefined) => ({ children: detail?.children ?? 0 });

/** Starts with a pack that has had no requests. */
function ours(language: Language, work: Work, name = 'ours'): Contender {
  return {
    name,
    async measure() {
      const { directory, ...keys } = await makeStorage(language);
      const queries = createPackQueries(await openDiskStorage(directory));
      // The first slice of a screen is loaded before any further request.
      await queries.slice({ ...keys, query: { node: 0, budget: 4000, skip: 0 } });
      const cost = await costOf(async () => work(queries, keys));
      await queries.close();
      return cost;
    },
  };
}

async function measureStrings(language: Language) {
  const [variant, megabytes] = uploads[language];
  const file = await open(await makeUpload(variant, megabytes));
  const { keywords }: { keywords: { 'Top queries': string }[] } = JSON.parse(await file.readFile('utf8'));
  await file.close();
  const names = keywords.map((keyword) => foldForSearch(keyword['Top queries']));
  const sought = foldForSearch(texts[language]);
  return costOf(async () => ({ total: names.filter((name) => name.includes(sought)).length }));
}

/** A folder as on the server, with one upload and its pack. */
async function makeStorage(language: Language): Promise<Keys & { readonly directory: string }> {
  const [variant, megabytes] = uploads[language];
  const path = await makeUpload(variant, megabytes);
  const directory = fileURLToPath(new URL(`.cache/${variant}-${megabytes}mb-${generation}/`, import.meta.url));
  const keys = { packKey: `pack-${'0'.repeat(32)}`, fileKey: `file-${'0'.repeat(32)}` };
  if (existsSync(`${directory}${keys.packKey}`)) return { ...keys, directory };
  await mkdir(directory, { recursive: true });
  await copyFile(path, `${directory}${keys.fileKey}`);
  await makePack(path, `${directory}${keys.packKey}`);
  return { ...keys, directory };
}

async function makePack(path: string, packPath: string): Promise<void> {
  const loop = uploadLoop();
  const ingest = createIngest({ hashKey: [1, 2], loop });
  const hash = createHash('sha256');
  for await (const block of createReadStream(path) as AsyncIterable<Uint8Array>) {
    hash.update(block);
    ingest.push(block);
  }
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const file = await open(`${packPath}.part`, 'w');
  await writePack(
    result.tree,
    hash.digest('hex'),
    {
      write: async (bytes) => {
        await file.writeFile(bytes);
      },
    },
    loop?.names,
  );
  await file.close();
  await rename(`${packPath}.part`, packPath);
}
