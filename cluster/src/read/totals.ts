import { namesIn } from '../../../pack/src/upload/spelling.ts';
import { additiveFigures, type Column } from './reading.ts';
import { numberOfCell } from './values.ts';

/** What a row of totals is called, alone, before a colon or with {@link scopes}. */
const words: ReadonlySet<string> = new Set(
  namesIn(`
  total, totals, grand total, overall, overall total, subtotal, sub total, sub-total, sum, summe, zwischensumme, gesamt, gesamtsumme,
  gesamtergebnis, totalsumme, kontosumme, insgesamt, totaux, total général, total general, sous total, sous-total, suma, suma total, subtotales,
  totale, totali, totale complessivo, totale generale, subtotale, totaal, totalen, subtotaal, eindtotaal, accounttotaal,
  i alt, totalt, sammanlagt, delsumma, summa, yhteensä, välisumma, razem, suma końcowa, suma częściowa, łącznie, celkem,
  mezisoučet, součet, spolu, összesen, részösszeg, végösszeg, итого, всего, общий итог, промежуточный итог, итог, разом,
  усього, загалом, ukupno, sveukupno, skupaj, kokku, iš viso, kopā, összeg, сума, suma totală, totale parziale, jumlah total, підсумок, общо, toplam, toplamlar, ara toplam, genel toplam, σύνολο, μερικό σύνολο, γενικό σύνολο,
  合計, 総計, 総合計, 小計, 计, 总计, 合计, 小计, 總計, 合計, 小計, 총계, 합계, 소계, 전체, tổng, tổng cộng, jumlah, รวม, कुल,
  المجموع, الإجمالي, סך הכל, סה"כ
`),
);
/** What a total may be of, and the words between: "Total de la cuenta", "Всего по кампаниям", "アカウントの合計". */
const scopes: ReadonlySet<string> = new Set(
  namesIn(`
  volume, volumes, searches, clicks, impressions, traffic, suchvolumen, klicks, all, the, for, of, in, grand, overall, general, global, geral, generale, général, globalna, celkový, celková, общий, общая,
  загальний, загальна, genel, account, accounts, campaign, campaigns, ad, group, groups, keyword, keywords, search, term, terms,
  query, queries, filtered, other, selected, selection, rows, report, konto, kontos, für, alle, aller, kampagne, kampagnen,
  anzeigengruppe, suchbegriffe, suchanfragen, auswahl, compte, pour, de, du, des, la, le, les, l, campagne, campagnes,
  requêtes, mots, clés, termes, recherche, sélection, cuenta, del, las, los, el, campaña, campañas, palabras, clave,
  términos, búsqueda, consultas, conta, da, do, das, dos, campanha, campanhas, palavras, chave, termos, pesquisa, di, dell,
  della, dei, delle, campagna, parole, chiave, termini, ricerca, van, het, voor, zoekwoorden, zoektermen, konta, dla,
  kampanii, kampanie, słów, kluczowych, účtu, účet, za, kampaně, klíčových, по, за, все, всем, аккаунт, аккаунту,
  кампании, кампаниям, запросам, запросов, ключевым, словам, рекламным, акаунт, кампаніях, кампаніям, запитам, hesap,
  kampanya, kampanyalar, anahtar, kelimeler, kontot, kampanjer, sökord, kontoen, kampagner, søgeord
`),
);
/** The same in scripts without blanks between words. */
const scopesWithoutBlanks =
  /アカウント|キャンペーン|検索語句|キーワード|クエリ|すべて|全て|全部|账号|账户|帐户|系列|广告|搜索字词|关键字|关键词|查询|所有|帳戶|廣告|關鍵字|계정|캠페인|키워드|검색어|の/gu;
