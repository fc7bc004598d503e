import { pathTo } from '../format/locate.ts';
import { namesAt } from '../format/names-at.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { normalForm } from '../names/normal-form.ts';
import { createPathHash, formatAddress } from '../names/path-hash.ts';

/** A step of a path: a name in NFC, and its ordinal among siblings with the same name, from 0 in document order. */
type PathStep = readonly [name: string, ordinal: number];
/** The steps from below the root to a node. The name of the root is not part of it, because it may differ in another upload. */
export type NodePath = readonly PathStep[];

const encoder = new TextEncoder();
/** The ordinal of a node is found by trying. No list has as many siblings of one name as this. */
const maxOrdinal = 2 ** 20;

/** The node ID of a path below a root. */
export const addressOf = (rootName: string, path: NodePath): string => pathAddresses(rootName)(path);

type Hashed = { readonly low: number; readonly high: number; readonly below: Map<string, Map<number, Hashed>> };

/** {@link addressOf} for many paths: common beginnings are hashed once. */
export function pathAddresses(rootName: string): (path: NodePath) => string {
  const hash = createPathHash();
  const [low, high] = step(hash, 0, 0, 0, rootName);
  const root: Hashed = { low, high, below: new Map() };
  return (path) => {
    let at = root;
    for (const [name, ordinal] of path) {
      const ofName = at.below.get(name) ?? new Map<number, Hashed>();
      at.below.set(name, ofName);
      let next = ofName.get(ordinal);
      if (!next) {
        const [low, high] = step(hash, at.high, at.low, ordinal, name);
        next = { low, high, below: new Map() };
        ofName.set(ordinal, next);
      }
      at = next;
    }
    return formatAddress(at.high, at.low);
  };
}

/** The path of a node. @throws RangeError if the row is not a node */
export async function pathOf(pack: PackReader, row: number): Promise<NodePath> {
  const rows = await pathTo(pack, row);
  const names = await namesAt(pack, rows);
  const halves = await pack.gather('address', rows);
  const hash = createPathHash();
  return Array.from(rows.subarray(1), (_, index): PathStep => {
    const at = index + 1;
    const name = normalForm(names[at]!, 'NFC');
    for (let ordinal = 0; ordinal < maxOrdinal; ordinal++) {
      const [low, high] = step(hash, halves[2 * at - 1]!, halves[2 * at - 2]!, ordinal, name);
      if (low === halves[2 * at] && high === halves[2 * at + 1]) return [name, ordinal];
    }
    throw new Error(`Row ${row} has an ID that is not of its name`);
  });
}

function step(
  hash: ReturnType<typeof createPathHash>,
  parentHigh: number,
  parentLow: number,
  ordinal: number,
  name: string,
): readonly [low: number, high: number] {
  const bytes = encoder.encode(name);
  const [low, high] = hash(parentHigh, parentLow, ordinal, bytes, 0, bytes.length);
  return [low!, high!];
}
