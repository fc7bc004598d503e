import { normalForm } from '../../../pack/src/names/normal-form.ts';
import { isDate } from '../../../pack/src/upload/entry-dates.ts';
import { fieldOf, multipleIn, nestedFields } from '../../../pack/src/upload/fields.ts';
import { fold, namesIn } from '../../../pack/src/upload/spelling.ts';
import { trendField } from '../../../pack/src/upload/trend-columns.ts';
import { isNumbering } from '../../../pack/src/upload/unrecognised.ts';
import { monthNamed, monthOfName } from '../../../pack/src/upload/written-dates.ts';
import { additiveFigures, type Meaning, type Separator } from './reading.ts';

/** What the name of a column suggests; its values decide. */
export type Suggestion = {
  readonly meaning: Meaning;
  /** Of several columns with one meaning, the lowest is taken. */
  readonly rank: number;
};

/** The names of levels of a grouping, from the top down, in the languages that tools write headers in. */
const levelNames = [
  `
  pillar, pillar topic, pillar page, hub, pilier, pilar, pilastro, säule, столп, ピラー, тематика, направление,
  раздел, section, sektion, sección, sezione, sekcja, silo, cocon, cocon sémantique
  `,
  `
  topic, topics, main topic, theme, thema, hauptthema, oberthema, thème, sujet, tema, tópico, argomento, onderwerp, emne,
  ämne, aihe, temat, téma, тема, konu, θέμα, トピック, 主题, 主題,
  주제, chủ đề, topik
  `,
  `
  group, grouping, ad group, gruppe, anzeigengruppe, groupe, groupe d annonces, grupo, agrupación, agrupamento,
  grupo de anuncios, grupo de anúncios, gruppo, raggruppamento, gruppo di annunci, grup, groep, advertentiegroep, grupp, annonsgrupp, annoncegruppe, annonsegruppe,
  ryhmä, mainosryhmä, grupa, grupa reklam, skupina, reklamní sestava, csoport, hirdetéscsoport, группа, группы, групи, skupiny, grupy,
  группа объявлений, группа запросов, група, grubu, reklam grubu, ομάδα, グループ, 広告グループ, 组, 分组, 广告组, 群組,
  廣告群組, 그룹, 광고그룹, nhóm, nhóm quảng cáo, kelompok, grup iklan, กลุ่ม, مجموعة, קבוצה
  `,
  `
  category, kategorie, catégorie, categoría, categoria, categorie, kategori, kategoria, kategória,
  категория, категории, категорія, категорії, κατηγορία, カテゴリ, カテゴリー, 类别, 分类, 類別, 카테고리,
  danh mục, หมวดหมู่, الفئة, קטגוריה
  `,
  `
  parent, parent keyword, parent topic, core keyword, main keyword, hauptkeyword, mot clé principal,
  palabra clave principal, parola chiave principale, основной запрос, главный запрос, маркер, маркерный запрос,
  親トピック, 親キーワード
  `,
  `
  subtopic, sub topic, subcategory, subgroup, unterthema, unterkategorie, untergruppe, sous thème, sous catégorie,
  sous groupe, subtema, subcategoría, subcategoria, subgrupo, sottocategoria, sottogruppo, subonderwerp, subcategorie,
  underkategori, подтема, подкатегория, подгруппа, подраздел, サブトピック, 子主题
  `,
  `
  cluster, clusters, clúster, klaster, shluk, klaszter, klasteri, klynge, kluster, кластер, кластера, küme, kümesi, συστάδα,
  クラスタ, クラスター, 聚类, 集群, 클러스터, cụm
  `,
  'page',
].map((list) => namesIn(list).map(levelKey));

/** What the name of a level may also say: that it groups keywords by topic, and that it is a name. */
const besidesLevels = namesIn(`
  keyword, keywords, keywordů, thematic, topic, themen, keyword topic, semantic, name, title, name of the, suchwort,
  de mots clés, mots clés, thématique, sémantique, nom du, nom de la, nom, de palabras clave, temático, temática,
  semántico, nombre del, nombre de la, nombre, de palavras chave, semântico, nome do, nome da, nome, di parole chiave,
  tematico, tematica, semantico, zoekwoord, zoekwoorden, thema, naam, sökords, sökord, tematisk, namn, søgeords, søgeord,
  søkeords, navn, avainsana, fraz, słów kluczowych, tematyczna, tematyczny, tematu, nazwa, klíčových slov, tématický,
  tematický, název, запросов, ключевых слов, ключей, тематический, тематическая, семантический, название, имя, запитів,
  ключових слів, тематичний, тематична, назва, kelime, anahtar kelime, konu, adı, キーワード, トピック, 名, の名前, 키워드,
  주제, 이름, 关键词, 关键字, 主题, 名称, 關鍵字, 主題, 名稱, từ khóa, kata kunci
`).map(levelKey);

