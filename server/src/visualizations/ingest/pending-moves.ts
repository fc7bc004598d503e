import type { Queryable } from '../../database/open.ts';
import type { AddressMove } from './moves-at-end.ts';

/** Keeps the moves of a map that is saved without being made active. They are deleted with it. */
export async function keepMoves(db: Queryable, id: string, moves: readonly AddressMove[]): Promise<void> {
  await db
    .insertInto('pending_moves')
    .values({ visualization_id: id, moves: JSON.stringify(moves) })
    .execute();
}

/** The moves that were kept for a map, once: within a transaction that fails, they stay kept. */
export async function takeMoves(db: Queryable, id: string): Promise<readonly AddressMove[]> {
  const kept = await db
    .deleteFrom('pending_moves')
    .where('visualization_id', '=', id)
    .returning('moves')
    .executeTakeFirst();
  return kept?.moves ?? [];
}
