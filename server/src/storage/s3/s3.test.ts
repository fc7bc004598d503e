// Shows REL-43.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storageConforms } from '../../../test/support/storage-conformance.ts';
import { type Swift, startSwift, whyNoSwift } from '../../../test/support/swift.ts';
import { newKey, type S3Place, type Storage, StorageDenied, StorageUnavailable } from '../storage.ts';
import { openBucket } from './bucket.ts';
import { openS3Storage } from './s3.ts';

const reason = whyNoSwift();
if (reason) console.log(reason);

describe.skipIf(reason !== undefined)('with a real S3 server', () => {
  const mebibyte = 2 ** 20;
  let swift: Swift;
  beforeAll(async () => {
    swift = await startSwift();
  });
  afterAll(() => swift?.stop());

  async function newPlace(cacheBytes = 64 * mebibyte): Promise<S3Place> {
    const folder = await mkdtemp(join(tmpdir(), 'kc-s3-'));
    return { kind: 's3', ...(await swift.newBucket()), folder, cacheBytes };
  }

  storageConforms('S3', async () => {
    const place = await newPlace();
    const dispose = () => rm(place.folder, { recursive: true });
    return { storage: await openS3Storage(place), dispose };
  });

  describe('a storage on S3', () => {
    let place: S3Place;
    let storage: Storage;
    beforeEach(async () => {
      place = await newPlace();
      storage = await openS3Storage(place);
    });
    afterEach(() => rm(place.folder, { recursive: true }));

    /** Bytes that differ everywhere, so that a byte in the wrong place shows. */
    const bytes = (length: number, seed = 0): Uint8Array =>
      new Uint8Array(
        Uint32Array.from({ length: Math.ceil(length / 4) }, (_, at) => at * 2654435761 + seed).buffer,
        0,
        length,
      );

    async function write(key: string, offset: number, all: Uint8Array, step = 3 * mebibyte): Promise<void> {
      const appender = await storage.append(key, offset);
      for (let at = 0; at < all.length; at += step) await appender.write(all.subarray(at, at + step));
      await appender.sync();
      await appender.close();
    }
    async function read(key: string, from = storage): Promise<Buffer> {
      const stored = await from.open(key);
      return Buffer.from(await stored.read(0, stored.size).finally(() => stored.close()));
    }
    const copies = (folder = place.folder): Promise<string[]> => readdir(join(folder, 'packs'));
    const packsCopied = async (folder?: string) => (await copies(folder)).map((file) => file.split('.')[0]!).sort();
    async function publish(size: number): Promise<{ pack: string; content: Uint8Array }> {
      const [temp, pack] = [newKey('temp'), newKey('pack')];
      const content = bytes(size);
      await write(temp, 0, content);
      await storage.publish(temp, pack);
      return { pack, content };
    }

    it('goes on with a file from any of its bytes, whatever was sent beyond them', async () => {
      const key = newKey('file');
      const content = bytes(20 * mebibyte);
      await write(key, 0, content.subarray(0, 13 * mebibyte));
      await write(key, 11 * mebibyte + 5, content.subarray(11 * mebibyte + 5));
      expect((await storage.stat(key))?.size).toBe(content.length);
      expect((await read(key)).equals(content)).toBe(true);
      const stored = await storage.open(key);
      const across = await stored.read(8 * mebibyte - 3, 4 * mebibyte);
      expect(Buffer.from(across).equals(content.subarray(8 * mebibyte - 3, 12 * mebibyte - 3))).toBe(true);
    });

    it('reads the same file while an old request adds a part to it late', async () => {
      const key = newKey('file');
      const content = bytes(2 * mebibyte);
      const late = await storage.append(key, 0);
      await late.write(content.subarray(0, mebibyte + 7));
      await write(key, 0, content);
      await late.sync();
      expect((await storage.stat(key))?.size).toBe(content.length);
      expect((await read(key)).equals(content)).toBe(true);
    });

    it('keeps the bytes of whoever went on, whatever a stopped server writes at the same place', async () => {
      const key = newKey('file');
      const [old, fresh] = [bytes(2 * mebibyte), bytes(2 * mebibyte, 1)];
      const late = await storage.append(key, 0, 1);
      await late.write(old);
      const next = await storage.append(key, 0, 2);
      await next.write(fresh);
      await next.sync();
      await late.sync();
      expect((await read(key)).equals(fresh)).toBe(true);
    });

    it('publishes a pack of several parts as one object, keeps a copy, and removes both', async () => {
      const { pack, content } = await publish(37 * mebibyte);
      const [copy] = await copies();
      expect(await packsCopied()).toEqual([pack]);
      expect((await read(pack)).equals(content)).toBe(true);
      await rm(join(place.folder, 'packs', copy!));
      expect((await read(pack)).equals(content)).toBe(true);
      await expect.poll(() => copies()).toEqual([copy]);
      await storage.remove(pack);
      expect([await copies(), await storage.stat(pack)]).toEqual([[], undefined]);
    });

    it('shows another server what this one published, and copies it there', async () => {
      const { pack, content } = await publish(5 * mebibyte);
      const elsewhere = { ...place, folder: await mkdtemp(join(tmpdir(), 'kc-s3-')) };
      const other = await openS3Storage(elsewhere);
      expect((await read(pack, other)).equals(content)).toBe(true);
      await expect.poll(() => packsCopied(elsewhere.folder)).toEqual([pack]);
      await rm(elsewhere.folder, { recursive: true });
    });

    it('reads a pack that was published again: newly opened the new one, and what is open goes on with the old one', async () => {
      const { pack, content } = await publish(5 * mebibyte);
      const elsewhere = { ...place, folder: await mkdtemp(join(tmpdir(), 'kc-s3-')) };
      const other = await openS3Storage(elsewhere);
      const before = await other.open(pack);
      expect(Buffer.from(await before.read(0, 1_000)).equals(content.subarray(0, 1_000))).toBe(true);
      const [temp, again] = [newKey('temp'), bytes(5 * mebibyte, 1)];
      await write(temp, 0, again);
      await storage.publish(temp, pack);
      for (let at = 0; at < content.length; at += mebibyte / 4) {
        const piece = Buffer.from(await before.read(at, mebibyte / 4));
        expect(piece.equals(content.subarray(at, at + mebibyte / 4))).toBe(true);
      }
      await before.close();
      for (const here of [storage, other]) expect((await read(pack, here)).equals(again)).toBe(true);
      await rm(elsewhere.folder, { recursive: true });
    });

    it('writes what a caller gave it, although the caller uses its memory again', async () => {
      const key = newKey('file');
      const memory = Buffer.from('first');
      const appender = await storage.append(key, 0);
      await appender.write(memory);
      memory.write('other');
      await appender.write(memory);
      await appender.sync();
      await appender.close();
      expect((await read(key)).toString()).toBe('firstother');
    });

    it('opens a copy while the store is gone, but nothing that was never read here', async () => {
      const { pack, content } = await publish(mebibyte);
      const file = newKey('file');
      await write(file, 0, bytes(10));
      const offline = await openS3Storage({ ...place, endpoint: 'http://127.0.0.1:9' });
      expect((await read(pack, offline)).equals(content)).toBe(true);
      await expect(offline.open(newKey('pack'))).rejects.toThrow(StorageUnavailable);
      await expect(offline.open(file)).rejects.toThrow(StorageUnavailable);
    });

    it('removes copies of what another server removed, and what was left under construction', async () => {
      const [kept, gone] = [await publish(mebibyte), await publish(mebibyte)];
      const left = newKey('temp');
      await write(left, 0, bytes(10));
      const elsewhere = { ...place, folder: await mkdtemp(join(tmpdir(), 'kc-s3-')) };
      await (await openS3Storage(elsewhere)).remove(gone.pack);
      expect(await packsCopied()).toEqual([kept.pack, gone.pack].sort());
      await storage.tidy(60_000);
      expect(await packsCopied()).toEqual([kept.pack]);
      expect(await storage.stat(left)).toBeDefined();
      await storage.tidy(-1);
      expect(await storage.stat(left)).toBeUndefined();
      await rm(elsewhere.folder, { recursive: true });
    });

    it('keeps the packs that were used last within the limit of its copies', async () => {
      storage = await openS3Storage({ ...place, cacheBytes: 5 * mebibyte });
      const [first, second] = [await publish(2 * mebibyte), await publish(2 * mebibyte)];
      await read(first.pack);
      const third = await publish(2 * mebibyte);
      expect(await packsCopied()).toEqual([first.pack, third.pack].sort());
      expect((await read(second.pack)).equals(second.content)).toBe(true);
      const large = await publish(6 * mebibyte);
      expect(await packsCopied()).not.toContain(large.pack);
    });

    it('says that it is unavailable while the store hangs or is gone, and works again afterwards', async () => {
      const key = newKey('file');
      await write(key, 0, bytes(10));
      const gone = openBucket({ ...place, endpoint: 'http://127.0.0.1:9' });
      await expect(gone.put('file', bytes(1))).rejects.toThrow(StorageUnavailable);
      await expect(gone.check()).rejects.toThrow(StorageUnavailable);
      gone.close();
      expect((await read(key)).length).toBe(10);
    });

    it('refuses a bucket that does not exist with what the store says', async () => {
      const nowhere = await openS3Storage({ ...place, bucket: 'nowhere' });
      await expect(nowhere.check()).rejects.toThrow(StorageDenied);
    });
  });
});
