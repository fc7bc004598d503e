import type { Graph } from './graph.ts';
import type { Numbered, Partition } from './partition.ts';

/**
 * Divides communities that are not connected into their connected parts.
 *
 * @param communities of each node; without them, all nodes are one community
 */
export function connectedParts(graph: Pick<Graph, 'offset' | 'to'>, communities?: Partition): Numbered {
  const { offset, to } = graph;
  const of: Partition = new Int32Array(offset.length - 1).fill(-1);
  const stack = new Uint32Array(of.length);
  let count = 0;
  for (let start = 0; start < of.length; start++) {
    if (of[start] !== -1) continue;
    of[start] = count;
    stack[0] = start;
    for (let height = 1; height > 0; ) {
      const node = stack[--height]!;
      for (let at = offset[node]!; at < offset[node + 1]!; at++) {
        const other = to[at]!;
        if (of[other] !== -1 || (communities && communities[other] !== communities[node])) continue;
        of[other] = count;
        stack[height++] = other;
      }
    }
    count++;
  }
  return { of, count };
}
