/**
 * Entries with the columns of real exports: the names, units and notations of each tool. One in ten entries has unknown
 * figures.
 */
type Random = () => number;

const intents = ['Informational', 'Navigational', 'Commercial', 'Transactional'];
const features = ['Sitelinks', 'AI Overview', 'Video', 'People also ask', 'Related searches', 'Featured snippet'];
const months = Array.from({ length: 12 }, (_, at) => `${2025 + Math.floor((at + 4) / 12)}-${((at + 4) % 12) + 1}`);

const below = (random: Random, end: number) => Math.floor(end * random());
const oneOf = <Of>(random: Random, list: readonly Of[]) => list[below(random, list.length)]!;
const volumeOf = (random: Random) => Math.floor(10 ** (1 + 4 * random()));
const priceOf = (random: Random) => below(random, 500) / 100;
const shareOf = (random: Random) => below(random, 100) / 100;
const twelve = (value: () => number | string) => months.map(value);
const day = (random: Random) => `2026-0${1 + below(random, 9)}-${10 + below(random, 18)}`;
const page = (random: Random) => `https://www.shop-${below(random, 90)}.example/products/${below(random, 9000)}`;
const someFeatures = (random: Random) => features.filter(() => random() < 0.5);

const semrushKeywordMagic = (keyword: string, random: Random) => ({
  Keyword: keyword,
  Intent: `${oneOf(random, intents)}, ${oneOf(random, intents)}`,
  Volume: volumeOf(random),
  Trend: twelve(() => shareOf(random).toFixed(2)).join(','),
  'Keyword Difficulty': random() < 0.1 ? '' : below(random, 100),
  'CPC (USD)': priceOf(random),
  'Competitive Density': shareOf(random),
  'SERP Features': someFeatures(random).join(', '),
  'Number of Results': Math.floor(10 ** (4 + 5 * random())),
});

const semrushStrategy = (keyword: string, random: Random) => ({
  Database: 'us',
  'Seed keyword': 'garden',
  Page: `page ${below(random, 40)}`,
  'Page type': oneOf(random, ['Pillar page', 'Sub page']),
  Tags: oneOf(random, ['', 'spring', 'autumn|winter']),
  ...semrushKeywordMagic(keyword, random),
  'Click potential': below(random, 100),
  Competitors: Array.from({ length: 3 }, () => page(random)).join('\n'),
});

const semrushPositions = (keyword: string, random: Random) => ({
  Keyword: keyword,
  Position: 1 + below(random, 100),
  'Previous position': below(random, 100),
  'Search Volume': volumeOf(random),
  'Keyword Difficulty': below(random, 100),
  CPC: priceOf(random),
  URL: page(random),
  Traffic: below(random, 900),
  'Traffic (%)': shareOf(random),
  'Traffic Cost': below(random, 900),
  Competition: shareOf(random),
  'Number of Results': Math.floor(10 ** (4 + 5 * random())),
  Trends: `[${twelve(() => below(random, 100)).join(',')}]`,
  Timestamp: day(random),
  'SERP Features by Keyword': someFeatures(random).join(', '),
  'Keyword Intents': oneOf(random, intents).toLowerCase(),
  'Position Type': 'Organic',
});

const ahrefsKeywords = (keyword: string, random: Random) => ({
  '#': below(random, 100_000),
  Keyword: keyword,
  Country: 'us',
  Difficulty: random() < 0.1 ? '' : below(random, 100),
  Volume: volumeOf(random),
  CPC: priceOf(random),
  CPS: shareOf(random),
  'Parent Keyword': `topic ${below(random, 900)}`,
  'Last Update': `${day(random)} 04:12:33`,
  'SERP Features': someFeatures(random).join(', '),
  'Global volume': volumeOf(random),
  'Traffic potential': volumeOf(random),
  'Global traffic potential': volumeOf(random),
  'First seen': `${day(random)} 00:00:00`,
  Intents: `${oneOf(random, intents)},Non-branded,Non-local`,
  Languages: 'English',
});

