import { describe, expect, test } from 'vitest';
import { keywordsOf, meanings, utf8 } from './support/lists.ts';

/** Search Console's export of queries in the languages of its interface: query, clicks, impressions, rate, position. */
const searchConsole = {
  English: 'Top queries,Clicks,Impressions,CTR,Position',
  German: 'Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position',
  French: 'Requêtes les plus fréquentes,Clics,Impressions,CTR,Position',
  Spanish: 'Consultas principales,Clics,Impresiones,CTR,Posición',
  Portuguese: 'Principais consultas,Cliques,Impressões,CTR,Posição',
  Italian: 'Query più frequenti,Clic,Impressioni,CTR,Posizione',
  Dutch: 'Populairste zoekopdrachten,Klikken,Vertoningen,CTR,Positie',
  Polish: 'Najpopularniejsze zapytania,Kliknięcia,Wyświetlenia,CTR,Pozycja',
  Czech: 'Nejčastější dotazy,Kliknutí,Zobrazení,CTR,Pozice',
  Hungarian: 'Leggyakoribb lekérdezések,Kattintások,Megjelenítések,CTR,Pozíció',
  Swedish: 'Vanligaste sökfrågorna,Klick,Visningar,CTR,Placering',
  Danish: 'Mest populære forespørgsler,Klik,Visninger,CTR,Position',
  Norwegian: 'Populære søk,Klikk,Visninger,Klikkfrekvens,Posisjon',
  Finnish: 'Suosituimmat kyselyt,Klikkaukset,Näyttökerrat,Klikkausprosentti,Sijainti',
  Russian: 'Популярные запросы,Клики,Показы,CTR,Позиция',
  Ukrainian: 'Найпопулярніші запити,Кліки,Покази,CTR,Позиція',
  Turkish: 'En çok yapılan sorgular,Tıklamalar,Gösterimler,TO,Konum',
  Greek: 'Κορυφαία ερωτήματα,Κλικ,Εμφανίσεις,CTR,Θέση',
  Romanian: 'Interogări principale,Clicuri,Afișări,CTR,Poziție',
  Japanese: '上位のクエリ,クリック数,表示回数,CTR,掲載順位',
  Korean: '인기 검색어,클릭수,노출,CTR,게재순위',
  'Chinese, simplified': '热门查询,点击次数,展示,点击率,排名',
  'Chinese, traditional': '熱門查詢項目,點擊,曝光,點閱率,排名',
  Vietnamese: 'Cụm từ tìm kiếm hàng đầu,Số lượt nhấp,Số lượt hiển thị,CTR,Vị trí',
  Indonesian: 'Kueri teratas,Klik,Tayangan,CTR,Posisi',
};

/** Other words that the same tool has used. */
const otherWords = {
  German: 'Suchanfrage,Klicks,Impressionen,CTR,Position',
  French: 'Principales requêtes,Clics,Impressions,Taux de clics,Position moyenne',
  Spanish: 'Consultas,Clics,Impresiones,CTR,Posición media',
  Italian: 'Query principali,Clic,Impressioni,CTR,Posizione media',
  Polish: 'Najczęstsze zapytania,Kliknięcia,Wyświetlenia,CTR,Średnia pozycja',
  Danish: 'Mest populære forespørgsler,Klik,Eksponeringer,Klikrate,Placering',
  Turkish: 'En popüler sorgular,Tıklama,Görüntüleme,Tıklama oranı,Ortalama konum',
  Russian: 'Поисковый запрос,Клики,Показы,CTR,Средняя позиция',
  Korean: '인기 검색어,클릭수,노출수,클릭률,평균 게재순위',
  'Chinese, simplified': '热门查询,点击次数,展示次数,点击率,平均排名',
};

/** How a language writes 1234, 12.5 % and 1.5. */
const english = ['"1,234"', '12.5%', '1.5'];
const withBlanks = ['"1\u202f234"', '"12,5 %"', '"1,5"'];
const withPoints = ['"1.234"', '"12,5 %"', '"1,5"'];
const figuresIn: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['German', 'Spanish', 'Portuguese', 'Italian', 'Dutch', 'Danish'].map((one) => [one, withPoints]),
  ),
  ...Object.fromEntries(['Greek', 'Romanian', 'Vietnamese', 'Indonesian'].map((one) => [one, withPoints])),
  ...Object.fromEntries(
    ['French', 'Polish', 'Czech', 'Hungarian', 'Swedish', 'Norwegian'].map((one) => [one, withBlanks]),
  ),
  ...Object.fromEntries(['Finnish', 'Russian', 'Ukrainian'].map((one) => [one, withBlanks])),
  Turkish: ['"1.234"', '"%12,5"', '"1,5"'],
};

