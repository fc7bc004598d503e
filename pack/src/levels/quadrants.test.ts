import { expect, test } from 'vitest';
import { quadrantOf, quadrantPlaces } from './quadrants.ts';

test.each([
  ['difficulty', 'volume', 'upperLeft'],
  ['field:competition', 'volume', 'upperLeft'],
  ['volume', 'cpc', 'upperRight'],
  ['volume', 'difficulty', 'lowerRight'],
])('with %s across and %s upwards, a value equal to both thresholds is %s: on the good side of each', (x, y, place) => {
  expect(quadrantPlaces[quadrantOf({ x, y }, { x: 5, y: 5 }, 5, 5)]).toBe(place);
});
