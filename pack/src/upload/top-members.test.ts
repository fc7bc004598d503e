import { expect, test } from 'vitest';
import { createUploadReader } from './upload-reader.ts';

function refusalOf(text: string): string | undefined {
  const reader = createUploadReader({ check: true });
  reader.push(new TextEncoder().encode(text));
  const result = reader.finish();
  return result.ok ? undefined : result.problem.what;
}

// Shows P10.18.
test.each(['data', 'results', 'items', 'nodes'])('a file with the tree in "%s" is rejected with advice', (name) => {
  const how = `no "hierarchy" in the file (put what is in "${name}" into { "hierarchy": { "name": …, "children": [ … ] } })`;
  expect(refusalOf(`{"${name}":[{"name":"p","children":[]}]}`)).toBe(how);
  expect(refusalOf(`{"note":1,"${name}":{},"tree":[],"keywords":[]}`)).toBe(how);
  expect(refusalOf(`{"${name}":[],"hierarchy":{"name":"r"}}`)).toBeUndefined();
});

// Shows P10.18.
test('a file that is one node is rejected with advice', () => {
  const how = 'no "hierarchy" in the file (it looks like one node: put it into { "hierarchy": … })';
  expect(refusalOf('{"name":"p","children":["a"]}')).toBe(how);
});

test('any other file without a hierarchy is rejected without a guess', () => {
  expect(refusalOf('{"keywords":["a"],"note":1}')).toBe('no "hierarchy" in the file');
});
