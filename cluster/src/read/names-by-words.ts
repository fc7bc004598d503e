import { namesIn, plain } from '../../../pack/src/upload/spelling.ts';
import type { Suggestion } from './names.ts';
import type { Meaning } from './reading.ts';

type Words = {
  readonly meaning: Meaning;
  /** One of these is in the name. */
  readonly heads: ReadonlySet<string>;
  /** Other words that may be in it without changing its meaning. */
  readonly beside: ReadonlySet<string>;
};

const wordsIn = (list: string): string[] => namesIn(list).map(plain);

/** Words that do not change the meaning of any name: engines, countries, languages, "average", articles. */
const always = wordsIn(`
  google, yandex, яндекс, avg, average, mean, ø, durchschn, durchschnitt, durchschnittliche, moyen, moyenne, medio, media, médio,
  médio, gem, gemiddelde, śr, средняя, среднее, ср, ort, genomsnittlig, gns, current, aktuell, aktuelle, actuel, actuelle,
  actual, of, the, de, du, des, di, da, do, la, le, el, del, al, a, per, par, por, pro, in, na, za, w, в, på, i, us, uk, gb, ca, au,
  fr, es, it, pt, br, nl, pl, ru, ua, tr, jp, kr, cn, se, dk, cz, at, ch, eu, usa, en, ja, ko, zh, sv, cs, fi, el, hu, ro
`);
const monthly = wordsIn(`
  monthly, month, months, mo, monat, monatlich, monatliche, monatliches, mensuel, mensuelle, mensuelles, mois, mensual,
  mensuales, mes, mensal, mensais, mês, mensile, mensili, mese, maandelijks, maandelijkse, maand, miesięczna, miesięczny,
  miesięcznie, miesiąc, měsíční, měsíc, månadsvis, månad, mån, månedlig, måned, md, aylık, ay, месяц, месячная,
  ежемесячно, місяць, щомісячна
`);
const search = wordsIn(`
  search, searches, query, keyword, keywords, kw, local, exact, ads, adwords, est, estimated, suche, such, recherche, recherches, búsqueda,
  búsquedas, busca, buscas, pesquisa, pesquisas, ricerca, ricerche, zoek, wyszukiwania, wyszukiwań, hledání, vyhledávání,
  sök, søge, søk, arama, поиска, запросов, запроса, пошуку, запитів
`);

const fields: readonly Words[] = [
  words(
    'volume',
    [...monthly, ...search, 'total'],
    [
      `volume, volumes, vol, volumen, sv, msv, searches, suchvolumen, zoekvolume, sökvolym, søgevolumen, søkevolum, hakuvolyymi`,
      `hacim, hacmi, wolumen, liczba wyszukiwań, objem, hledanost, частота, частотность, объем, объём, обсяг`,
    ],
  ),
  words('difficulty', wordsIn('seo, search, keyword, kw, organic, rank, ranking, score, index, du mot clé'), [
    `difficulty, diff, kd, schwierigkeit, difficulté, dificultad, dificuldade, difficoltà, moeilijkheid, trudność, obtížnost`,
    `сложность, складність, zorluk, zorluğu, svårighet, svårighetsgrad, sværhedsgrad, vanskelighetsgrad, vaikeus`,
  ]),
  words('cpc', wordsIn('est, estimated, usd, eur, gbp, ads'), ['cpc, klickpreis, tbm']),
  words('position', wordsIn('ranking, organic, serp, seo, desktop rank, keyword'), [
    `position, pos, rank, posición, posição, posizione, positie, pozycja, pozice, позиция, позиція, sıra, placering, platzierung`,
  ]),
  words(
    'traffic',
    [...monthly, ...wordsIn('est, estimated, search, seo, organic, organisch, nb')],
    [
      `traffic, visits, visitors, trafic, tráfico, tráfego, traffico, verkeer, ruch, návštěvnost, трафик, трафік, trafik, besucher`,
    ],
  ),
  words(
    'url',
    wordsIn(
      'релевантный, посадочный, целевой, ranking, rankende, ranked, target, landing, found, web, positionnée, rank, top, best, destination',
    ),
    [
      `url, link, page, webpage, seite, zielseite, página, pagina, strona, stránka, sida, side, страница, адрес, сторінка, sayfa`,
    ],
  ),
];

function words(meaning: Meaning, beside: readonly string[], heads: readonly string[]): Words {
  return { meaning, heads: new Set(heads.flatMap(wordsIn)), beside: new Set([...always, ...beside]) };
}

/** Ranks after all names that are known as a whole. */
const rankOfWords = 200;
const maxWords = 8;

/**
 * Suggests the meaning of a name that is not known as a whole: it has a word for one figure, and all its other words change nothing, as in "Google
 * search volume, US" and "Difficulté SEO". "Paid traffic" and "Best position" are other figures.
 */
export function suggestionByWords(name: string): Suggestion | undefined {
  const parts = name
    .split(/[\s\p{P}|]+/u)
    .map(plain)
    .filter((part) => part !== '');
  if (parts.length > maxWords) return undefined;
  const found = fields.find(
    ({ heads, beside }) =>
      parts.some((part) => heads.has(part)) && parts.every((part) => heads.has(part) || beside.has(part)),
  );
  return found && { meaning: found.meaning, rank: rankOfWords + parts.length };
}
