import { Worker } from 'node:worker_threads';
import { answerOf } from './thread-answer.ts';

/** More keywords would not change the result. */
const most = 2000;
/** Single keywords are too short to detect a language. */
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

/** The languages of texts, in their order. */
export type DetectLanguages = (texts: readonly string[]) => Promise<string[]>;

/**
 * The language of most keywords, as an ISO 639-1 code: that of the market if the texts do not contradict, else the one
 * that most samples are in. English if there is nothing to go by.
 */
export async function languageOf(...args: Parameters<typeof guessLanguage>): Promise<string> {
  return (await guessLanguage(...args)).language;
}

/** The same, with whether texts or market say so, as opposed to a guess. */
export async function guessLanguage(
  keywords: readonly string[],
  market: string | undefined,
  detect: DetectLanguages = detectInThread,
): Promise<{ readonly language: string; readonly isSure: boolean }> {
  const samples = samplesOf(keywords);
  const votes = new Map<string, number>();
  for (const language of samples.length > 0 ? await detect(samples) : [])
    votes.set(language, (votes.get(language) ?? 0) + 1);
  const [found, count] = [...votes].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0] as const);
  const usual = market === undefined ? undefined : languageOfMarket.get(market);
  const isSure = found !== '' && count >= 0.6 * samples.length && keywords.length >= perText;
  return { language: (isSure ? found : (usual ?? found)) || 'en', isSure: isSure || usual !== undefined };
}

/** Evenly spaced keywords, some of them in each text. */
function samplesOf(keywords: readonly string[]): string[] {
  const count = Math.min(most, keywords.length);
  const step = Math.max(1, keywords.length / most);
  const sample = Array.from({ length: count }, (_, at) => keywords[Math.floor(at * step)]!);
  return Array.from({ length: Math.ceil(count / perText) }, (_, at) =>
    sample.slice(at * perText, (at + 1) * perText).join('\n'),
  );
}

/**
 * Detects languages in a thread of its own. The tables of the detector are millions of objects: they would stay in the
 * memory of the process, and every garbage collection after would go through them.
 */
function detectInThread(texts: readonly string[]): Promise<string[]> {
  const thread = startDetector();
  return languagesIn(thread, texts).finally(() => thread.terminate());
}

export const startDetector = (): Worker => new Worker(new URL('./language-worker.ts', import.meta.url));

/** The languages of texts, of a thread that does nothing else meanwhile. */
export const languagesIn = (thread: Worker, texts: readonly string[]): Promise<string[]> =>
  answerOf(thread, texts, 'detects languages');

const names = new Intl.DisplayNames('en', { type: 'language' });
export const languageName = (code: string): string => names.of(code) ?? code;
