import { expect, test } from 'vitest';
import { figureName, figureWord, labelWord } from './figure-name.ts';

test('fields that lists are read into have plain labels, other fields the name that the file gives them', () => {
  expect(
    ['previous_position', 'url', 'traffic_cost', 'traffic_potential', 'Traffic Cost'].map((name) =>
      figureName(`field:${name}`),
    ),
  ).toEqual(['Previous position', 'URL', 'Traffic cost', 'Traffic potential', 'Traffic Cost']);
});

test('inside a sentence labels begin small, but abbreviations and names of the file stay as they are', () => {
  expect(['volume', 'cpc', 'field:serp_features', 'field:Traffic Cost'].map(figureWord)).toEqual([
    'volume',
    'CPC',
    'SERP features',
    'Traffic Cost',
  ]);
  expect(['Target URL', 'Content type', 'CTR', 'Peak month'].map(labelWord)).toEqual([
    'target URL',
    'content type',
    'CTR',
    'peak month',
  ]);
});
