import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { arraySource } from '@kc/pack/test/support/trees';
import { checkPack } from '@kc/pack/write/pack-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStorage } from '../storage/open.ts';
import { newKey } from '../storage/storage.ts';
import { runIngest } from '../visualizations/ingest/run-ingest.ts';

const command = fileURLToPath(new URL('pack.ts', import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kc-pack-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [command, ...args])) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

test('a file becomes a valid pack, and the last line has its cost', async () => {
  const [file, target] = [join(folder, 'in.json'), join(folder, 'out.arrow')];
  await writeFile(file, '{"hierarchy":{"name":"shoes","children":[{"name":"trail"}]},"keywords":["trail","sand"]}');
  const { code, stdout } = await run(file, target);
  expect(code).toBe(0);
  expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({
    nodes: 2,
    keywords: 2,
    seconds: expect.any(Number),
    peakMiB: expect.any(Number),
  });
  const { metadata } = await checkPack(arraySource(new Uint8Array(await readFile(target))));
  expect(metadata).toMatchObject({ nodes: 2, keywords: 2, notInHierarchy: 1, rootName: 'shoes', sourceBytes: 88 });
  expect(metadata.sourceSha256).toBe(
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  );
  expect(await readdir(folder)).toEqual(['in.json', 'out.arrow']);
});

test('the bytes are those that the server publishes', async () => {
  const [file, target] = [join(folder, 'in.json'), join(folder, 'out.arrow')];
  const entries = Array.from({ length: 3000 }, (_, n) => ({
    keyword: `Shoe ${n}`,
    volume: n % 70,
    stage: `s${n % 3}`,
    clicks: n,
  }));
  const children = entries.map(({ keyword }) => ({ name: keyword.toLowerCase(), owner: 'Kim' }));
  await writeFile(file, JSON.stringify({ keywords: entries, hierarchy: { name: 'shoes', children } }));
  expect((await run(file, target)).code).toBe(0);

  const storage = await openStorage({ kind: 'disk', directory: folder });
  const [fileKey, tempKey] = [newKey('file'), newKey('temp')];
  const upload = await storage.append(fileKey, 0);
  await upload.write(await readFile(file));
  await upload.close();
  const request = { place: storage.place, fileKey, tempKey, fileBytes: upload.size, memoryBytes: 2 ** 28 };
  expect(await runIngest(request, new AbortController().signal, () => undefined)).toMatchObject({ ok: true });
  const pack = await storage.open(tempKey);
  expect(Buffer.compare(await pack.read(0, pack.size), await readFile(target))).toBe(0);
  await pack.close();
});

test('a broken file is refused with the message of the Upload tab and leaves nothing behind', async () => {
  const [file, target] = [join(folder, 'in.json'), join(folder, 'out.arrow')];
  await writeFile(file, '{"hierarchy":\n{"name":"shoes",}}');
  const { code, stdout, stderr } = await run(file, target);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^Invalid JSON file: .+ at byte 30 \(line 2, column 17\)/);
  expect(await readdir(folder)).toEqual(['in.json']);
});

test('a refused file does not touch the pack that was there', async () => {
  const [file, target] = [join(folder, 'in.json'), join(folder, 'out.arrow')];
  await writeFile(target, 'an older pack');
  await writeFile(file, '[]');
  expect((await run(file, target)).code).toBe(1);
  expect(await readFile(target, 'utf8')).toBe('an older pack');
});

test('a missing file cannot be read', async () => {
  const { code, stderr } = await run(join(folder, 'nothing.json'), join(folder, 'out.arrow'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Failed to read file: .*nothing\.json/);
});

test('a target that cannot be written is named, and nothing is left', async () => {
  const file = join(folder, 'in.json');
  await writeFile(file, '{"hierarchy":{"name":"shoes","children":[{"name":"trail"}]}}');
  const target = join(folder, 'nowhere', 'out.arrow');
  const { code, stderr } = await run(file, target);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\S+out\.arrow cannot be written: ENOENT: .*\n$/);
  expect(await run(file, folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(' cannot be written: EISDIR'),
  });
  expect(await readdir(folder)).toEqual(['in.json']);
});

test('without two paths it prints the usage', async () => {
  const { code, stderr } = await run('only-one.json');
  expect(code).toBe(2);
  expect(stderr).toBe('Usage: npm run pack -- FILE.json OUT.arrow\n');
});

test('an option that it does not take is said with the usage, and --help prints it', async () => {
  const unknown = await run('--fast', 'a.json', 'b.arrow');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(/^Unknown option '--fast'.*\nUsage: npm run pack -- FILE\.json OUT\.arrow\n$/);
  expect(await run('--help')).toEqual({ code: 0, stdout: 'Usage: npm run pack -- FILE.json OUT.arrow\n', stderr: '' });
});