const ahrefsOrganic = (keyword: string, random: Random) => ({
  Keyword: keyword,
  'Country code': 'US',
  Language: 'English',
  'SERP features': someFeatures(random).join(', '),
  Volume: volumeOf(random),
  KD: below(random, 100),
  CPC: priceOf(random),
  'Organic traffic': below(random, 900),
  'Paid traffic': 0,
  'Current position': 1 + below(random, 100),
  'Current URL': page(random),
  Updated: `${day(random)} 11:02:09`,
  Navigational: random() < 0.2,
  Informational: random() < 0.5,
  Commercial: random() < 0.4,
  Transactional: random() < 0.3,
  Branded: random() < 0.1,
  Local: random() < 0.1,
});

const searchConsole = (keyword: string, random: Random) => ({
  'Top queries': keyword,
  Clicks: below(random, 900),
  Impressions: volumeOf(random),
  CTR: `${(100 * random()).toFixed(2)}%`,
  Position: Math.round(10_000 * random()) / 100,
});

const searchConsoleApi = (keyword: string, random: Random) => ({
  query: keyword,
  page: page(random),
  country: 'usa',
  device: oneOf(random, ['MOBILE', 'DESKTOP', 'TABLET']),
  clicks: below(random, 900),
  impressions: volumeOf(random),
  ctr: random(),
  position: 1 + 40 * random(),
});

const keywordPlanner = (keyword: string, random: Random) => ({
  Keyword: keyword,
  Currency: 'USD',
  'Avg. monthly searches': oneOf(random, [50, 500, 5000, 50_000]),
  'Three month change': `${below(random, 90)}%`,
  'YoY change': `-${below(random, 90)}%`,
  Competition: oneOf(random, ['Low', 'Medium', 'High']),
  'Competition (indexed value)': below(random, 100),
  'Top of page bid (low range)': priceOf(random),
  'Top of page bid (high range)': priceOf(random),
  ...Object.fromEntries(months.map((month) => [`Searches: ${month}`, oneOf(random, [50, 500, 5000])])),
});

const ubersuggest = (keyword: string, random: Random) => ({
  keyword,
  volume: volumeOf(random),
  cpc: priceOf(random),
  cpcDollars: priceOf(random),
  sd: below(random, 100),
  pd: below(random, 100),
  competition: random(),
  searchIntent: [oneOf(random, intents).toLowerCase()],
  updated_at: day(random),
});

const moz = (keyword: string, random: Random) => ({
  Keyword: keyword,
  'Min Volume': volumeOf(random),
  'Max Volume': volumeOf(random),
  Difficulty: below(random, 100),
  'Organic CTR': below(random, 100),
  Priority: below(random, 100),
});

const dataForSeo = (keyword: string, random: Random) => ({
  keyword,
  location_code: 2840,
  language_code: 'en',
  keyword_info: {
    search_volume: volumeOf(random),
    cpc: priceOf(random),
    competition: shareOf(random),
    competition_level: oneOf(random, ['LOW', 'MEDIUM', 'HIGH']),
    low_top_of_page_bid: priceOf(random),
    high_top_of_page_bid: priceOf(random),
    monthly_searches: months.map((_, at) => ({ year: 2026, month: at + 1, search_volume: volumeOf(random) })),
  },
  keyword_properties: { keyword_difficulty: below(random, 100), core_keyword: null },
  search_intent_info: { main_intent: oneOf(random, intents).toLowerCase(), foreign_intent: null },
});

export const exporters = {
  'semrush-keyword-magic': semrushKeywordMagic,
  'semrush-strategy': semrushStrategy,
  'semrush-positions': semrushPositions,
  'ahrefs-keywords': ahrefsKeywords,
  'ahrefs-organic': ahrefsOrganic,
  'search-console': searchConsole,
  'search-console-api': searchConsoleApi,
  'keyword-planner': keywordPlanner,
  ubersuggest,
  moz,
  dataforseo: dataForSeo,
} satisfies Record<string, (keyword: string, random: Random) => object>;
