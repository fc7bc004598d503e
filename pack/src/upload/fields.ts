import { normalForm } from '../names/normal-form.ts';

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
  keyword: [
    'keyword',
    'keywords',
    'kw',
    'query',
    'top queries',
    'search query',
    'suchanfrage',
    'suchanfragen',
    'häufigste suchanfragen',
    'requête',
    'requêtes',
    'requêtes les plus fréquentes',
    'consulta',
    'consultas',
    'consultas principales',
    'search term',
    'target keyword',
    'phrase',
    'term',
    'keyword ideas',
    'từ khóa',
    'запрос',
    'запросы',
    'популярные запросы',
    'ключевое слово',
    'ключевые слова',
    'name',
  ],
  volume: [
    'search volume',
    'volume',
    'vol',
    'sv',
    'monthly search volume',
    'monthly (search) volume',
    'monthly volume',
    'avg search volume',
    'average search volume',
    'avg monthly searches',
    'average monthly searches',
    'monthly searches',
    'avg searches',
    'average searches',
    'searches',
    'msv',
    'est volume',
    'estimated volume',
    'suchvolumen',
    'volumen',
    'volumen de búsqueda',
    'volume de recherche',
    'size',
  ],
  /** Two bounds, whose mean is used. */
  volumeBound: ['min volume', 'max volume'],
  difficulty: [
    'keyword difficulty',
    'kd',
    'kd %',
    'difficulty',
    'keyword difficulty index',
    'keyword difficulty score',
    'kw difficulty',
    'average kd',
    'avg kd',
    'sd',
    'seo difficulty',
    'organic difficulty',
    'estimated difficulty',
    'schwierigkeit',
    'difficulté',
    'dificultad',
  ],
  cpc: ['cpc dollars', 'cpc', 'cost per click', 'average cpc', 'avg cpc', 'suggested bid'],
  /** Two bounds, whose mean is used. */
  cpcBound: [
    'low top of page bid',
    'high top of page bid',
    'top of page bid (low range)',
    'top of page bid (high range)',
    'top of page bid',
  ],
  competition: [
    'competitive density',
    'competition',
    'ppc competition',
    'ads competition',
    'comp',
    'com',
    'competition level',
  ],
  /** Competition from 0 to 100. */
  competitionIndex: ['competition index', 'competition (indexed value)', 'paid difficulty', 'pd'],
  intent: [
    'intent',
    'intents',
    'keyword intents',
    'search intent',
    'main intent',
    'keyword intent',
    'user intent',
    'primary intent',
    'suchintention',
  ],
  informational: ['informational', 'is informational'],
  navigational: ['navigational', 'is navigational'],
  commercial: ['commercial', 'is commercial'],
  transactional: ['transactional', 'is transactional'],
  position: [
    'current position',
    'position',
    'rank',
    'rank group',
    'pos',
    'average position',
    'avg position',
    'organic average position',
    'last 28 days position',
    'rank absolute',
    'ranking',
    'durchschnittliche position',
    'позиция',
    'средняя позиция',
  ],
  previousPosition: ['previous position', 'previous 28 days position'],
  url: [
    'url',
    'current url',
    'top pages',
    'top page',
    'landing page',
    'landing page url',
    'page url',
    'blog url',
    'target url',
    'ranking url',
  ],
  /** An address in exports of Search Console, the name of a cluster in those of Semrush: see `address-values.ts`. */
  page: ['page', 'pages'],
  traffic: ['traffic', 'organic traffic', 'estimated visits', 'est visits', 'etv'],
  trafficPotential: ['traffic potential', 'tp'],
  trafficCost: ['traffic cost'],
  clicks: ['clicks', 'klicks', 'last 28 days clicks', 'клики'],
  impressions: ['impressions', 'impressionen', 'last 28 days impressions', 'показы'],
  /** A share, 0 to 1: see `click-rate.ts`. */
  ctr: ['ctr', 'last 28 days ctr'],
  serpFeatures: ['serp features', 'serp features by keyword', 'serp item types'],
  trend: ['trend', 'trends', 'sv trend'],
  parent: ['parent keyword', 'parent topic', 'core keyword', 'main keyword'],
  country: ['country', 'country code', 'database', 'location code'],
  language: ['language', 'languages', 'language code'],
  competitors: ['competitors', 'content references', 'competitor', 'serp urls', 'check url'],
  updated: ['updated', 'last update', 'timestamp', 'updated at', 'last updated time'],
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

const bySpelling: ReadonlyMap<string, Field> = new Map(
  Object.entries(spellings).flatMap(([name, list]) =>
    list.map((spelling, rank) => [withoutPoints(spelling), { name: name as CanonicalField, rank }] as const),
  ),
);

/** A remark that changes the meaning of a figure: "Volume (Global)" is not the volume in the country of the file. */
const otherFigure = /\((?:global|worldwide|all countries)\)$/iu;

/** The field for a column header or member name; undefined for an unknown one. */
export function fieldOf(key: string): Field | undefined {
  const whole = bySpelling.get(withoutPoints(key));
  const trimmed = key.trim();
  if (whole || otherFigure.test(trimmed)) return whole;
  return bySpelling.get(withoutPoints(trimmed.replace(/\([^()]*\)$/u, '')));
}

/** Removes points: "Avg. KD" is "Avg KD". Unknown names keep their points, which may distinguish them. */
function withoutPoints(key: string): string {
  return fold(key).replaceAll('.', '');
}

/** Normalizes a spelling for comparison. */
export function fold(key: string): string {
  return normalForm(key, 'NFC')
    .toLowerCase()
    .replace(/[\ufeff\s_-]+/gu, '');
}