/** What a row of averages is called. */
const averages: ReadonlySet<string> = new Set(
  namesIn(`
  average, averages, avg, avg., mean, durchschnitt, mittelwert, moyenne, moyennes, promedio, media, medie, média,
  gemiddelde, gennemsnit, gjennomsnitt, genomsnitt, keskiarvo, średnia, průměr, átlag, среднее, в среднем, середнє,
  ortalama, μέσος όρος, 平均, 平均值, 평균, trung bình, medelvärde, medel, snitt, middelværdi, middelverdi, gjennomsnittlig,
  moy, moy., mittel, media aritmética, valor medio, valor médio, priemer, povprečje, prosjek, prosek, среднее значение,
  середнє значення, средно, μέση τιμή, keskmine, vidurkis, vidējais, rata-rata, ค่าเฉลี่ย, औसत, المتوسط, ממוצע
`),
);
/** Names of other summary rows, which spreadsheets and reports write below one another. */
const summaries = {
  minimum: `
  min, min., minimum, lowest, smallest, kleinster wert, niedrigster wert, mínimo, minimo, laagste, najmniejsza, мин, мин., минимум,
  мінімум, en düşük, 最小, 最小値, 最小值, 최소, 최솟값
  `,
  maximum: `
  max, max., maximum, highest, largest, größter wert, höchster wert, máximo, massimo, hoogste, największa, макс, макс., максимум,
  en yüksek, 最大, 最大値, 最大值, 최대, 최댓값
  `,
  count: `
  count, counts, counta, row count, number of rows, number of keywords, rows, anzahl, anzahl zeilen, nombre, nb, recuento, contagem, conteggio,
  aantal, liczba, počet, количество, кол-во, кількість, sayı, 個数, 件数, 计数, 개수
  `,
  median: `
  median, medián, médiane, mediana, mediaan, медиана, медіана, medyan, 中央値, 中位数, 중앙값,
  std, stdev, st dev, std dev, std. dev., standard deviation, standardabweichung, écart type, desviación estándar
  `,
} as const;
type SummaryName = keyof typeof summaries;
const summaryNames: ReadonlyMap<string, SummaryName> = new Map(
  (Object.keys(summaries) as SummaryName[]).flatMap((name) =>
    namesIn(summaries[name]).map((word) => [word, name] as const),
  ),
);
/** Of fewer rows, one may be the sum of the others by chance. */
const fewest = 4;
/** The same of a row with a keyword and one figure: tools round volumes, and a head term may have that of all others together. */
const fewestWithKeyword = 20;
const minInBlock = 2;
/** Relative: tools round totals, and the figures that they add up. */
const tolerance = 1e-6;
/** Relative: what a total is less than the sum of rounded figures. */
const roundedShare = 0.01;
/** Relative, or absolute for small figures: averages are rounded to whole numbers. */
const toleranceOfAverages = 0.01;

/** Tells rows of totals from keywords. The rows of a table are added in their order. */
export class Totals {
  readonly #allColumns: readonly Column[];
  readonly #columns: readonly { readonly at: number; readonly column: Column }[];
  readonly #keyword: number;
  readonly #sums: Float64Array;
  readonly #largest: Float64Array;
  readonly #smallest: Float64Array;
  /** In how many rows each figure is known. */
  readonly #known: Float64Array;
  /** The sums since the last subtotal, and of how many rows. */
  readonly #block: Float64Array;
  #blockRows = 0;
  #rows = 0;

  constructor(columns: readonly Column[]) {
    this.#allColumns = columns;
    this.#columns = columns.flatMap((column, at) => (additiveFigures.has(column.meaning) ? [{ at, column }] : []));
    this.#keyword = columns.findIndex(({ meaning }) => meaning === 'keyword');
    this.#sums = new Float64Array(this.#columns.length);
    this.#largest = new Float64Array(this.#columns.length);
    this.#smallest = new Float64Array(this.#columns.length).fill(Number.POSITIVE_INFINITY);
    this.#known = new Float64Array(this.#columns.length);
    this.#block = new Float64Array(this.#columns.length);
  }

  add(cells: readonly string[]): void {
    this.#rows++;
    this.#blockRows++;
    for (const { at, value } of this.#figures(cells)) {
      this.#sums[at]! += value;
      this.#block[at]! += value;
      this.#known[at]!++;
      this.#largest[at] = Math.max(this.#largest[at]!, value);
      this.#smallest[at] = Math.min(this.#smallest[at]!, value);
    }
  }

