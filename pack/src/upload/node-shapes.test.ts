import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everyLoop } from '../../test/support/tokenizers.ts';
import type { UploadLoop } from './name-loop.ts';
import { createUploadReader } from './upload-reader.ts';
import { metricNames } from './upload-tables.ts';

const loops = everyLoop(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)));

/** The rows of a hierarchy: name, parent row, volume. */
function rowsOf(hierarchy: string, loop: UploadLoop, step: number) {
  const bytes = new TextEncoder().encode(`{"hierarchy":${hierarchy},"keywords":[]}`);
  const reader = createUploadReader({ loop });
  const check = createUploadReader({ check: true });
  for (let at = 0; at < bytes.length; at += step) {
    reader.push(bytes.slice(at, at + step));
    check.push(bytes.slice(at, at + step));
  }
  const result = reader.finish();
  const checked = check.finish();
  if (!result.ok) {
    expect(checked).toEqual(result);
    return result.problem.what;
  }
  const { nodes } = result.tables;
  expect(check.progress.nodes).toBe(nodes.rows);
  const nameOf = (row: number) =>
    new TextDecoder().decode(
      nodes.names.subarray(nodes.nameStart[row]!, nodes.nameStart[row]! + nodes.nameLength[row]!),
    );
  expect(check.outline().rootName).toBe(nameOf(0));
  const { volume } = nodes.metrics;
  return Array.from({ length: nodes.rows }, (_, row) => [nameOf(row), nodes.parent[row], volume?.[row] ?? Number.NaN]);
}

const unknown = Number.NaN;

describe.each(loops)('nodes read by $name', ({ loop }) => {
  test.each<readonly [string, string, string | (readonly [string, number, number])[]]>([
    [
      'a list of keywords is children',
      '{"name":"r","children":[{"name":"c","keywords":[{"keyword":"a","volume":5},"b"]}]}',
      [
        ['r', 0, unknown],
        ['c', 0, unknown],
        ['a', 1, 5],
        ['b', 1, unknown],
      ],
    ],
    [
      'children and keywords are listed side by side, in either order',
      '{"keywords":[{"Keyword":"a"}],"children":[{"name":"c","children":["d"],"volume":7,"keywords":["e"]}],"name":"r"}',
      [
        ['r', 0, unknown],
        ['a', 0, unknown],
        ['c', 0, 7],
        ['d', 2, unknown],
        ['e', 2, unknown],
      ],
    ],
    [
      'a child has its name under any spelling of a keyword',
      '{"query":"r","children":[{"keyword":"a","search_volume":3},{"kw":"b"},{"Keyword":7},{"term":"d","keyword":"e"}]}',
      [
        ['r', 0, unknown],
        ['a', 0, 3],
        ['b', 0, unknown],
        ['7', 0, unknown],
        ['e', 0, unknown],
      ],
    ],
    [
      'a name is preferred to a keyword, before and after it',
      '{"name":"r","keyword":"x","children":[{"keyword":"x","name":"a"},{"name":"b","keyword":"x"},{"name":"","kw":"c"}]}',
      [
        ['r', 0, unknown],
        ['a', 0, unknown],
        ['b', 0, unknown],
        ['c', 0, unknown],
      ],
    ],
    [
      'keywords of a node that are no list are passed over',
      '{"name":"r","keywords":12,"children":[{"name":"a","keywords":"x, y"},{"name":"b","keywords":{"name":"z"}},{"name":"c","keywords":null,"keyword":{}}]}',
      [
        ['r', 0, unknown],
        ['a', 0, unknown],
        ['b', 0, unknown],
        ['c', 0, unknown],
      ],
    ],
    ['a node without any name is refused', '{"name":"r","keywords":[{"volume":5}]}', 'a node without a name'],
    ['a name of another kind is refused', '{"name":{},"keyword":"a"}', 'a name that is not text'],
    ['two lists of keywords are refused', '{"name":"r","keywords":[],"keywords":[]}', '"keywords" twice in one node'],
    ['a root whose name is empty is refused', '{"keyword":""}', 'a node without a name'],
  ])('%s', (_, hierarchy, rows) => {
    for (const step of [1000, 7, 1]) expect(rowsOf(hierarchy, loop, step)).toEqual(rows);
  });

  test('an object of intents has a flag for each intent', () => {
    const entries = [
      '{"Intent":"I"}',
      '{"intent":{"Informational":true,"navigational":false,"is_commercial":1,"T":"yes","other":true,"x":{"i":true}}}',
      '{"intent":{"name":"informational","keyword":"not this"},"keyword":"k"}',
      '{"intent":{"informational":0.9}}',
    ];
    const reader = createUploadReader({ loop });
    const node = '{"name":"r","intent":{"Navigational":true},"children":["a"]}';
    reader.push(new TextEncoder().encode(`{"keywords":[${entries.join()}],"hierarchy":${node}}`));
    const result = reader.finish();
    if (!result.ok) throw new Error(result.problem.what);
    const { keywords, nodes } = result.tables;
    expect(metricNames.filter((name) => keywords.metrics[name])).toEqual(['intent']);
    expect([...keywords.metrics.intent!]).toEqual([1, 13, 0, 0]);
    expect([...keywords.nameLength]).toEqual([0, 0, 1, 0]);
    expect([...nodes.metrics.intent!]).toEqual([2, 0]);
  });
});
