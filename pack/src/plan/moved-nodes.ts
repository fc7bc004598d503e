import type { MovedAddress } from './moved-keywords.ts';
import type { NodeFacts } from './node-facts.ts';
import { type NodePath, pathAddresses } from './node-paths.ts';

/**
 * The nodes that what was at some paths has in a new map: of a moved branch, where it is now; of what was in one, the same
 * path below it. `undefined` for what did not move, and for what is no longer in the branch.
 *
 * @param moves of branches
 * @param factsOf the facts about the nodes of the new map with some addresses
 * @returns as many as there are paths, in their order
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
