import {
  type Appender,
  isKey,
  ObjectMissing,
  type Storage,
  StorageFull,
  type StoredBytes,
} from '../../src/storage/storage.ts';

/** In-memory storage for tests, with room for `capacity` bytes. */
export function createMemoryStorage(capacity = Number.POSITIVE_INFINITY): Storage {
  const objects = new Map<string, { bytes: Uint8Array; modifiedAt: number }>();
  const get = (key: string) => {
    const found = objects.get(checked(key));
    if (!found) throw new ObjectMissing(key);
    return found;
  };
  let owner: string | undefined;
  const used = (): number => [...objects.values()].reduce((sum, object) => sum + object.bytes.length, 0);
  const write = (key: string, bytes: Uint8Array): void => {
    const before = get(key).bytes;
    if (used() + bytes.length > capacity) throw new StorageFull();
    const joined = new Uint8Array(before.length + bytes.length);
    joined.set(before);
    joined.set(bytes, before.length);
    objects.set(key, { bytes: joined, modifiedAt: Date.now() });
  };
  return {
    place: { kind: 'memory' },
    async append(key, offset): Promise<Appender> {
      const before = offset === 0 ? new Uint8Array() : get(key).bytes;
      if (before.length < offset) throw new Error('The stored object is shorter than what was acknowledged');
      objects.set(checked(key), { bytes: before.slice(0, offset), modifiedAt: Date.now() });
      return {
        get size() {
          return get(key).bytes.length;
        },
        write: async (bytes) => write(key, bytes),
        sync: () => Promise.resolve(),
        close: () => Promise.resolve(),
      };
    },
    async open(key): Promise<StoredBytes> {
      const { bytes } = get(key);
      return {
        size: bytes.length,
        async read(offset, length) {
          if (offset < 0 || length < 0 || offset + length > bytes.length)
            throw new RangeError('Read outside the object');
          return bytes.slice(offset, offset + length);
        },
        close: () => Promise.resolve(),
      };
    },
    async publish(from, to) {
      objects.set(checked(to), get(from));
      objects.delete(from);
    },
    async remove(key) {
      objects.delete(checked(key));
    },
    async stat(key) {
      const found = objects.get(checked(key));
      return found && { size: found.bytes.length, modifiedAt: found.modifiedAt };
    },
    async *list() {
      yield* [...objects.keys()];
    },
    now: async () => Date.now(),
    tidy: () => Promise.resolve(),
    owner: async () => owner,
    async setOwner(identity) {
      owner = identity;
    },
    check: () => Promise.resolve(),
    freeBytes: async () => capacity - used(),
    freeForWork: async () => capacity - used(),
  };
}

function checked(key: string): string {
  if (!isKey(key)) throw new Error('Not a storage key');
  return key;
}
