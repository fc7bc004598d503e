import { describe, expect, it } from 'vitest';
import { fieldOf } from './fields.ts';

const named = (key: string) => fieldOf(key)?.name;

describe('fields', () => {
  // Shows P10.3.
  it('recognises the headers of keyword tools', () => {
    const headers = {
      keyword: [
        'Keyword',
        'kw',
        'Query',
        'Top queries',
        'Search Query',
        'Phrase',
        'Target keyword',
        'Suchanfrage',
        'Suchanfragen',
        'Requête',
        'Consulta',
        'Từ khóa',
        'name',
      ],
      volume: [
        'Monthly (Search) Volume',
        'Monthly Search Volume',
        'Monthly Volume',
        'Avg. Search Volume',
        'Average Searches',
        'Searches',
        'MSV',
        'Vol.',
        'Est. Volume',
        'Suchvolumen',
        'Volumen',
        'Volume de recherche',
        'Volume (US)',
        'search_volume',
        'searchVolume',
        'Volume',
        'SV',
        'Avg. monthly searches',
        'avg_monthly_searches',
        'size',
      ],
      difficulty: [
        'SD',
        'KW Difficulty',
        'Keyword Difficulty Score',
        'Organic Difficulty',
        'Avg. KD',
        'Schwierigkeit',
        'Difficulté',
        'keywordDifficulty',
        'KD %',
        'Keyword Difficulty Index',
        'averageKD',
        'SEO Difficulty',
        'sd',
      ],
      cpc: ['Avg. CPC', 'Suggested bid', 'CPC (USD)', 'CPC ($)', 'Cost per click', 'averageCPC', 'cpcDollars'],
      cpcBound: ['Top of page bid (low range)', 'high_top_of_page_bid'],
      competition: [
        'PPC Competition',
        'Com.',
        'Comp.',
        'Ads Competition',
        'Competitive Density',
        'Competition',
        'competition_level',
      ],
      competitionIndex: ['Competition (indexed value)', 'competition_index', 'Paid Difficulty', 'pd'],
      intent: [
        'Keyword Intent',
        'User Intent',
        'Primary Intent',
        'Suchintention',
        'Intent',
        'Keyword Intents',
        'searchIntent',
        'main_intent',
      ],
      informational: ['Informational', 'is_informational', 'isInformational'],
      transactional: ['is_transactional'],
      position: [
        'Avg. position',
        'Pos.',
        'Ranking',
        'Last 28 days Position',
        'rank_absolute',
        'Current position',
        'rank_group',
        'Pos',
        'Organic average position',
      ],
      trend: ['SV trend (01-2025 - 12-2025)', 'Trends'],
    };
    for (const [field, keys] of Object.entries(headers)) for (const key of keys) expect(named(key), key).toBe(field);
  });

  it('does not mistake a global figure for a local one, and recognises no unknown word', () => {
    for (const key of [
      'Global volume',
      'Volume (Global)',
      'Search Volume (global)',
      'Volume (M)',
      'Volume (k)',
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

  it('ignores a byte order mark, white space, case and decomposed letters', () => {
    expect(named('\ufeffKeyword')).toBe('keyword');
    expect(named('  search  -_ VOLUME ')).toBe('volume');
    expect(named('từ khóa'.normalize('NFD'))).toBe('keyword');
  });

  it('prefers a specific name of a value to a general one', () => {
    expect(fieldOf('search_volume')!.rank).toBeLessThan(fieldOf('size')!.rank);
    expect(fieldOf('keyword')!.rank).toBeLessThan(fieldOf('name')!.rank);
    expect(fieldOf('cpc_dollars')!.rank).toBeLessThan(fieldOf('cpc')!.rank);
  });
});
