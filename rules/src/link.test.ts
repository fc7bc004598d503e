import { expect, test } from 'vitest';
import { checkColleague, checkLink, type LinkNeed, linkAllows } from './link.ts';

const needs: LinkNeed[] = ['explore', 'warnings', 'plan', 'edit-plan', 'downloads'];
const link = { kind: 'client', isRevoked: false, expiresAt: 100, makerSees: true, clientLinks: true } as const;
const codeOf = (answer: ReturnType<typeof checkLink>) => (answer.ok ? 'ok' : answer.refusal.code);

test('a client link without switches explores, and nothing else', () => {
  const visitor = { kind: 'client', withPlan: false, mayEditPlan: false, withDownloads: false } as const;
  expect(needs.filter((need) => linkAllows(visitor, need))).toEqual(['explore']);
});

test('no switch lets a client read warnings or edit the plan', () => {
  const visitor = { kind: 'client', withPlan: true, mayEditPlan: true, withDownloads: true } as const;
  expect(needs.filter((need) => linkAllows(visitor, need))).toEqual(['explore', 'plan', 'downloads']);
});

test('a colleague reads warnings; plan and downloads only if the link includes them', () => {
  const visitor = { kind: 'colleague', withPlan: false, mayEditPlan: false, withDownloads: false } as const;
  expect(needs.filter((need) => linkAllows(visitor, need))).toEqual(['explore', 'warnings']);
});

test('a colleague edits the plan only if the link allows it and shows the plan', () => {
  const visitor = { kind: 'colleague', withPlan: true, mayEditPlan: true, withDownloads: false } as const;
  expect(linkAllows(visitor, 'edit-plan')).toBe(true);
  expect(linkAllows({ ...visitor, mayEditPlan: false }, 'edit-plan')).toBe(false);
  expect(linkAllows({ ...visitor, withPlan: false }, 'edit-plan')).toBe(false);
});

test('a link ends at the moment that it names, and when it is revoked', () => {
  expect(codeOf(checkLink(link, 99))).toBe('ok');
  expect(codeOf(checkLink(link, 100))).toBe('link/ended');
  expect(codeOf(checkLink({ ...link, isRevoked: true }, 0))).toBe('link/ended');
});

test('a link rests while its maker may not see the visualization', () => {
  expect(codeOf(checkLink({ ...link, makerSees: false }, 0))).toBe('link/resting');
  expect(codeOf(checkLink({ ...link, kind: 'colleague', makerSees: false }, 0))).toBe('link/resting');
});

test('without the setting, client links rest and links of colleagues do not', () => {
  expect(codeOf(checkLink({ ...link, clientLinks: false }, 0))).toBe('link/resting');
  expect(codeOf(checkLink({ ...link, kind: 'colleague', clientLinks: false }, 0))).toBe('ok');
});

test('a link that has ended does not rest', () => {
  expect(codeOf(checkLink({ ...link, isRevoked: true, makerSees: false, clientLinks: false }, 0))).toBe('link/ended');
});

// Shows P25.5.
test('a colleague is the approved account with the email of the link', () => {
  const email = 'ana@example.org';
  expect(codeOf(checkColleague(email, undefined))).toBe('link/sign-in');
  expect(codeOf(checkColleague(email, { email, isApproved: true }))).toBe('ok');
  expect(codeOf(checkColleague(email, { email, isApproved: false }))).toBe('link/other-account');
  expect(codeOf(checkColleague(email, { email: 'ben@example.org', isApproved: true }))).toBe('link/other-account');
});
