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

describe('Search Console', () => {
  test.each(Object.entries(searchConsole))('in %s', (_language, header) => {
    const rows = Array.from({ length: 6 }, (_, at) => `word ${at},${at + 1},${10 * at + 10},10%,${at + 1}.5\n`);
    const { keywords, readings } = keywordsOf([{ name: 'queries.csv', bytes: utf8(`${header}\n${rows.join('')}`) }]);
    expect(Object.values(meanings(readings[0]!))).toEqual(['keyword', 'clicks', 'impressions', 'ctr', 'position']);
    expect(readings[0]!.vendor).toBe('search-console');
    expect([...keywords.figures.clicks!]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...keywords.figures.position!]).toEqual([1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
    expect([...new Set(keywords.figures.ctr)]).toEqual([0.1]);
  });
});

/** Keyword Planner: keyword, average searches, competition, its index; a month of searches. */
const keywordPlanner = {
  German:
    'Keyword\tDurchschnittl. Suchanfragen pro Monat\tWettbewerb\tWettbewerb (indexierter Wert)\tSuchanfragen: März 2026',
  French: 'Mot clé\tRecherches mensuelles moyennes\tConcurrence\tConcurrence (valeur indexée)\tRecherches : mars 2026',
  Spanish:
    'Palabra clave\tPromedio de búsquedas mensuales\tCompetencia\tCompetencia (valor indexado)\tBúsquedas: mar 2026',
  Italian: 'Parola chiave\tMedia ricerche mensili\tConcorrenza\tConcorrenza (valore indicizzato)\tRicerche: mar 2026',
  Russian:
    'Ключевое слово\tСреднее число запросов в месяц\tУровень конкуренции\tКонкуренция (индексированное значение)\tЗапросы: март 2026',
  Japanese: 'キーワード\t月間平均検索ボリューム\t競合性\t競合性（インデックス値）\t検索数: 2026年3月',
};

describe('Keyword Planner', () => {
  test.each(Object.entries(keywordPlanner))('in %s', (_language, header) => {
    const rows = Array.from({ length: 6 }, (_, at) => `word ${at}\t${100 * at + 200}\t\t${at + 10}\t${at + 300}\n`);
    const { keywords, readings } = keywordsOf([{ name: 'planner.tsv', bytes: utf8(`${header}\n${rows.join('')}`) }]);
    expect(Object.values(meanings(readings[0]!)).filter((meaning) => meaning !== 'competition')).toEqual([
      ...['keyword', 'volume', 'competitionIndex', 'trendMonth'],
    ]);
    expect([...keywords.figures.volume!]).toEqual([200, 300, 400, 500, 600, 700]);
    expect(keywords.figures.competition![0]).toBe(0.1);
    expect(keywords.trend!.values[0]).toMatch(/,300$/u);
  });
});
