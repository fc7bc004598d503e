import { packFormatVersion } from '@kc/pack/format/pack-format';
import type { Queryable } from '../../database/open.ts';
import { listOthers, type VisualizationRecord } from '../queries.ts';
import type { PackQueries } from './pack-queries.ts';

/** How many earlier uploads are searched. Each one means opening a pack. */
const maxOthers = 5;

/**
 * Resolves a link to a node that this visualization does not contain. If another visualization of the same user has the
 * node, its path is known, and the result is its deepest ancestor that still exists here. A user who may see one of a
 * user's visualizations may see the others.
 *
 * @returns the path to that ancestor, root first, and the name of the missing node; `undefined` if no visualization has
 * the node
 */
export async function locateGone(
  db: Queryable,
  packQueries: PackQueries,
  record: Pick<VisualizationRecord, 'id' | 'user_id' | 'pack_key'>,
  address: string,
): Promise<{ path: number[]; gone: string } | undefined> {
  for (const { pack_key } of await listOthers(db, record, packFormatVersion, maxOthers)) {
    const places = await packQueries.placesTo({ packKey: pack_key, address });
    const gone = places?.at(-1)?.name;
    if (!places || gone === undefined) continue;
    const path = await packQueries.locate({
      packKey: record.pack_key,
      addresses: places.map((place) => place.address),
    });
    return path && { path, gone };
  }
  return undefined;
}