/** The rank of the word for a level in a name that may say more; −1 for none. */
function rankOfLevel(key: string, more = 3): number {
  const rank = levelNames.findIndex((names) => names.includes(key));
  if (rank >= 0 || more === 0) return rank;
  for (const word of besidesLevels) {
    if (key.length <= word.length) continue;
    const inner = key.startsWith(word) ? rankOfLevel(key.slice(word.length), more - 1) : -1;
    if (inner >= 0) return inner;
    const outer = key.endsWith(word) ? rankOfLevel(key.slice(0, -word.length), more - 1) : -1;
    if (outer >= 0) return outer;
  }
  return -1;
}

/** Like the names of fields, names of levels are compared without accents and apostrophes. */
function levelKey(name: string): string {
  return normalForm(fold(name).replace(/['’]/gu, ''), 'NFD').replace(/[\u0300-\u036f]/gu, '');
}

/**
 * Where a column stands in a grouping by its name: 0 is the top. Undefined for a name that is no level's. "Tier 2" and
 * "Level 2" stand by their numbers.
 */
export function levelRank(name: string): number | undefined {
  const key = levelKey(name);
  // Of what a search found, not of a page that is planned.
  if (key === 'pagetitle') return undefined;
  const [, word, number] = /^(\D+)(\d{1,2})$/u.exec(key) ?? [];
  if (word !== undefined && numberedLevels.has(word)) return Number(number) / 100;
  const rank = rankOfLevel(key, fieldOf(name) === undefined ? 3 : 0);
  return rank < 0 ? undefined : rank;
}

const numberedLevels: ReadonlySet<string> = new Set(
  namesIn('tier, level, ebene, niveau, nivel, livello, poziom, nivå, уровень, レベル, 层级, cluster, group').map(
    levelKey,
  ),
);

/** What a column name suggests; undefined for an unknown name. A level of a grouping suggests "keep" until it is ordered. */
export function suggestionOf(name: string): Suggestion | undefined {
  return (
    suggestionOfWhole(name) ??
    suggestionWithout(currencyIn(name)) ??
    suggestionWithoutUnit(name) ??
    suggestionWithoutMultiple(name) ??
    ofPivot(name) ??
    ofMember(name) ??
    ofPeriod(name)
  );
}

/** Costs in millionths, as Google's interfaces have them: "lowTopOfPageBidMicros". */
const micros = /[\s_]?micros$|(?<=^metrics\.average_?cpc)$/iu;

function withoutMultiple(name: string): ReturnType<typeof multipleIn> {
  const trimmed = name.trim();
  return micros.test(trimmed) ? { rest: trimmed.replace(micros, ''), multiple: 1e-6 } : multipleIn(trimmed);
}

/** "M" stands for millions or for a month: "Volume (M)", "Searches in M". */
const millionsOrMonth = /(?:\(|,\s?|\s)(?:in\s)?M\)?$/u;
export const mayBeInMillions = (name: string): boolean => millionsOrMonth.test(name.trim());

/** What the figures of a column are multiplied by, as its name says; 1 if it says nothing. */
export const multipleOf = (name: string): number => withoutMultiple(name)?.multiple ?? 1;

/** The upper end of the scale that the name of a column ends with: 10 of "Difficulty (0-10)". */
export const scaleIn = (name: string): number | undefined => {
  const [, end] = /\((?:[01]\s?[-–—]\s?|out of |\/\s?)(1|10|100)\)$/iu.exec(name.trim()) ?? [];
  return end === undefined ? undefined : Number(end);
};

function suggestionWithoutMultiple(name: string): Suggestion | undefined {
  const millions = mayBeInMillions(name) ? name.trim().replace(millionsOrMonth, '') : undefined;
  const rest = withoutMultiple(name)?.rest ?? millions;
  return rest === undefined ? undefined : (suggestionOfWhole(rest) ?? ofMember(rest));
}

/** What spreadsheets write before the name of a figure in a pivot table: what is added up, and what is averaged. */
const pivotSums =
  /^(?:sum of|summe von|somme de|suma de|soma de|somma di|som van|suma z|сумма по полю|сума за полем|toplam|合計 \/|합계 :|求和项:)\s*/iu;
const pivotMeans =
  /^(?:average of|mean of|mittelwert von|moyenne de|promedio de|média de|media di|gemiddelde van|średnia z|среднее по полю|ortalama|平均 \/|평균 :|平均值项:)\s*/iu;

/** What the name of a figure in a pivot table suggests: sums of what adds up, and means of anything. */
function ofPivot(name: string): Suggestion | undefined {
  const trimmed = name.trim();
  const sum = trimmed.replace(pivotSums, '');
  const mean = trimmed.replace(pivotMeans, '');
  if (sum !== trimmed) {
    const suggestion = suggestionOfWhole(sum);
    return suggestion && additiveFigures.has(suggestion.meaning) ? suggestion : undefined;
  }
  return mean === trimmed ? undefined : suggestionOfWhole(mean);
}

/** What the name of a column of costs suggests without its currency. */
function suggestionWithout(named: ReturnType<typeof currencyIn>): Suggestion | undefined {
  const suggestion = named && suggestionOfWhole(named.rest);
  return suggestion && isCost(suggestion.meaning) ? suggestion : undefined;
}

/**
 * What a name suggests without a unit or the source of the figures beside it: "Competition, %", "Частота [WS]", "[QUERY]
 * Частота", 'Частотность "!WS"', "指导价（元）".
 */
function suggestionWithoutUnit(name: string): Suggestion | undefined {
  const plain = name
    .trim()
    .replace(/^\[[^[\]]*\]/u, '')
    .replace(/(?:,\s?%|\[[^[\]]*\]|"[^"]*"|«[^«»]*»|（[^（）]*）)$/u, '');
  return plain === name.trim() ? undefined : suggestionOfWhole(plain);
}

/** What the name of a member of an object suggests, as tools write it that turn JSON into tables: `keyword_info.cpc`. */
function ofMember(name: string): Suggestion | undefined {
  const path = name.trim().split('.');
  const member = path.pop()!;
  return path.length > 0 && path.every((object) => objects.has(fold(object))) ? suggestionOfWhole(member) : undefined;
}

/** Objects whose members are those of a keyword; also those of Google's interface for ads, in its plans and reports. */
const objects: ReadonlySet<string> = new Set(
  [
    ...nestedFields,
    ...[
      'keyword idea metrics',
      'keyword metrics',
      'metrics',
      'segments',
      'search term view',
      'ad group criterion',
      'keyword',
    ],
  ].map(fold),
);

/** After columns that have no period in their names. */
const rankOfPeriods = 50;

/** Words for the time before, in the languages of Search Console: their figures are not the current ones. */
const earlier =
  /(?:^|[\s:(])(?:previous|prior|last year|vorherige|vorige|précédent|anterior|precedent|poprzedni|předchoz|предыдущ|попередн|önceki|föregående|forrige|tidligere|edellis|előző)|^前の|以前|이전|上一|之前/iu;
/** Words and signs of a period: "28 days", "3 months", a month, a year or a date. */
const period =
  /\d{4}|\d[./-]\d|(?<!\d)\d{1,3}[\s-]?(?:days?|weeks?|months?|years?|h\b|tage?n?|wochen|monate?|derniers|jours|semaines|mois|días|semanas|meses|dias|giorni|settimane|mesi|dagen|weken|maanden|dni|tygodni|miesi|дн|недел|тижн|месяц|місяц|gün|hafta|ay|dagar|veckor|månader|dage|uger|måneder|dní|týdn|měsíc|日|週|か月|ヶ月|天|周|个月|個月|일|주|개월)/iu;

/** What a name suggests beside a period, as in comparisons: "Last 28 days Clicks", "Clics : 28 derniers jours". */
function ofPeriod(name: string): Suggestion | undefined {
  const words = name.trim().split(/[\s:：]+/u);
  if (words.length < 2 || words.length > maxWordsOfPeriods || !period.test(name)) return undefined;
  for (let at = 1; at < words.length; at++) {
    const splits = [
      [words.slice(at), words.slice(0, at)],
      [words.slice(0, at), words.slice(at)],
    ] as const;
    for (const [rest, removed] of splits) {
      const meaning = period.test(removed.join(' ')) ? fieldOf(rest.join(' '))?.name : undefined;
      if (meaning !== 'clicks' && meaning !== 'impressions' && meaning !== 'ctr' && meaning !== 'position') continue;
      if (!earlier.test(removed.join(' '))) return { meaning, rank: rankOfPeriods };
      return meaning === 'position' ? { meaning: 'previousPosition', rank: rankOfPeriods } : undefined;
    }
  }
  return undefined;
}

const maxWordsOfPeriods = 12;

/** The newest month or year in a name, which tells clicks of 2025 and of 2026 apart; 0 for none. */
export function newestIn(name: string): number {
  const remark = /\(([^()]*)\)$/u.exec(name.trim())?.[1] ?? name;
  const month = monthOfName(remark);
  if (month) return 12 * month.year + month.month;
  return 12 * Math.max(0, ...(remark.match(/(?<!\d)20\d\d(?!\d)/gu) ?? []).map(Number));
}

/** Whether values are amounts of money. */
export const isCost = (meaning: Meaning): boolean => /^(?:cpc|cpcBound|trafficCost)$/u.test(meaning);

/** What tools find for a keyword, and the first keyword of a page: these are the keywords that they list. */
const promptNames: ReadonlySet<string> = new Set(
  namesIn(`
    text, suggestion, suggestions, keyword suggestion, question, questions, paa question, paa title, people also ask,
    primary keyword, focus keyword, focus keyphrase, fokus keyword, primäres keyword
  `).map(fold),
);

/** What spreadsheets call the first column of a pivot table. */
const rowLabels: ReadonlySet<string> = new Set(
  namesIn(`
    row labels, zeilenbeschriftungen, étiquettes de lignes, etiquetas de fila, rótulos de linha, etichette di riga, rijlabels,
    etykiety wierszy, названия строк, popisky řádků, satır etiketleri, 行ラベル, 행 레이블, 行标签, 列標籤
  `).map(fold),
);

export const isRowLabel = (name: string): boolean => rowLabels.has(fold(name));

function suggestionOfWhole(name: string): Suggestion | undefined {
  if (levelRank(name) !== undefined && fieldOf(name)?.name !== 'page') return { meaning: 'keep', rank: 0 };
  if (isDate(name)) return { meaning: 'date', rank: 0 };
  const field = fieldOf(name);
  switch (field?.name) {
    case undefined:
      if (trendField(name) >= 0 || monthOfName(name)) return { meaning: 'trendMonth', rank: 0 };
      if (promptNames.has(fold(name)) || isRowLabel(name)) return { meaning: 'keyword', rank: 1000 };
      // Of a crawler, behind all other spellings; if it is that of a house, the values do not fit.
      if (fold(name) === 'address') return { meaning: 'url', rank: 100 };
      // Google's interface for ads has them as objects.
      if (fold(name) === 'monthlysearchvolumes') return { meaning: 'trend', rank: 100 };
      if (namesPlace(name)) return { meaning: 'country', rank: 100 };
      return isNumbering(name) ? { meaning: 'leaveOut', rank: 0 } : undefined;
    case 'page':
      // After all other spellings of an address.
      return { meaning: 'url', rank: 100 };
    case 'competitors':
      return { meaning: 'resultUrl', rank: field.rank };
    case 'updated':
      return { meaning: 'date', rank: 1 };
    case 'parent':
    case 'tags':
    case 'status':
    case 'notes':
    case 'funnelStage':
      return { meaning: 'keep', rank: field.rank };
    case 'competition':
      return { meaning: scaleIn(name) === 100 ? 'competitionIndex' : 'competition', rank: field.rank };
    default:
      return { meaning: field!.name, rank: field!.rank };
  }
}

/** The month that a column is for, also in "Search Volume 3/2026" and "Volume (Mar 2026)". */
export function monthOfColumn(name: string): ReturnType<typeof monthOfName> {
  const [, before, after] = /^([^\d(]{2,40})\(?([^()]{5,20})\)?$/u.exec(name.trim()) ?? [];
  const isVolume = before !== undefined && fieldOf(before)?.name === 'volume';
  return monthOfName(name) ?? (isVolume ? monthOfName(after!) : undefined);
}

/** The month that a column is for whose name says no year, from 1: "Jan", "Volume Jan" and "Searches: January". */
export function bareMonthOf(name: string): number | undefined {
  const text = name.trim();
  const [, before, word] = /^(.{2,40}?)[\s:(：]+(\p{L}{3,12}\.?)\)?$/u.exec(text) ?? [];
  const [, first, after] = /^(\p{L}{3,12}\.?)[\s:(：]+([^()]{2,40})\)?$/u.exec(text) ?? [];
  const isVolume = (rest: string | undefined) => rest !== undefined && fieldOf(rest)?.name === 'volume';
  if (isVolume(before)) return monthNamed(word!);
  if (isVolume(after)) return monthNamed(first!);
  return /^\p{L}{3,12}\.?$/u.test(text) ? monthNamed(text) : undefined;
}

/**
 * The number of the month that a column is for whose name says nothing else: "Month 1", "Searches month 1". `isBefore`: whether it counts
 * back from the newest month, as in "M-1".
 */
export function monthNumberOf(name: string): { readonly number: number; readonly isBefore: boolean } | undefined {
  const [, before, word, sign, number] =
    /^(.{2,40}?[\s:(_])?\(?(month|monat|mois|mes|mês|mese|maand|месяц|m)[\s_]?([-–−]?)(\d{1,2})\)?$/iu.exec(
      name.trim(),
    ) ?? [];
  const isVolume = before === undefined || fieldOf(before.replace(/[\s:(_]{1,3}$/u, ''))?.name === 'volume';
  return number !== undefined && isVolume
    ? { number: Number(number), isBefore: sign !== '' && word!.length === 1 }
    : undefined;
}

/** Whether two columns have the same name, written in whatever way. */
export const isSameName = (one: string, other: string): boolean => fold(one) === fold(other);

/** Whether a column has further keywords beside the first ones of pages or topics: "Secondary keyword", "Keyword 2". */
export const namesFurther = (name: string): boolean =>
  (/\d$/u.test(name.trim()) && isKeywordName(name.trim().replace(/[\s_-]?\d{1,2}$/u, ''))) ||
  /^(?:secondary|supporting|additional|related|other|lsi|long[ -]?tail|semantic|weitere|sekundäre) (?:keyword|keyphrase|query|querie)s?$/iu.test(
    name.trim(),
  );

export const isKeywordName = (name: string): boolean => fieldOf(name)?.name === 'keyword';

/** What a market may be called that is also the name of other places: its values decide. */
const placeNames: ReadonlySet<string> = new Set(
  namesIn(`
    location, location name, market, region, geo, standort, markt, lieu, marché, ubicación, mercado, localização, mercato, località,
    locatie, lokalizacja, rynek, регион, местоположение, 地域, 地区, 지역
  `).map(fold),
);

export const namesPlace = (name: string): boolean => placeNames.has(fold(name));

/** What the other files of Search Console's exports are about, one row each. */
const dimensions: ReadonlySet<string> = new Set(
  namesIn(`
    device, devices, device type, gerät, geräte, appareil, appareils, dispositivo, dispositivos, dispositivi, apparaat, apparaten,
    enhet, enheter, enhed, enheder, laite, laitteet, urządzenie, urządzenia, zařízení, zariadenie, eszköz, dispozitiv,
    устройство, устройства, пристрій, пристрої, cihaz, cihazlar, συσκευή, デバイス, 기기, 设备, 裝置, thiết bị, perangkat,
    อุปกรณ์, डिवाइस, الجهاز, מכשיר,
    search appearance, darstellung in der suche, apparence dans les résultats de recherche, apparence de recherche,
    apariencia en el buscador, apariencia en la búsqueda, aspecto en la búsqueda, aparência na pesquisa, aspeto na pesquisa,
    aspetto nella ricerca, aspetto nei risultati di ricerca, weergave in zoekresultaten, wygląd w wyszukiwarce,
    вид в поиске, представление в поиске, arama görünümü, 検索での見え方, 검색 노출, 搜索结果呈现, 搜尋外觀,
    filter, filters, filtre, filtres, filtro, filtros, filtri, filtr, filtry, фильтр, фильтры, фільтр, bộ lọc, フィルタ, 筛选器, 필터
  `).map(fold),
);

/** Whether a column says what a row of figures is about that is no keyword: a kind of device, of results or of filters. */
export const namesDimension = (name: string): boolean => dimensions.has(fold(name));

/** Words that make a title of the name of keywords: "My keyword list:". */
const listWords =
  /(?:^|\s)(?:my|all|our|the|list of|list|liste des?|liste|lista de|lista|elenco|lijst|seznam|список|перелік|мои|все|の一覧|一覧|リスト|列表|목록|listesi)(?=\s|$)/giu;

/** Whether a line is the title of the keywords below it. */
export const isListTitle = (line: string): boolean => {
  const text = line
    .trim()
    .replace(/[:：]$/u, '')
    .trimEnd();
  return isKeywordName(text) || (text.length < 60 && isKeywordName(text.replace(listWords, ' ').trim()));
};

/** What a name suggests without "global" or "worldwide" in it; undefined if it has neither. */
export function globalSuggestionOf(name: string): Suggestion | undefined {
  const trimmed = name.trim();
  const local = trimmed.replace(/^global\s|\((?:global|worldwide|all countries)\)$/iu, '');
  return local === trimmed ? undefined : suggestionOf(local);
}

/** Whether a header cell is the name of a field or of a level. */
export const isKnownName = (name: string): boolean => {
  const meaning = suggestionOf(name)?.meaning;
  return meaning !== undefined && meaning !== 'leaveOut';
};

/**
 * The keywords of a line such as "oak desk, pine desk", without the title of a list before its colon, and without the brackets
 * and quotes of a program's list: `["oak desk", "pine desk"]`, also where each keyword has a line: `"oak desk",`.
 */
export function keywordsOnLine(line: string, separator: Separator): string[] {
  const [, , alone] = /^(["'])((?:(?!\1).)*)\1$/u.exec(withoutEnd(line.trim(), separator)) ?? [];
  if (alone !== undefined) return [alone];
  const end = line.search(/[:：]/u);
  const list = end > 0 && isListTitle(line.slice(0, end)) ? line.slice(end + 1) : line;
  const inner = insideBrackets(list.trim());
  // The sign is a part of each hashtag.
  const parts = separator === ' #' ? list.trim().split(/\s+/u) : (inner ?? list).split(separator);
  const keywords = parts.map((part) => part.trim());
  return inner === undefined ? keywords : keywords.map((keyword) => keyword.replace(/^(["'])(.*)\1$/u, '$2'));
}

const withoutEnd = (line: string, separator: Separator): string =>
  line.endsWith(separator) ? line.slice(0, -separator.length).trimEnd() : line;

/** What is between the brackets of a program's list of texts; undefined for another text. */
export function insideBrackets(text: string): string | undefined {
  if (!/^(?:\[.*\]|\(.*\))$/su.test(text)) return undefined;
  const inner = text.slice(1, -1).trim();
  const whole = inner.endsWith(',') ? inner.slice(0, -1).trimEnd() : inner;
  return /^(["']).*\1$/su.test(whole) ? whole : undefined;
}

/** Capital letters in names of costs that are no currency. */
const noCurrencies: ReadonlySet<string> = new Set(['CPC', 'PPC', 'CPM', 'ADS', 'MAX', 'MIN', 'AVG', 'LOW']);
const mark = /(?:^|[\s,/])(?:in\s)?\(?([A-Z]{3}|[A-Z]{0,2}[$€£¥₽₹₩₴₺₫฿₪₦₱]|руб\.?|zł|kr\.?|Kč|Ft|lei)\)?$/u;

/**
 * The currency that the name of a column of costs ends with, as it is written there: "EUR" of "CPC (EUR)", "₽" of "CPC, ₽".
 * `rest` is the name without it.
 */
export function currencyIn(name: string): { readonly rest: string; readonly currency: string } | undefined {
  const found = mark.exec(name.trim());
  if (!found || found.index === 0 || noCurrencies.has(found[1]!)) return undefined;
  const rest = name.trim().slice(0, found.index).trimEnd();
  return { rest: rest.endsWith(',') ? rest.slice(0, -1) : rest, currency: found[1]! };
}

const columnNames =
  /^(?:currency(?: code)?|währung(?:scode)?|moneda|code? (?:de )?devise|devise|valuta|moeda|waluta|валюта|měna|mena|pénznem|monedă|通貨|货币|币种|幣別|貨幣|통화|para birimi|tiền tệ|mata uang)$/iu;

/** Whether a column says in which currency the costs of its rows are. */
export const namesCurrency = (name: string): boolean => columnNames.test(name.trim());
