import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OriginalFields } from './fields-of-file.tsx';

const shown = (value: unknown, member = 'a') => renderToStaticMarkup(<OriginalFields fields={{ [member]: value }} />);

test('empty values are unknown, and 0 is 0', () => {
  for (const open of [null, undefined, '', []]) expect(shown(open)).toContain('unknown');
  expect(shown(0)).toContain('<bdi>0</bdi>');
});

test('a trend of twelve numbers is a line, two numbers are a list', () => {
  const trend = [1, 0.82, 0.82, 0.82, 0.44, 0.44, 0.82, 0.82, 0.55, 0.65, 0.55, 0.82];
  expect(shown(trend)).toContain(`aria-label="a: ${trend.join(', ')}"`);
  expect(shown([1, 2])).toMatch(/<li[^>]*>1<\/li><li[^>]*>2<\/li>/);
});

test('texts, lists and objects keep their content', () => {
  expect(shown('<b>shoes</b>')).toContain('&lt;b&gt;shoes&lt;/b&gt;');
  expect(shown(['Video', 'Video'])).toMatch(/<li[^>]*>Video<\/li><li[^>]*>Video<\/li>/);
  expect(shown({ a: [1] })).toMatch(/<pre[^>]*>{\n {2}&quot;a&quot;: \[\n {4}1\n {2}]\n}<\/pre>/);
  expect(shown(true)).toContain('yes');
});

test('only web addresses become links', () => {
  expect(shown('https://example.com/a')).toContain('href="https://example.com/a"');
  expect(shown('javascript:alert(1)')).not.toContain('href');
});

test('a label is the member name in words', () => {
  expect(shown(1, 'search_volume')).toContain('>search volume<');
  expect(shown(1, '_')).toContain('>_<');
});
