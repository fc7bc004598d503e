import type { Graph } from './graph.ts';

/** The community of each node. */
export type Partition = Int32Array;

/** A partition whose communities are numbered from 0 in the order of their first nodes. */
export type Numbered = { readonly of: Partition; readonly count: number };

/**
 * A graph whose nodes may stand for several nodes of the graph that is divided. Putting `a` and `b` into one community is
 * worth the weight between them minus `penalty * mass[a] * mass[b]`.
 */
export type Level = Omit<Graph, 'weight'> & {
  readonly weight: Float32Array | Float64Array;
  readonly mass: Float64Array;
  readonly penalty: number;
};

export function renumbered(partition: Partition): Numbered {
  const numbers = new Int32Array(partition.length).fill(-1);
  let count = 0;
  const of = partition.map((community) => {
    if (numbers[community] === -1) numbers[community] = count++;
    return numbers[community]!;
  });
  return { of, count };
}

/** The members of each community: those of `c` are `node[offset[c]] … node[offset[c + 1] - 1]`, in order. */
export function membersOf({ of, count }: { readonly of: Int32Array | Uint32Array; readonly count: number }): {
  readonly offset: Uint32Array;
  readonly node: Uint32Array;
} {
  const offset = new Uint32Array(count + 1);
  for (const community of of) offset[community + 1]!++;
  for (let community = 0; community < count; community++) offset[community + 1]! += offset[community]!;
  const next = offset.slice(0, count);
  const node = new Uint32Array(of.length);
  for (let index = 0; index < of.length; index++) node[next[of[index]!]!++] = index;
  return { offset, node };
}

/** Merges each part of a partition into one node. The weight inside a part no longer matters and is dropped. */
export function merged(level: Level, parts: Numbered): Level {
  const members = membersOf(parts);
  const mass = new Float64Array(parts.count);
  const offset = new Uint32Array(parts.count + 1);
  /** For each part, the last part whose edge to it was counted. */
  const seenFrom = new Int32Array(parts.count).fill(-1);
  // Edges are counted first: rows with room for all of them would take several times the memory.
  for (let part = 0, end = 0; part < parts.count; part++) {
    seenFrom[part] = part;
    for (let member = members.offset[part]!; member < members.offset[part + 1]!; member++) {
      const node = members.node[member]!;
      mass[part]! += level.mass[node]!;
      for (let at = level.offset[node]!; at < level.offset[node + 1]!; at++) {
        const other = parts.of[level.to[at]!]!;
        if (seenFrom[other] === part) continue;
        seenFrom[other] = part;
        end++;
      }
    }
    offset[part + 1] = end;
  }
  const to = new Uint32Array(offset[parts.count]!);
  const weight = new Float64Array(to.length);
  /** Where each part stands in the row that is being built. A place before that row's start is left over from an earlier row. */
  const place = seenFrom.fill(-1);
  for (let part = 0; part < parts.count; part++) {
    const first = offset[part]!;
    let end = first;
    for (let member = members.offset[part]!; member < members.offset[part + 1]!; member++) {
      const node = members.node[member]!;
      for (let at = level.offset[node]!; at < level.offset[node + 1]!; at++) {
        const other = parts.of[level.to[at]!]!;
        if (other === part) continue;
        if (place[other]! < first) {
          place[other] = end;
          to[end++] = other;
        }
        weight[place[other]!]! += level.weight[at]!;
      }
    }
  }
  return { offset, to, weight, mass, penalty: level.penalty };
}

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
