import { expect, test } from 'vitest';
import { expectations, listed, nameOf, routes } from './routes.ts';

test('SEC-02 what is expected is said of every route, and of no other', () => {
  const said = Object.entries(expectations).map(([name, { who }]) => [name, who]);
  expect(said).toEqual(listed.map((route) => [nameOf(route), route.who]));
});

test('SEC-02 of every route that names a thing it is said what kind of thing', () => {
  const naming = routes.filter(({ path }) => path.includes('{id}')).map(nameOf);
  expect(naming.filter((name) => expectations[name]?.names === undefined)).toEqual([]);
});
