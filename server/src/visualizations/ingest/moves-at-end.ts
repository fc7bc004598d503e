import type { Queryable } from '../../database/open.ts';

/** A branch of an earlier map that has moved: its address there, and the one it has now. */
export type AddressMove = readonly [before: string, after: string];

/** Bytes that are kept of the end of a file: room for some 50,000 moves. */
const keptBytes = 2 * 2 ** 20;

/** Keeps the end of a file that is read in blocks. */
export class FileEnd {
  #blocks: Uint8Array[] = [];
  #bytes = 0;

  push(block: Uint8Array): void {
    this.#blocks.push(block);
    this.#bytes += block.length;
    while (this.#bytes - this.#blocks[0]!.length >= keptBytes) this.#bytes -= this.#blocks.shift()!.length;
  }

  /**
   * The moves at the end of a map, where published drafts have them: `clustering.moves`, the last member of the last
   * member. None if something else is there, or if they are longer than the kept bytes.
   */
  moves(): AddressMove[] {
    const text = Buffer.concat(this.#blocks).toString('latin1');
    const start = text.lastIndexOf('"moves"');
    const found = start < 0 ? null : /^"moves"\s*:([^{}]*)\}\s*\}\s*$/u.exec(text.slice(start));
    if (!found) return [];
    try {
      const moves: unknown = JSON.parse(found[1]!);
      return Array.isArray(moves) && moves.every(isMove) ? moves : [];
    } catch {
      return [];
    }
  }
}

const isMove = (one: unknown): one is AddressMove =>
  Array.isArray(one) &&
  one.length === 2 &&
  one.every((address) => typeof address === 'string' && /^[0-9a-f]{16}$/.test(address));

/** Keeps the moves of a map that is saved without being made active. They are deleted with it. */
export async function keepMoves(db: Queryable, id: string, moves: readonly AddressMove[]): Promise<void> {
  await db
    .insertInto('pending_moves')
    .values({ visualization_id: id, moves: JSON.stringify(moves) })
    .execute();
}

/** Deletes and returns the saved moves of a map. If the transaction fails, they stay saved. */
export async function takeMoves(db: Queryable, id: string): Promise<readonly AddressMove[]> {
  const row = await db
    .deleteFrom('pending_moves')
    .where('visualization_id', '=', id)
    .returning('moves')
    .executeTakeFirst();
  return row?.moves ?? [];
}
