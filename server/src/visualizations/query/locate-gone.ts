import { packFormatVersion } from '@kc/pack/format/pack-format';
import type { Queryable } from '../../database/open.ts';
import { listOthers, type VisualizationRecord } from '../queries.ts';
import type { PackQueries } from './pack-queries.ts';

/** Uploads further back than this are not looked through: each is a pack to open. */
const mostOthers = 5;

/**
 * Where a link leads that names a node which is not in this visualization: another of the same person has the node, so
 * its path is known, and the deepest of its ancestors that is still here is the place. Who may see the one may see the
 * others.
 *
 * @returns the path to that ancestor, root first, and the name of the node that is gone; `undefined` when nobody knows it
 */
export async function locateGone(
  db: Queryable,
  packQueries: PackQueries,
  record: Pick<VisualizationRecord, 'id' | 'user_id' | 'pack_key'>,
  address: string,
): Promise<{ path: number[]; gone: string } | undefined> {
  for (const { pack_key } of await listOthers(db, record, packFormatVersion, mostOthers)) {
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
