import { expect, test } from 'vitest';
import { nameOfLists } from './list-name.ts';

test.each([
  [['drupal_broad-match_us_2026-04-30.csv'], 'drupal'],
  [['shop-script_broad-match_ru_2026-04-30.csv'], 'shop-script'],
  [['google_us_trail shoes_matching-terms_2026-11-03_12-00-00.csv'], 'trail shoes'],
  [['add-to-website_clustered_full_us_2026-04-22.csv'], 'add-to-website'],
  [['redmine_broad-match_us_2026-04-01.csv', 'redmine_broad-match_us_2026-05-01.csv'], 'redmine'],
  [['garden hoses.csv', 'garden tools.xlsx'], 'garden'],
  [['drupal_broad-match_us_2026-04-30.csv', 'joomla_broad-match_us_2026-04-30.csv'], 'drupal, joomla'],
  [['a.csv', 'b.csv', 'c.csv', 'd.csv'], 'a, b and 2 more'],
  [['Pasted list.txt'], 'Pasted list'],
  [['shop.example-organic.Positions-us-20260417.csv'], 'shop.example'],
  [['shop.example-organic.Positions-us-20260417-2026-04-18T09_12_11Z.csv'], 'shop.example'],
  [['organic.Positions-notes.csv'], 'organic.Positions-notes'],
  [['serp.jsonl'], 'serp'],
  [['go_us.csv'], 'go us'],
  [['2026-04-30.csv'], '2026-04-30'],
  [[], ''],
])('%j is called %s', (names, name) => expect(nameOfLists(names)).toBe(name));
