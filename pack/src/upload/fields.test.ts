import { describe, expect, it } from 'vitest';
import { fieldOf } from './fields.ts';

const named = (key: string) => fieldOf(key)?.name;

describe('fields', () => {
  it('knows the headers of the tools', () => {
    const headers = {
      keyword: ['Keyword', 'kw', 'Query', 'Top queries', 'Suchanfrage', 'Từ khóa', 'name'],
      volume: [
        'search_volume',
        'searchVolume',
        'Volume',
        'SV',
        'Avg. monthly searches',
        'avg_monthly_searches',
        'size',
      ],
      difficulty: ['keywordDifficulty', 'KD %', 'Keyword Difficulty Index', 'averageKD', 'SEO Difficulty', 'sd'],
      cpc: ['CPC (USD)', 'CPC ($)', 'Cost per click', 'averageCPC', 'cpcDollars'],
      cpcBound: ['Top of page bid (low range)', 'high_top_of_page_bid'],
      competition: ['Competitive Density', 'Competition', 'competition_level'],
      competitionIndex: ['Competition (indexed value)', 'competition_index', 'Paid Difficulty', 'pd'],
      intent: ['Intent', 'Keyword Intents', 'searchIntent', 'main_intent'],
      position: ['Current position', 'rank_group', 'Pos', 'Organic average position'],
      trend: ['SV trend (01-2025 - 12-2025)', 'Trends'],
    };
    for (const [field, keys] of Object.entries(headers)) for (const key of keys) expect(named(key), key).toBe(field);
  });

  it('takes no global figure for a local one, and no unknown word for anything', () => {
    for (const key of [
      'Global volume',
      'Global traffic potential',
      'CPS',
      'count',
      '',
      '(USD)',
      '__proto__',
      'constructor',
    ]) {
      expect(fieldOf(key), key).toBeUndefined();
    }
  });

  it('looks past a byte order mark, blanks, case and decomposed letters', () => {
    expect(named('\ufeffKeyword')).toBe('keyword');
    expect(named('  search  -_ VOLUME ')).toBe('volume');
    expect(named('từ khóa'.normalize('NFD'))).toBe('keyword');
  });

  it('prefers the exact spelling of a value to a loose one', () => {
    expect(fieldOf('search_volume')!.rank).toBeLessThan(fieldOf('size')!.rank);
    expect(fieldOf('keyword')!.rank).toBeLessThan(fieldOf('name')!.rank);
    expect(fieldOf('cpc_dollars')!.rank).toBeLessThan(fieldOf('cpc')!.rank);
  });
});
