import { noPause, type Pause } from '../format/in-pieces.ts';
import { childrenOf, placesAt } from '../format/locate.ts';
import { namesAt } from '../format/names-at.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { createPathHash, formatAddress, parseAddress } from '../names/path-hash.ts';
import type { NodeFacts } from './node-facts.ts';
import { type NodePath, pathAddresses } from './node-paths.ts';

/**
 * Finds the nodes at some paths again after branches were moved. A node in a moved branch is sought at the same path below the new place of
 * the branch.
 *
 * @param moves the addresses of moved branches
 * @param factsOf returns the facts about the nodes of the new map with some addresses
 * @returns one element per path: `undefined` if it is in no moved branch, or is no longer in it
 */
export async function movedNodes(
  paths: readonly NodePath[],
  moves: readonly MovedAddress[],
  rootName: string,
  factsOf: (addresses: readonly string[]) => Promise<NodeFacts[]>,
): Promise<(NodeFacts | undefined)[]> {
  const addressOf = pathAddresses(rootName);
  const movedTo = new Map(moves);
  const found = paths.map((path) => {
    for (let length = path.length; length > 0; length--) {
      const branch = movedTo.get(addressOf(path.slice(0, length)));
      if (branch !== undefined) return { branch, rest: path.slice(length) };
    }
    return undefined;
  });
  const branches = await factsAt(found.flatMap((one) => one?.branch ?? []));
  const addresses = found.map((one) => {
    const node = one && branches.get(one.branch);
    return node && (one.rest.length === 0 ? one.branch : addressOf([...node.path, ...one.rest]));
  });
  const inside = await factsAt(addresses.flatMap((one) => (one === undefined || branches.has(one) ? [] : [one])));
  return addresses.map((one) => (one === undefined ? undefined : (branches.get(one) ?? inside.get(one))));

  async function factsAt(wanted: readonly string[]): Promise<Map<string, NodeFacts>> {
    if (wanted.length === 0) return new Map();
    return new Map((await factsOf([...new Set(wanted)])).map((node) => [node.address, node]));
  }
}

/** The addresses of a node before and after a move. */
export type MovedAddress = readonly [before: string, after: string];

const encoder = new TextEncoder();

/**
 * The moves of the keywords directly below moved branches. Their earlier addresses need not be stored: an address follows from that of the
 * branch and the name.
 *
 * @param moves the moves of branches to their addresses in this pack
 * @param wanted the earlier addresses of the keywords to find
 */
export async function movedKeywords(
  pack: PackReader,
  moves: readonly MovedAddress[],
  wanted: ReadonlySet<string>,
  pause: Pause = noPause,
): Promise<MovedAddress[]> {
  const hash = createPathHash();
  const found: MovedAddress[] = [];
  const rows = await placesAt(
    pack,
    moves.map(([, after]) => after),
    pause,
  );
  for (const [before, after] of moves) {
    const [from, to, row] = [parseAddress(before), parseAddress(after), rows.get(after)];
    if (!from || !to || row === undefined || found.length === wanted.size) continue;
    await pause();
    const keywords = await leavesBelow(pack, row);
    const names = await namesAt(pack, keywords);
    const halves = await pack.gather('address', keywords);
    names.forEach((name, at) => {
      const bytes = encoder.encode(name);
      // At most two siblings have the same name: a topic and a keyword.
      for (const ordinal of [0, 1]) {
        const [low, high] = hash(to.high, to.low, ordinal, bytes, 0, bytes.length);
        if (low !== halves[2 * at] || high !== halves[2 * at + 1]) continue;
        const now = formatAddress(high!, low!);
        const [lowBefore, highBefore] = hash(from.high, from.low, ordinal, bytes, 0, bytes.length);
        const then = formatAddress(highBefore!, lowBefore!);
        if (wanted.has(then)) found.push([then, now]);
      }
    });
  }
  return found;
}

async function leavesBelow(pack: PackReader, row: number): Promise<Uint32Array> {
  const { start, end } = await childrenOf(pack, row);
  const children = Uint32Array.from({ length: end - start }, (_, nth) => start + nth);
  const branches = await pack.branchesOf(children);
  return children.filter((_, at) => branches[at] === noRow);
}
