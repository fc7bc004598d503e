// Shows SEC-46.
import { expect, test } from 'vitest';
import { offeredOwners, type PlanCandidate } from './plan.ts';

const person = (id: string, more: Partial<PlanCandidate> = {}): PlanCandidate => ({
  id,
  name: id,
  isOwner: false,
  isAdmin: false,
  isColleague: false,
  takesPart: false,
  ...more,
});
const people = [
  person('Zoe', { isColleague: true }),
  person('ann', { isOwner: true }),
  person('quiet', { isAdmin: true }),
  person('helping', { isAdmin: true, takesPart: true }),
  person('was here', { takesPart: true }),
];
const offered = (asker: string) => offeredOwners(asker, people).map(({ id }) => id);

// Shows P24.14.
test('the owner and colleagues are offered those who share the map, and no administrator who has not shown themselves', () => {
  expect(offered('ann')).toEqual(['ann', 'helping', 'Zoe']);
  expect(offered('Zoe')).toEqual(['ann', 'helping', 'Zoe']);
});

test('an administrator is offered all administrators, too', () => {
  expect(offered('quiet')).toEqual(['ann', 'helping', 'quiet', 'Zoe']);
});

test('whoever cannot open the map any more is offered to nobody', () => {
  expect(offered('quiet')).not.toContain('was here');
});
