import { eld } from 'eld/medium';

/** More keywords would not change the result. */
const most = 2000;
/** Single keywords are too short to tell a language by. */
const perText = 25;

/** Markets whose keywords are nearly always in one language. */
const languageOfMarket: ReadonlyMap<string, string> = new Map(
  Object.entries({
    en: 'us uk au ie nz',
    de: 'de at',
    fr: 'fr',
    es: 'es mx ar co cl pe',
    pt: 'pt br',
    it: 'it',
    nl: 'nl',
    ru: 'ru',
    pl: 'pl',
    sv: 'se',
    da: 'dk',
    no: 'no',
    fi: 'fi',
    tr: 'tr',
    ja: 'jp',
    vi: 'vn',
  }).flatMap(([language, markets]) => markets.split(' ').map((market) => [market, language] as const)),
);

/**
 * The language of most keywords, as an ISO 639-1 code: that of the market if the texts do not contradict, else the one
 * that most samples are in. English if there is nothing to go by.
 */
export function languageOf(keywords: readonly string[], market: string | undefined): string {
  const votes = new Map<string, number>();
  const step = Math.max(1, keywords.length / most);
  const sample = Array.from({ length: Math.min(most, keywords.length) }, (_, at) => keywords[Math.floor(at * step)]!);
  for (let at = 0; at < sample.length; at += perText) {
    const { language } = eld.detect(sample.slice(at, at + perText).join('\n'));
    votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  const [found, count] = [...votes].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0] as const);
  const usual = market === undefined ? undefined : languageOfMarket.get(market);
  const isSure = found !== '' && count >= 0.6 * Math.ceil(sample.length / perText) && sample.length >= perText;
  return (isSure ? found : (usual ?? found)) || 'en';
}

const names = new Intl.DisplayNames('en', { type: 'language' });
export const languageName = (code: string): string => names.of(code) ?? code;
