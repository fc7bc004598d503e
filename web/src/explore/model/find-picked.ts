import type { Picked } from './picked.ts';
import type { ExplorerSource } from './source.ts';

/** Lookups at a time. */
const atOnce = 8;

/**
 * Rows of flat lists picked one by one, by their IDs. Those that this upload does not have are left out.
 *
 * @param filter of the screen
 * @throws what a lookup throws
 */
export async function findPicked(
  { locate }: Pick<ExplorerSource, 'locate'>,
  addresses: readonly string[],
  filter: string,
): Promise<Picked> {
  const rows = new Map<number, string>();
  for (let from = 0; from < addresses.length; from += atOnce) {
    const some = addresses.slice(from, from + atOnce);
    const found = await Promise.all(some.map((address) => locate(address, '')));
    for (const [at, { path, gone }] of found.entries()) {
      const node = path.at(-1);
      if (node !== undefined && gone === undefined) rows.set(node, some[at]!);
    }
  }
  return { filter, under: filter, all: undefined, rows };
}