describe('Search Console', () => {
  const headers = [...Object.entries(searchConsole), ...Object.entries(otherWords)];
  // Shows P20.12.
  test.each(headers.map(([language, header]) => [language, header] as const))('in %s: %s', (language, header) => {
    const [impressions, rate, position] = figuresIn[language] ?? english;
    const rows = Array.from({ length: 6 }, (_, at) => `word ${at},${at + 1},${impressions},${rate},${position}\n`);
    const { keywords, readings } = keywordsOf([{ name: 'queries.csv', bytes: utf8(`${header}\n${rows.join('')}`) }]);
    expect(Object.values(meanings(readings[0]!))).toEqual(['keyword', 'clicks', 'impressions', 'ctr', 'position']);
    expect(readings[0]!.vendor).toBe('search-console');
    const { figures } = keywords;
    expect([...figures.clicks!]).toEqual([1, 2, 3, 4, 5, 6]);
    const same = [figures.impressions, figures.ctr, figures.position].map((column) => [...new Set(column)]);
    expect(same).toEqual([[1234], [0.125], [1.5]]);
  });

  // Shows P20.12.
  test.each([
    ['German', 'Häufigste Suchanfragen,Letzte 3 Monate Klicks,Vorherige 3 Monate Klicks'],
    ['French', 'Requêtes les plus fréquentes,Clics : 28 derniers jours,Clics : 28 jours précédents'],
    ['Japanese', '上位のクエリ,過去 28 日間 クリック数,前の 28 日間 クリック数'],
    ['English', 'Top queries,3/1/26 - 3/31/26 Clicks,2/1/26 - 2/28/26 Clicks'],
    ['years, the older one last', 'Query,Clicks (2026),Clicks (2025)'],
  ])('compares two periods in %s: the newer one counts', (_language, header) => {
    const bytes = utf8(`${header}\nhose,3,7\nrake,4,9\n`);
    expect([...keywordsOf([{ name: 'x.csv', bytes }]).keywords.figures.clicks!]).toEqual([3, 4]);
  });
  test('compares two years: the newer one counts wherever it stands', () => {
    const bytes = utf8('Query,Clicks (2025),Clicks (2026)\nhose,7,3\n');
    expect([...keywordsOf([{ name: 'x.csv', bytes }]).keywords.figures.clicks!]).toEqual([3]);
  });
});

