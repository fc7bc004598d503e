import { expect, test } from 'vitest';
import { FieldColumns } from './field-columns.ts';
import { createUploadReader } from './upload-reader.ts';
import type { UploadField } from './upload-tables.ts';

/** The columns of a file whose keywords have these values of one member. */
function columnsOf(name: string, values: readonly unknown[], root = {}) {
  const columns = new FieldColumns();
  const reader = createUploadReader({ extras: columns.extras });
  const keywords = values.map((value, at) => ({ keyword: `k${at}`, ...(value !== undefined && { [name]: value }) }));
  reader.push(new TextEncoder().encode(JSON.stringify({ keywords, hierarchy: { name: 'root', ...root } })));
  const result = reader.finish();
  if (!result.ok) throw new Error(result.problem.what);
  return columns.finish(result.tables.nodes.rows, result.tables.keywords.rows);
}

/** The value of each row of a category. */
const valuesOf = (field: UploadField | undefined): (string | undefined)[] =>
  field?.kind === 'category' ? Array.from(field.keywords!, (code) => field.values[code]) : [];
const titlesOf = ({ fields }: ReturnType<typeof columnsOf>) => fields.map(({ name }) => name);

// Shows P15.15.
test.each(['URL', 'url', 'Current URL', 'Page', 'Top pages', 'Top page', 'Landing page', 'blog_url', 'target_url'])(
  'a URL under the name %s is a category, as are its directory and its host',
  (name) => {
    const found = columnsOf(name, [
      'https://Shop.example/trail/mud?x=1',
      'https://shop.example/trail/',
      'http://blog.example/posts/about#team',
      'http://blog.example/',
      undefined,
      'n/a',
      'https://shop.example/trail/mud?x=1',
    ]);
    expect(titlesOf(found)).toEqual([name, `${name} (directory)`, `${name} (host)`]);
    const [whole, directory, host] = found.fields;
    expect(valuesOf(whole)).toEqual([
      'https://Shop.example/trail/mud?x=1',
      'https://shop.example/trail/',
      'http://blog.example/posts/about#team',
      'http://blog.example/',
      '',
      '',
      'https://shop.example/trail/mud?x=1',
    ]);
    const trail = 'shop.example/trail/';
    expect(found.withheld).toEqual([]);
    expect(valuesOf(host)).toEqual([
      'shop.example',
      'shop.example',
      'blog.example',
      'blog.example',
      '',
      '',
      'shop.example',
    ]);
    expect(valuesOf(directory)).toEqual([trail, trail, 'blog.example/posts/', 'blog.example/', '', '', trail]);
  },
);

test('directories of a single host are named by their paths alone', () => {
  const found = columnsOf(
    'URL',
    ['/a/1', '/a/2', '/b/1', '/c', 'shop.example/x'].map((path) => path),
  );
  expect(titlesOf(found)).toContain('URL (directory)');
  const one = columnsOf('URL', [
    'https://x.example/a/1',
    'https://x.example/a/2',
    'https://x.example/b/1',
    'https://x.example/c',
  ]);
  expect(titlesOf(one)).toEqual(['URL', 'URL (directory)']);
  expect(valuesOf(one.fields[1])).toEqual(['/a/', '/a/', '/b/', '/']);
});

// Shows P15.15.
test('if a category has too many URLs only directories remain, and a notice says so', () => {
  const pages = Array.from({ length: 10_000 }, (_, at) => `https://shop.example/s${at % 30}/page-${at}`);
  const found = columnsOf('Page', pages);
  expect(found.withheld).toEqual([{ name: 'Page', why: 'values' }]);
  expect(titlesOf(found)).toEqual(['Page (directory)']);
  expect(valuesOf(found.fields[0]).slice(28, 32)).toEqual(['/s28/', '/s29/', '/s0/', '/s1/']);
  expect((found.fields[0] as unknown as { values: unknown[] }).values).toHaveLength(31);

  const hosts = Array.from({ length: 10_000 }, (_, at) => `https://h${at % 40}.example/s${at}/`);
  expect(titlesOf(columnsOf('URL', hosts))).toEqual(['URL (host)']);
  const strangers = Array.from({ length: 300 }, (_, at) => `https://h${at}.example/`);
  expect(columnsOf('URL', strangers)).toEqual({ fields: [], withheld: [{ name: 'URL', why: 'values' }] });
});

test('a part that adds nothing to a coarser one is omitted', () => {
  const found = columnsOf('URL', ['https://x.example/1', 'https://x.example/2', 'https://y.example/3']);
  expect(titlesOf(found)).toEqual(['URL', 'URL (host)']);
});

test('a very long URL counts by its directory', () => {
  const found = columnsOf('URL', [`https://x.example/a/${'b'.repeat(600)}`, 'https://x.example/c/d']);
  expect(found.withheld).toEqual([{ name: 'URL', why: 'long' }]);
  expect(valuesOf(found.fields[0])).toEqual(['/a/', '/c/']);
});

test('a page that names a cluster is an ordinary category', () => {
  const found = columnsOf('Page', ['trail shoes', 'road shoes', 'trail shoes']);
  expect(titlesOf(found)).toEqual(['Page']);
  expect(valuesOf(found.fields[0])).toEqual(['trail shoes', 'road shoes', 'trail shoes']);
});

test('URLs take 5 bytes per row, even if 200,000 differ', () => {
  const columns = new FieldColumns();
  const { keywords } = columns.extras;
  const field = keywords!.field('URL');
  const rows = 200_000;
  for (let row = 0; row < rows; row++) {
    const bytes = new TextEncoder().encode(`https://shop.example/d${row % 9}/${row}`);
    keywords!.text(field, row, bytes, 0, bytes.length);
  }
  expect(columns.bytes).toBeLessThanOrEqual(5 * (rows + 4096));
});
