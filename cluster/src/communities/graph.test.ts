import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphOf } from './graph.ts';

test('a graph holds the larger weight of each pair, at both ends', () => {
  const edge = fc.tuple(fc.nat(7), fc.nat(7), fc.integer({ min: -2, max: 8 }));
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 60 }), (edges) => {
      const expected = new Map<string, number>();
      for (const [from, to, weight] of edges) {
        if (from === to || weight <= 0) continue;
        for (const pair of [`${from}-${to}`, `${to}-${from}`])
          expected.set(pair, Math.max(weight, expected.get(pair) ?? 0));
      }
      const graph = graphOf(8, {
        from: Uint32Array.from(edges, ([from]) => from),
        to: Uint32Array.from(edges, ([, to]) => to),
        weight: Float32Array.from(edges, ([, , weight]) => weight),
      });
      const held = new Map<string, number>();
      for (let node = 0; node < 8; node++)
        for (let at = graph.offset[node]!; at < graph.offset[node + 1]!; at++)
          held.set(`${node}-${graph.to[at]}`, graph.weight[at]!);
      expect(held).toEqual(expected);
      expect(graph.to).toHaveLength(expected.size);
    }),
  );
});
