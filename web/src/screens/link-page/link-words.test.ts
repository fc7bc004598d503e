import { expect, test } from 'vitest';
import { captionOf } from '../share-links/link-line.tsx';

const until = Date.UTC(2027, 2, 12, 12);

test('every page of a link says for whom it is, by whom, and until when', () => {
  expect(captionOf({ sharedWith: 'ACME', maker: 'Ana', mayEditPlan: false, until })).toBe(
    'Shared with ACME by Ana · read-only · until Mar 12, 2027',
  );
});

test('a maker without a name is not named', () => {
  expect(captionOf({ sharedWith: 'ACME', maker: '', mayEditPlan: false, until })).toBe(
    'Shared with ACME · read-only · until Mar 12, 2027',
  );
});

test('who may edit the plan is told so', () => {
  expect(captionOf({ sharedWith: 'bob@example.com', maker: 'Ana', mayEditPlan: true, until })).toBe(
    'Shared with bob@example.com by Ana · you may edit the plan · until Mar 12, 2027',
  );
});
