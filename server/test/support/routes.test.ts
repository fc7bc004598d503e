import { expect, test } from 'vitest';
import { expectations, listed, nameOf, routes } from './routes.ts';

test('SEC-02 the expectations cover every route, and no other', () => {
  const said = Object.entries(expectations).map(([name, { who }]) => [name, who]);
  const there = listed.map((route) => [nameOf(route), route.who]);
  expect(said.toSorted()).toEqual(there.toSorted());
});

test('SEC-02 the kind of object is defined for every route that takes an ID', () => {
  const naming = routes.filter(({ path }) => path.includes('{id}')).map(nameOf);
  expect(naming.filter((name) => expectations[name]?.names === undefined)).toEqual([]);
});
