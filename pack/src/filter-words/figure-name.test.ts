import { expect, test } from 'vitest';
import { figureWord, labelWord } from './figure-name.ts';

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
