import { expect, test } from 'vitest';
import { mentionsMarks, type Seen, withoutSeen, withSeen } from './seen-filter.ts';

const nothing: Seen = { vs: undefined, thresholds: '', planStamp: undefined, plannedStamp: undefined, warningStamp: 0 };
const all: Seen = { vs: 'old', thresholds: '1_2_3_4', planStamp: '7.0', plannedStamp: '8.0', warningStamp: 2 };

test('a filter about the file alone stays as it is, whatever there is besides', () => {
  for (const text of ['', 'has-plan-b', 'volume-10_', 'has-a*not-plan']) {
    expect(withSeen(text, all)).toBe(text);
    expect(withoutSeen(text)).toBe(text);
  }
});

test('a filter says which upload, plan and judgements it is about, and only those that it needs', () => {
  expect(withSeen('plan-idea', all)).toBe('plan-idea*seen-plan=7.0');
  expect(withSeen('change-new', all)).toBe('change-new*seen-vs=old&ct=1_2_3_4');
  expect(withSeen('owner-Lena*due-', all)).toBe('owner-Lena*due-*seen-planned=8.0');
  expect(withSeen('warn-single', all)).toBe('warn-single*seen-warnings=2');
  expect(withSeen('has-a*plan-idea*change-new', all)).toBe(
    'has-a*plan-idea*change-new*seen-vs=old&ct=1_2_3_4&plan=7.0',
  );
});

test('what it said before is replaced, so that equal states give equal texts', () => {
  const before = withSeen('plan-idea*warn-single', { ...all, planStamp: '3.0' });
  expect(withSeen(before, all)).toBe(withSeen('plan-idea*warn-single', all));
  expect(withoutSeen(before)).toBe('plan-idea*warn-single');
});

test('without another upload there are no changes to filter by, and a draft has none of all', () => {
  expect(withSeen('has-a*change-new*seen-vs=old', nothing)).toBe('has-a');
  expect(withSeen('plan-idea', nothing)).toBe('plan-idea');
  expect(withSeen('has-a*plan-idea*tag-x*warn-single*change-new', all, true)).toBe('has-a');
});

test('texts that contain the words of marks are no marks', () => {
  expect(mentionsMarks('has-x**plan-idea')).toBe(true);
  expect(withSeen('has-x**plan-idea', all)).toBe('has-x**plan-idea');
});
