import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NodeRange, rangesOf } from './json-ranges.ts';

/** A text that a reader could stumble over. */
const text = fc.oneof(
  fc.constantFrom('{', ']', '"', '\\', '\\"', 'children', '\u2028'),
  fc.string({ unit: 'grapheme' }),
);
type Node = { name: string; note: unknown; children?: readonly (Node | string)[] };
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record(
    {
      name: text,
      note: fc.jsonValue({ maxDepth: 2 }),
      children: fc.array(fc.oneof({ maxDepth: 3 }, text, tie('node')), { maxLength: 4 }),
    },
    { requiredKeys: ['name', 'note'] },
  ),
}));

/** What the ranges of a node and all below it hold, beside what they should. */
function pairs(whole: string, one: Node | string, { start, end, children }: NodeRange): [unknown, unknown][] {
  const below = typeof one === 'string' ? [] : (one.children ?? []);
  return [
    [JSON.parse(whole.slice(start, end)), one],
    [children.length, below.length],
    ...below.flatMap((child, at) => pairs(whole, child, children[at]!)),
  ];
}

test('every entry and every node is found, however the text is laid out', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 2 })), node, fc.nat({ max: 3 }), (keywords, hierarchy, indent) => {
      const given = JSON.parse(JSON.stringify({ first: { keywords: 1 }, keywords, hierarchy, last: [1] })) as {
        keywords: unknown[];
        hierarchy: Node;
      };
      const whole = ` ${JSON.stringify(given, undefined, indent)}\n`;
      const { entries, root } = rangesOf(whole);
      expect(entries.map(({ start, end }) => JSON.parse(whole.slice(start, end)))).toEqual(given.keywords);
      for (const [found, expected] of pairs(whole, given.hierarchy, root)) expect(found).toEqual(expected);
    }),
  );
});

test('of members with one name the last counts, names may be escaped, and children are texts and objects', () => {
  const whole =
    '{"keywords":[1],"keywords":["a" , -2.5e3,true],"hier\\u0061rchy":{"children":[1],"children":[null,"k",[2],{"name":"x"}]}}';
  const { entries, root } = rangesOf(whole);
  expect(entries.map(({ start, end }) => whole.slice(start, end))).toEqual(['"a"', '-2.5e3', 'true']);
  expect(root.children.map(({ start, end }) => whole.slice(start, end))).toEqual(['"k"', '{"name":"x"}']);
});
