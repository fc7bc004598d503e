import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newKey, ObjectMissing, type Storage } from '../../src/storage/storage.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The tests that every storage implementation must pass. */
export function storageConforms(name: string, make: () => Promise<{ storage: Storage; dispose(): Promise<void> }>) {
  describe(`a storage on ${name}`, () => {
    let storage: Storage;
    let dispose: () => Promise<void>;
    beforeEach(async () => ({ storage, dispose } = await make()));
    afterEach(() => dispose());

    async function put(key: string, text: string, offset = 0): Promise<void> {
      const appender = await storage.append(key, offset);
      await appender.write(bytes(text));
      await appender.sync();
      await appender.close();
    }
    async function textOf(key: string): Promise<string> {
      const stored = await storage.open(key);
      try {
        return new TextDecoder().decode(await stored.read(0, stored.size));
      } finally {
        await stored.close();
      }
    }
    async function keys(): Promise<string[]> {
      const all: string[] = [];
      for await (const key of storage.list()) all.push(key);
      return all.sort();
    }

    it('gives back what was written', async () => {
      const key = newKey('file');
      await put(key, 'one two');
      expect(await textOf(key)).toBe('one two');
      expect((await storage.stat(key))?.size).toBe(7);
    });

    it('goes on at an offset and cuts off what lay beyond it', async () => {
      const key = newKey('file');
      await put(key, 'one two three');
      await put(key, 'TWO', 4);
      expect(await textOf(key)).toBe('one TWO');
    });

    it('refuses to go on beyond what is stored', async () => {
      const key = newKey('file');
      await put(key, 'one');
      await expect(storage.append(key, 4)).rejects.toThrow(/shorter/);
      expect(await textOf(key)).toBe('one');
    });

    it('counts the bytes written so far', async () => {
      const appender = await storage.append(newKey('file'), 0);
      await appender.write(bytes('abc'));
      await appender.write(bytes('de'));
      expect(appender.size).toBe(5);
      await appender.close();
    });

    it('reads any range and refuses one that leaves the object', async () => {
      const key = newKey('file');
      await put(key, 'abcdef');
      const stored = await storage.open(key);
      expect(new TextDecoder().decode(await stored.read(2, 3))).toBe('cde');
      expect(await stored.read(6, 0)).toHaveLength(0);
      await expect(stored.read(4, 3)).rejects.toThrow(RangeError);
      await expect(stored.read(-1, 2)).rejects.toThrow(RangeError);
      await stored.close();
    });

    it('publishes an object under its final key, replacing what lay there', async () => {
      const [temp, final] = [newKey('temp'), newKey('pack')];
      await put(final, 'old');
      await put(temp, 'new');
      await storage.publish(temp, final);
      expect(await textOf(final)).toBe('new');
      expect(await keys()).toEqual([final]);
    });

    it('lists its objects, removes them, and does not mind removing one twice', async () => {
      const [one, two] = [newKey('file'), newKey('pack')];
      await put(one, '1');
      await put(two, '2');
      expect(await keys()).toEqual([one, two].sort());
      await storage.remove(one);
      await storage.remove(one);
      expect(await keys()).toEqual([two]);
      expect(await storage.stat(one)).toBeUndefined();
      await expect(storage.open(one)).rejects.toThrow(ObjectMissing);
    });

    it('takes no key but its own kind, so that no name can point outside', async () => {
      for (const key of ['../secret', 'file-xyz', 'file-00/../../x', '', '/etc/passwd']) {
        await expect(storage.append(key, 0)).rejects.toThrow(/key/);
        await expect(storage.open(key)).rejects.toThrow(/key/);
      }
    });

    it('has no owner at first, then the last one that was set, and lists none', async () => {
      expect(await storage.owner()).toBeUndefined();
      await storage.setOwner('1'.repeat(32));
      await storage.setOwner('2'.repeat(32));
      expect([await storage.owner(), await keys()]).toEqual(['2'.repeat(32), []]);
    });

    it('knows how much room is left', async () => {
      expect(await storage.freeBytes()).toBeGreaterThan(0);
    });
  });
}
