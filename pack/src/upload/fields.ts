import { clickRateNames } from './click-rate.ts';
import { searchTerms, translations } from './field-translations.ts';
import { namesIn, plain } from './spelling.ts';

/**
 * The names that keyword tools use for fields, and ours.
 *
 * Spellings are compared without case, white space, underscores, hyphens, points and camelCase humps, and without a
 * trailing remark in parentheses unless a listed spelling includes it. Spellings are in order of preference: if an
 * entry has several members for one field, the first known value counts.
 */
export type CanonicalField = keyof typeof spellings;

/** A recognised field, and the rank of its spelling. Lower `rank` is preferred. */
export type Field = { readonly name: CanonicalField; readonly rank: number };

const spellings = {
  keyword: ['keyword', 'keywords', 'kw', 'target keyword', 'phrase', 'keyword phrase', 'term', 'keyword ideas', 'name'],
  // vidIQ has a score called "search volume" beside it.
  volume: namesIn(`
    estimated monthly search, estimated monthly searches, search volume, volume, vol, sv, search vol, local volume,
    local search volume, monthly search volume, monthly (search) volume, monthly volume, avg search volume,
    average search volume, avg monthly searches, average monthly searches, avg monthly search volume,
    avg monthly volume, monthly searches, searches per month, searches/month, avg searches, average searches, searches,
    number of searches, local monthly searches, msv, 30 day search volume, est volume, estimated volume, size
  `),
  /** Two bounds, whose mean is used. */
  volumeBound: ['min volume', 'max volume'],
  difficulty: namesIn(`
    keyword difficulty, kd, kd %, difficulty, keyword difficulty index, keyword difficulty score, kw difficulty,
    average kd, avg kd, sd, seo difficulty, organic difficulty, estimated difficulty, difficulty score,
    ranking difficulty
  `),
  cpc: namesIn(`
    cpc dollars, cpc, cost per click, average cpc, avg cpc, cpc average, suggested bid, estimated cpc, est cpc,
    broad cost per click, broad cpc
  `),
  /** Two bounds, whose mean is used. */
  cpcBound: namesIn(`
    low top of page bid, high top of page bid, top of page bid (low range), top of page bid (high range),
    top of page bid
  `),
  competition: namesIn(`
    competitive density, competition, ppc competition, competition in ppc, ads competition, advertiser competition,
    google ads competition, comp, com, competition level
  `),
  /** Competition from 0 to 100. */
  competitionIndex: namesIn(`
    competition index, competition (indexed value), competition (index), paid difficulty, pd, ppc
  `),
  intent: namesIn(`
    intent, intents, keyword intents, search intent, search intents, main intent, keyword intent, user intent,
    primary intent
  `),
  informational: ['informational', 'is informational'],
  navigational: ['navigational', 'is navigational'],
  commercial: ['commercial', 'is commercial'],
  transactional: ['transactional', 'is transactional'],
  position: namesIn(`
    current position, position, rank, rank group, pos, average position, avg position, avg pos, avg impression position,
    average impression position, current rank, organic position, google position, google rank, serp position,
    organic average position, last 28 days position, rank absolute, ranking, organic google search average position
  `),
  previousPosition: namesIn(`
    previous position, previous rank, prev position, prev pos, last position, previous 28 days position
  `),
  url: namesIn(`
    url, current url, top pages, top page, landing page, landing page url, page url, blog url, target url, ranking url,
    ranking page, ranked page, found url, google url, url found
  `),
  /** An address in exports of Search Console, the name of a cluster in those of Semrush: see `AddressValues`. */
  page: ['page', 'pages'],
  traffic: namesIn(`
    traffic, organic traffic, current organic traffic, current traffic, estimated traffic, est traffic,
    estimated visits, est visits, etv, traffic estimate, traffic forecast, forecasted traffic
  `),
  trafficPotential: ['traffic potential', 'tp'],
  trafficCost: ['traffic cost', 'traffic value'],
  clicks: ['clicks', 'last 28 days clicks', 'organic google search clicks'],
  impressions: ['impressions', 'impr', 'imps', 'last 28 days impressions', 'organic google search impressions'],
  ctr: clickRateNames,
  serpFeatures: namesIn(`
    serp features, serp features by keyword, serp item types, serp features found, serp feature, search features,
    serp elements
  `),
  trend: ['trend', 'trends', 'sv trend', 'search trend', 'search volume trend'],
  parent: ['parent keyword', 'parent topic', 'core keyword', 'main keyword'],
  country: ['country', 'country code', 'database', 'location code'],
  language: ['language', 'languages', 'language code'],
  competitors: ['competitors', 'content references', 'competitor', 'serp urls', 'check url'],
  updated: ['updated', 'last update', 'last updated', 'timestamp', 'updated at', 'last updated time'],
  tags: ['tags'],
  status: ['status'],
  notes: ['notes'],
  funnelStage: ['funnel stage'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Objects inside a keyword entry whose members count as members of the entry (DataForSEO Labs). */
export const nestedFields: ReadonlySet<string> = new Set([
  'keyword_data',
  'keyword_info',
  'keyword_properties',
  'search_intent_info',
  'serp_info',
]);

/** The names of bid bounds without the remark in parentheses, whose words vary. */
const withoutRemarks = (names: readonly string[]): string[] =>
  names.map((name) => name.replace(/\s?[(（][^()（）]*[)）]$/u, ''));

const translated: { readonly [Name in CanonicalField]?: readonly string[] } = {
  ...translations,
  cpcBound: [...translations.cpcBound, ...withoutRemarks(translations.cpcBound)],
};

const bySpelling: ReadonlyMap<string, Field> = new Map(
  (Object.keys(spellings) as CanonicalField[]).flatMap((name) =>
    [...(name === 'keyword' ? searchTerms : []), ...spellings[name], ...(translated[name] ?? [])].map(
      (spelling, rank) => [plain(spelling), { name, rank }] as const,
    ),
  ),
);

/** Words for multiples in the names of columns: "Volume (k)". */
const multiples: ReadonlyMap<string, number> = new Map([
  ...namesIn(`
    k, 000, 000s, x1000, ×1000, thousand, thousands, tsd, tausend, milliers, miles, milhares, migliaia, duizend, tys, тыс, тис
  `).map((word) => [word, 1e3] as const),
  ...namesIn(`
    mn, mio, mln, million, millions, millionen, millones, milhões, milioni, miljoen, млн
  `).map((word) => [word, 1e6] as const),
  ...namesIn('ct, cent, cents, pence, centimes, centavos, kopecks, копеек, коп').map((word) => [word, 0.01] as const),
]);

/**
 * What the name of a column says its numbers are multiplied by, and the name without that: "Volume (in thousands)", "Suchvolumen in Tsd.",
 * "Volume, k". Undefined if it says nothing.
 */
export function multipleIn(name: string): { readonly rest: string; readonly multiple: number } | undefined {
  const trimmed = name.trim();
  const [ending, word = ''] = /(?:\(|,\s?|\s)(?:in\s)?([^\s()]{1,12})\)?$/iu.exec(trimmed) ?? [''];
  // Two capitals are the code of a place: Mongolia, Connecticut.
  const multiple = /^[A-Z]{2}$/u.test(word) ? undefined : multiples.get(word.toLowerCase().replace(/[.,'’]/gu, ''));
  return multiple === undefined ? undefined : { rest: trimmed.slice(0, -ending.length).trimEnd(), multiple };
}

/**
 * Matches a remark that changes the meaning of a figure: "Volume (Global)" is not the volume in the country of the file, "Position (change)" no
 * position and "Volume (yearly)" not that of a month.
 */
const otherFigure =
  /\((?:global|worldwide|all countries|change|diff|difference|delta|Δ|trend|yoy|mom|previous|prev|last year|best|worst|highest|lowest|max|min|share|daily|weekly|yearly|annual|per (?:day|week|year))\.?\)$/iu;

/** "M" stands for millions or for a month: "Volume (M)". A guess would be wrong by a million. */
const millionsOrMonth = /\(M\)$/u;

/** The field for a column header or member name; undefined for an unknown one. */
export function fieldOf(key: string): Field | undefined {
  const whole = bySpelling.get(plain(key));
  const trimmed = key.trim();
  if (whole || otherFigure.test(trimmed) || millionsOrMonth.test(trimmed) || multipleIn(trimmed)) return whole;
  return bySpelling.get(plain(trimmed.replace(/\([^()]*\)$/u, '')));
}