/** Keyword Planner: keyword, searches, competition, its index, two bids, a month; and a range from a thousand to ten. */
const keywordPlanner = {
  Portuguese: [
    'Palavra-chave\tMédia de pesquisas mensais\tConcorrência\tConcorrência (valor indexado)\tLance da parte superior da página (intervalo menor)\tLance da parte superior da página (intervalo maior)\tPesquisas: mar. de 2026',
    '1 mil – 10 mil',
  ],
  Dutch: [
    'Zoekwoord\tGem. maandelijkse zoekopdrachten\tConcurrentie\tConcurrentie (geïndexeerde waarde)\tBod bovenaan de pagina (laag bereik)\tBod bovenaan de pagina (hoog bereik)\tZoekopdrachten: mrt 2026',
    '1000 – 10.000',
  ],
  Polish: [
    'Słowo kluczowe\tŚr. miesięczna liczba wyszukiwań\tKonkurencja\tKonkurencja (wartość zindeksowana)\tStawka za górną część strony (dolny zakres)\tStawka za górną część strony (górny zakres)\tWyszukiwania: mar 2026',
    '1 tys. – 10 tys.',
  ],
  Ukrainian: [
    'Ключове слово\tСер. кількість запитів на місяць\tКонкуренція\tКонкуренція (індексоване значення)\tСтавка для показу вгорі сторінки (мін.)\tСтавка для показу вгорі сторінки (макс.)\tЗапити: бер. 2026',
    '1 тис. – 10 тис.',
  ],
  Turkish: [
    'Anahtar Kelime\tOrt. aylık arama sayısı\tRekabet\tRekabet (dizine eklenen değer)\tSayfanın üst kısmı teklifi (düşük aralık)\tSayfanın üst kısmı teklifi (yüksek aralık)\tAramalar: Mar 2026',
    '1 B – 10 B',
  ],
  Korean: [
    '키워드\t월평균 검색량\t경쟁\t경쟁(색인 생성 값)\t페이지 상단 입찰가(최저 범위)\t페이지 상단 입찰가(최고 범위)\t검색: 2026년 3월',
    '1천~1만',
  ],
  Chinese: [
    '关键字\t平均每月搜索量\t竞争程度\t竞争程度（指数值）\t页首出价（低位区间）\t页首出价（高位区间）\t搜索量：2026年3月',
    '1000 – 1万',
  ],
  Swedish: [
    'Sökord\tGenomsn. antal sökningar per månad\tKonkurrens\tKonkurrens (indexerat värde)\tBud för sidans övre del (lågt intervall)\tBud för sidans övre del (högt intervall)\tSökningar: mars 2026',
    '1 tn – 10 tn',
  ],
  Danish: [
    'Søgeord\tGns. månedlige søgninger\tKonkurrence\tKonkurrence (indekseret værdi)\tBud øverst på siden (lavt interval)\tBud øverst på siden (højt interval)\tSøgninger: mar. 2026',
    '1 t – 10 t',
  ],
  Czech: [
    'Klíčové slovo\tPrům. měsíční vyhledávání\tKonkurence\tKonkurence (indexovaná hodnota)\tNabídka pro horní část stránky (nízké rozmezí)\tNabídka pro horní část stránky (vysoké rozmezí)\tVyhledávání: bře 2026',
    '1 tis. – 10 tis.',
  ],
  French: [
    'Mot clé\tNbre moy. de recherches mensuelles\tConcurrence\tConcurrence (valeur indexée)\tEnchère de haut de page (fourchette basse)\tEnchère de haut de page (fourchette haute)\tRecherches : mars 2026',
    '1 k – 10 k',
  ],
  German: [
    'Keyword\tDurchschnittl. Suchanfragen pro Monat\tWettbewerb\tWettbewerb (indexierter Wert)\tGebot für obere Positionen (unterer Bereich)\tGebot für obere Positionen (oberer Bereich)\tSuchanfragen: März 2026',
    '1000–10.000',
  ],
  Italian: [
    'Parola chiave\tMedia delle ricerche mensili\tConcorrenza\tConcorrenza (valore indicizzato)\tOfferta per la parte superiore della pagina (intervallo inferiore)\tOfferta per la parte superiore della pagina (intervallo superiore)\tRicerche: mar 2026',
    '1000 - 10.000',
  ],
  Russian: [
    'Ключевое слово\tСреднее число запросов в месяц\tУровень конкуренции\tКонкуренция (индексированное значение)\tСтавка для показа вверху стр. (мин.)\tСтавка для показа вверху стр. (макс.)\tЗапросы: мар. 2026',
    '1 тыс. – 10 тыс.',
  ],
  Japanese: [
    'キーワード\t月間平均検索ボリューム\t競合性\t競合性（インデックス値）\tページ上部に掲載された広告の入札単価（低額帯）\tページ上部に掲載された広告の入札単価（高額帯）\t検索数: 2026年3月',
    '1000～1万',
  ],
  Spanish: [
    'Palabra clave\tPromedio de búsquedas mensuales\tCompetencia\tCompetencia (valor indexado)\tPuja por la parte superior de la página (intervalo bajo)\tPuja por la parte superior de la página (intervalo alto)\tBúsquedas: mar 2026',
    '1 mil a 10 mil',
  ],
};

describe('Keyword Planner', () => {
  // Shows P20.12.
  test.each(Object.entries(keywordPlanner))('in %s', (_language, [header, range]) => {
    const rows = Array.from({ length: 6 }, (_, at) => `word ${at}\t${range}\t\t${at + 10}\t0,50\t1,50\t${at + 300}\n`);
    const { keywords, readings } = keywordsOf([{ name: 'planner.tsv', bytes: utf8(`${header}\n${rows.join('')}`) }]);
    expect(Object.values(meanings(readings[0]!)).filter((meaning) => meaning !== 'competition')).toEqual([
      ...['keyword', 'volume', 'competitionIndex', 'cpcBound', 'cpcBound', 'trendMonth'],
    ]);
    const { volume, cpc, competition } = keywords.figures;
    expect([...new Set(volume), ...new Set(cpc), competition![0]]).toEqual([5500, 1, 0.1]);
    expect(keywords.trend!.values[0]).toMatch(/,300$/u);
  });
});