  /** Whether a row is called a total and adds up the rows since the last one that did: a subtotal between groups. */
  takeSubtotal(cells: readonly string[]): boolean {
    if (this.#blockRows < minInBlock || !namesSubtotal(this.#name(cells))) return false;
    const figures = this.#figures(cells);
    const isSum = figures.every(({ at, value }) => Math.abs(value - this.#block[at]!) <= tolerance * this.#block[at]!);
    if (!figures.some(({ value }) => value > 0) || !isSum) return false;
    this.#block.fill(0);
    this.#blockRows = 0;
    return true;
  }

  /** The same with more rows. */
  with(rows: readonly (readonly string[])[]): Totals {
    const more = new Totals(this.#allColumns);
    more.#rows = this.#rows;
    more.#sums.set(this.#sums);
    more.#largest.set(this.#largest);
    more.#smallest.set(this.#smallest);
    more.#known.set(this.#known);
    for (const row of rows) more.add(row);
    return more;
  }

  /**
   * Whether a row adds up the rows so far: every figure is their sum, or its name says so and no row so far has more. One figure
   * of a few rows says that only without a keyword.
   * "Total: Account" says so in any case. A single word is also a keyword, like "sum" and "overall", and has less than all others
   * together then.
   */
  isTotalOf(cells: readonly string[]): boolean {
    const label = this.#label(cells);
    if (label === 'labelled') return true;
    const figures = this.#figures(cells);
    if (label === 'word') {
      const least = /\s/u.test(this.#name(cells)) ? this.#largest : this.#sums.map((sum) => (1 - roundedShare) * sum);
      return this.#rows > 0 && figures.length > 0 && figures.every(({ at, value }) => value >= least[at]!);
    }
    if (label === 'average') {
      const means = this.#sums.map((sum, at) => sum / this.#known[at]!);
      const isMean = ({ at, value }: Figure) =>
        Math.abs(value - means[at]!) <= Math.max(1, toleranceOfAverages * means[at]!);
      return this.#rows >= fewest && figures.length > 0 && figures.every(isMean);
    }
    const more = figures.filter(({ at, value }) => value > this.#largest[at]!).length;
    const isKeyword = saysSomething(cells[this.#keyword] ?? '');
    return (
      more > 0 &&
      this.#rows >= (isKeyword && more === 1 ? fewestWithKeyword : fewest) &&
      figures.every(({ at, value }) => Math.abs(value - this.#sums[at]!) <= tolerance * this.#sums[at]!)
    );
  }

  /**
   * Whether rows are the minimum, maximum, median or count of the rows so far, as they are called. One such word alone may be a keyword, so
   * at least two rows must have the right figures.
   */
  areSummaries(rows: readonly (readonly string[])[]): boolean {
    if (this.#rows < fewest) return false;
    const sure = rows.filter((cells) => this.#summaryName(cells) !== 'median' && this.#isSummary(cells));
    return new Set(sure.map((cells) => this.#name(cells))).size >= 2 && rows.every((cells) => this.#isSummary(cells));
  }

  #isSummary(cells: readonly string[]): boolean {
    const name = this.#summaryName(cells);
    if (name === undefined) return this.isTotalOf(cells);
    const figures = this.#figures(cells);
    const isRight = ({ at, value }: Figure): boolean => {
      if (name === 'minimum') return value === this.#smallest[at];
      if (name === 'maximum') return value === this.#largest[at];
      if (name === 'count') return value === this.#known[at] || value === this.#rows;
      return value <= this.#largest[at]!;
    };
    return figures.length > 0 && figures.every(isRight);
  }

  #summaryName(cells: readonly string[]): SummaryName | undefined {
    return summaryNames.get(
      this.#name(cells)
        .replace(/[:：]$/u, '')
        .trimEnd(),
    );
  }

  /** Whether a row is called a total, so that more of them may follow. */
  isCalledTotal(cells: readonly string[]): boolean {
    const label = this.#label(cells);
    return label === 'labelled' || label === 'word';
  }

  /** Whether a row may be the total of rows that begin with those so far: none of its figures is less than their sum. */
  mayBeTotal(cells: readonly string[]): boolean {
    if (this.isCalledTotal(cells)) return true;
    const figures = this.#figures(cells);
    return (
      figures.some(({ value }) => value > 0) &&
      figures.every(({ at, value }) => value >= (1 - tolerance) * this.#sums[at]!)
    );
  }

  /** What a row is called: its keyword, or its first text if it has no keyword. */
  #name(cells: readonly string[]): string {
    const keyword = cells[this.#keyword] ?? '';
    return (saysSomething(keyword) ? keyword : (cells.find(saysSomething) ?? '')).trim().toLowerCase();
  }

  #label(cells: readonly string[]): 'labelled' | 'word' | 'average' | undefined {
    return labelOf(this.#name(cells));
  }

  /** The known figures of a row that add up, by their places among those columns. */
  #figures(cells: readonly string[]): Figure[] {
    return this.#columns.flatMap(({ at, column }, place) => {
      const value = numberOfCell(cells[at] ?? '', { ...column, isCount: true });
      return Number.isNaN(value) ? [] : [{ at: place, value }];
    });
  }
}

type Figure = { readonly at: number; readonly value: number };

const saysSomething = (cell: string): boolean => /[\p{L}\p{N}]/u.test(cell);

/** Whether a text begins or ends with the word for a total: "Subtotal: desks" and "desks total". It is asked about each row. */
function namesSubtotal(text: string): boolean {
  const end = text.search(/[\s:：]/u);
  if (end < 0) return words.has(text);
  return words.has(text.slice(0, end)) || words.has(text.slice(text.lastIndexOf(' ') + 1)) || words.has(text);
}

/** Whether a text is the word for a total or an average, or says with a colon or a dash what it is the total of. */
function labelOf(text: string): 'labelled' | 'word' | 'average' | undefined {
  if (words.has(text)) return 'word';
  if (averages.has(text)) return 'average';
  if (text.length > longestLabel) return undefined;
  const end = text.search(/[:：]| [–—-] /u);
  const before = text.slice(0, Math.max(0, end)).trim();
  if (words.has(before) || (/[:：]\s*\d/u.test(text) && saysTotal(before))) return 'labelled';
  return saysTotal(text) ? 'word' : undefined;
}

/** Whether a text says "total", and what it is the total of. */
function saysTotal(text: string): boolean {
  const plain = text.replace(scopesWithoutBlanks, ' ').trim();
  const said = plain.split(/[\s\d\p{P}]+/u).filter((word) => word !== '' && !scopes.has(word));
  return said.length > 0 && (words.has(said.join(' ')) || said.every((word) => words.has(word)));
}

const longestLabel = 60;

/** Fewer groups add up by chance, or because the first row is the total; and so do those of fewer rows of an ordinary table. */
const minGroups = 2;
const minInGroups = 20;

/**
 * Whether rows are groups whose figure is the sum of two rows or more below them, from the first row to the last.
 *
 * @param at the column of the figure
 * @param isPivot whether the table is called like a pivot table
 */
export function holdGroups(
  cells: readonly (readonly string[])[],
  at: number,
  column: Pick<Column, 'hasDecimalComma' | 'hasDecimalPoint'>,
  isPivot: boolean,
): boolean {
  if (cells.length < minInGroups && !isPivot) return false;
  const figures = cells.map((record) => numberOfCell(record[at] ?? '', { ...column, isCount: true }));
  let groups = 0;
  for (let row = 0; row < figures.length; ) {
    let [sum, next] = [0, row + 1];
    while (next < figures.length && (sum < figures[row]! || next < row + 3)) sum += figures[next++]!;
    // The last group may go on, or is the total of all.
    if (sum !== figures[row] || sum === 0) return groups >= minGroups && next === figures.length;
    groups++;
    row = next;
  }
  return groups >= minGroups;
}
