// Shows SEC-03.
import { expect, test } from 'vitest';
import { mutantsOf, withoutText } from './guard-mutants.ts';
import { changed } from './mutation.ts';

/** The changed line of each mutant of a text. */
const left = (source: string, thorough = false): string[] =>
  mutantsOf('planted.ts', source, thorough).map((mutant) => changed(mutant, source));

test.each([
  ["meta({ who: 'admin' })", "meta({ who: 'approved' })"],
  ["meta({ who: 'signed-in' })", "meta({ who: 'anyone' })"],
  ["scope.get(path, requireRaw('approved'))", "scope.get(path, requireRaw('signed-in'))"],
  ["const door = mayCall('admin', asking);", "const door = mayCall('approved', asking);"],
  ["if (wait > 0) return refuse('x');", "if (false && (wait > 0)) return refuse('x');"],
  ['if (!found) throw notFound();', 'if (false && (!found)) throw notFound();'],
  [
    'if (!ok) {\n  await tell();\n  return refuse(y);\n}',
    'if (false && (!ok)) {\n  await tell();\n  return refuse(y);\n}',
  ],
  ['return admin ? done(true) : refuse(x);', 'return admin || true ? done(true) : refuse(x);'],
  ['return sample ? refuse(x) : done(true);', 'return sample && false ? refuse(x) : done(true);'],
  ['rows.forUpdate().execute();', 'rows.execute();'],
  ["const limit = { name: 'x', uses: 2_000 };", "const limit = { name: 'x', uses: 1e9 };"],
])('%j can become %j', (source, mutant) => {
  expect(left(source)).toEqual([mutant]);
});

test('a required permission can be granted to everybody', () => {
  expect(left('allowed(can(account, action));')).toEqual([
    'allowed(((..._: unknown[]) => ({ ok: true, value: true }) as const)(account, action));',
  ]);
});

test.each([
  'if (busy) log(x);',
  "// if (a) return refuse('x');",
  "const text = 'if (a) return refuse(x)';",
  "meta({ who: 'anyone' })",
  'export function can(actor: Actor): boolean;',
])('%j is not a guard', (source) => {
  expect(left(source)).toEqual([]);
});

test('in a file that is a rule every comparison is inverted, every connective swapped, every condition omitted', () => {
  expect(left('return a === b && !c;', true)).toEqual([
    'return a !== b && !c;',
    'return a === b || !c;',
    'return a === b && c;',
  ]);
  expect(left("db.where('a', '=', f(b)).where('c', 'is', null).run();", true)).toEqual([
    "db.where('c', 'is', null).run();",
    "db.where('a', '=', f(b)).run();",
  ]);
  expect(left('prepared(`where $1 = id and s.ends > $2 and s.gone is null`);', true)).toEqual([
    'prepared(`where $1 = id and s.gone is null`);',
    'prepared(`where $1 = id and s.ends > $2`);',
  ]);
});

test('comments, quoted texts and regular expressions are not code, and positions stay the same', () => {
  const source = "a(/'[(]/, 'it\\'s', `x y`); // (\n/* ( */ b();";
  expect(withoutText(source)).toHaveLength(source.length);
  expect(withoutText(source).replace(/ +/g, ' ').trim()).toBe('a(______, _______, _____); \n b();');
});

test('a mutant of a source that has changed meanwhile is rejected', () => {
  const [mutant] = mutantsOf('planted.ts', "requireRaw('admin')", false);
  expect(() => changed(mutant!, "  requireRaw('admin')")).toThrow('planted.ts is not what it was');
});
