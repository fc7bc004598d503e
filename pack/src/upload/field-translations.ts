import { namesIn } from './spelling.ts';

/** The names of columns with search terms. Reports of ads also have the keyword that was bid on; search terms take precedence over it. */
export const searchTerms: readonly string[] = namesIn(`
  query, queries, search query, search queries, search term, search terms, top queries, suchanfrage, suchanfragen,
  häufigste suchanfragen, suchbegriff, suchbegriffe, requête, requêtes, requêtes les plus fréquentes,
  principales requêtes, terme de recherche, termes de recherche, consulta, consultas, consultas principales,
  término de búsqueda, términos de búsqueda, principais consultas, termo de pesquisa, termos de pesquisa,
  termo de busca, consultes principals, query principali, query più frequenti, query di ricerca, termine di ricerca,
  termini di ricerca, zoekopdracht, zoekopdrachten, populairste zoekopdrachten, meest gebruikte zoekopdrachten,
  zoekterm, zoektermen, søgeterm, søgeforespørgsel, søkefrase, sökfråga, sökfrågor, sökterm, vanligaste sökfrågorna,
  hakutermi, hakukysely, zapytanie, zapytania, najpopularniejsze zapytania, wyszukiwane hasło, dotaz, dotazy,
  nejčastější dotazy, vyhledávací dotaz, hledaný výraz, keresési kifejezés, keresőkifejezés, lekérdezés,
  leggyakoribb lekérdezések, поисковый запрос, поисковые запросы, популярные запросы, запрос, запросы,
  пошуковий запит, найпопулярніші запити, arama terimi, arama sorgusu, sorgu, sorgular, όρος αναζήτησης, 検索クエリ,
  クエリ, 上位のクエリ, 検索語句, 검색어, 인기 검색어, 搜索查询, 查询, 热门查询, 搜索字词, 搜索词, 搜尋字詞, 查詢,
  cụm từ tìm kiếm, truy vấn, istilah penelusuran, kueri penelusuran, kueri, คำค้นหา, ข้อความค้นหา, طلب البحث
`);

/**
 * The names of fields in languages other than English, in the order of English in `fields.ts`.
 *
 * Search Console and Keyword Planner write their exports in the language of the user. Accents and points do not
 * matter. Source: exports of both, and of tools that exist in one country only (Wordstat, Key Collector, SISTRIX).
 */
export const translations = {
  keyword: namesIn(`
    schlüsselwort, suchwort, mot clé, mots clés, expression, palabra clave, palabras clave, palavra chave,
    palavras chave, paraula clau, parola chiave, parole chiave, interogări, interogări principale, cuvânt cheie,
    cuvinte cheie, cele mai populare interogări, cele mai frecvente interogări, zoekwoord, zoekwoorden, trefwoord,
    populære forespørgsler, mest populære forespørgsler, mest populære søgninger, forespørgsel, søgeord, søgning,
    populære søk, vanligste søk, mest populære søk, søk, søkeord, populære søkeord, vanligaste frågorna,
    populäraste frågorna, populära sökfrågor, fråga, frågor, sökord, nyckelord, suosituimmat kyselyt, kysely, kyselyt,
    hakusana, hakusanat, avainsana, avainsanat, suosituimmat haut, najczęstsze zapytania, słowo kluczowe,
    słowa kluczowe, fraza, frazy, hasło, nejlepší dotazy, klíčové slovo, klíčová slova, kľúčové slovo, kľúčové slová,
    najčastejšie dopyty, dopyt, dopyty, lekérdezések, leggyakoribb keresések, kulcsszó, kulcsszavak,
    самые популярные запросы, ключевое слово, ключевые слова, ключ, фраза, фразы, ключевая фраза, формулировка,
    запросы со словами, запит, запити, популярні запити, ключове слово, ключові слова, заявка, заявки, топ заявки,
    най-популярни заявки, ключова дума, ключови думи, упит, упити, кључна реч, ključna riječ, ključne riječi,
    ključna beseda, en çok yapılan sorgular, en popüler sorgular, en çok aranan sorgular, en iyi sorgular,
    anahtar kelime, anahtar kelimeler, ερώτημα, ερωτήματα, κορυφαία ερωτήματα, δημοφιλέστερα ερωτήματα, λέξη κλειδί,
    λέξεις κλειδιά, キーワード, 検索キーワード, 쿼리, 상위 쿼리, 키워드, 검색 키워드, 热门查询项, 排名靠前的查询,
    关键字, 关键词, 熱門查詢項目, 熱門查詢, 查詢項目, 關鍵字, 關鍵詞, 搜尋關鍵字, từ khóa, từ khoá,
    cụm từ tìm kiếm hàng đầu, truy vấn hàng đầu, các truy vấn hàng đầu, cụm từ tìm kiếm phổ biến nhất, kueri teratas,
    kata kunci, คำค้นหายอดนิยม, คำค้นหาสูงสุด, คีย์เวิร์ด, คำหลัก, क्वेरी, प्रमुख क्वेरी, टॉप क्वेरी, कीवर्ड,
    खोज शब्द, طلبات البحث, أهم طلبات البحث, استعلام البحث, الاستعلامات, أهم الاستعلامات, الكلمة الرئيسية,
    الكلمات الرئيسية, كلمة رئيسية, عبارة البحث, שאילתה, שאילתות, שאילתות מובילות, השאילתות המובילות, מילת מפתח,
    מילות מפתח,
    słów kluczowych, ключевые запросы, ключевых слов, поисковых запросов, запросов, najczęstsze zapytania, klíčových slov, mots clés cibles
  `),
  volume: namesIn(`
    suchvolumen, volumen, suchanfragen pro monat, durchschnittl suchanfragen pro monat, durchschn suchanfragen pro monat,
    durchschnittliches suchvolumen, suchen/monat, suchen pro monat, anzahl suchen, gem aantal zoekopdrachten per maand,
    gem zoekopdrachten per maand, gemiddeld aantal zoekopdrachten per maand, zoekopdrachten per maand, śr mies liczba wyszukiwań,
    średnia liczba wyszukiwań miesięcznie, søgninger pr måned, gns søgninger pr måned, נפח חיפוש חודשי, נפח חיפוש, عدد مرات البحث,
    حجم البحث الشهري, حجم البحث, میزان جستجو, suchvolumen/monat,
    durchschnittliche suchanfragen pro monat, monatliches suchvolumen, monatliche suchanfragen,
    durchschnittliche monatliche suchanfragen, ø suchvolumen, volume de recherche, volume de recherches,
    volume de recherche mensuel, recherches mensuelles, nombre moyen de recherches mensuelles,
    recherches mensuelles moyennes, moyenne des recherches mensuelles, nbre moy de recherches mensuelles,
    volumen de búsqueda, volumen de búsquedas, búsquedas mensuales, promedio de búsquedas mensuales,
    media de búsquedas mensuales, búsquedas mensuales promedio, volumen mensual, búsquedas, volume de busca,
    volume de buscas, volume de pesquisa, volume de pesquisas, média de pesquisas mensais, pesquisas mensais,
    média de buscas mensais, buscas mensais, pesquisas mensais médias, volume di ricerca, ricerche mensili,
    media ricerche mensili, media delle ricerche mensili, volume mensile, volum de căutare, volum,
    medie căutări lunare, media căutărilor lunare, căutări lunare, zoekvolume, maandelijks zoekvolume,
    gem maandelijkse zoekopdrachten, gemiddeld aantal maandelijkse zoekopdrachten,
    gemiddelde maandelijkse zoekopdrachten, søgevolumen, månedlige søgninger, gns månedlige søgninger,
    gennemsnitlige månedlige søgninger, søkevolum, månedlige søk, gj sn månedlige søk,
    gjennomsnittlig antall månedlige søk, sökvolym, månatliga sökningar, genomsnittligt antal sökningar per månad,
    genomsn antal sökningar per månad, genomsnittliga månatliga sökningar, hakuvolyymi, hakumäärä,
    kuukausittaiset haut, keskimääräiset kuukausihaut, hakuja kuukaudessa keskimäärin, liczba wyszukiwań, wolumen,
    wolumen wyszukiwań, średnia miesięczna liczba wyszukiwań, śr miesięczna liczba wyszukiwań,
    miesięczna liczba wyszukiwań, hledanost, objem vyhledávání, průměrná měsíční vyhledávání,
    prům měsíční vyhledávání, průměrný počet vyhledávání za měsíc, měsíční hledanost, hľadanosť, objem vyhľadávania,
    keresési mennyiség, keresési volumen, átlagos havi keresések száma, átl havi keresések, havi keresések, частота,
    частотность, базовая частота, частота ws, частотность ws, ws, показов в месяц, показы в месяц, число запросов,
    количество запросов, кол-во запросов, запросов в месяц, среднее число запросов в месяц, объем поиска,
    объём поиска, ср число запросов в месяц, среднемесячное количество запросов, частота [yw], базовая частота [yw],
    частота "" [yw], частота "!" [yw], базовая частотность, базовая частотность [yw], частотность [yw], частотность "" [yw],
    частотность "!" [yw], частотність, обсяг пошуку, кількість запитів,
    середня кількість запитів на місяць, сер кількість запитів на місяць, обем на търсене, средно месечни търсения,
    arama hacmi, aylık arama hacmi, aylık ortalama arama sayısı, ort aylık arama sayısı, ortalama aylık arama,
    όγκος αναζήτησης, μέσος όρος μηνιαίων αναζητήσεων, μηνιαίες αναζητήσεις, 検索ボリューム, 月間検索ボリューム,
    月間平均検索ボリューム, 月間検索ボリューム数, 月間検索数, 検索数, 平均月間検索ボリューム, 검색량, 월간 검색량, 월평균 검색량,
    평균 월간 검색량, 월간검색수, 월 평균 검색량, 조회수, 搜索量, 月搜索量, 平均每月搜索量, 每月平均搜索量,
    月均搜索量, 搜尋量, 月搜尋量, 平均每月搜尋量, 每月平均搜尋量, lượng tìm kiếm, lượt tìm kiếm, khối lượng tìm kiếm,
    số lượt tìm kiếm trung bình hàng tháng, lượt tìm kiếm trung bình hàng tháng, volume penelusuran, volume pencarian,
    rata rata penelusuran bulanan, penelusuran bulanan rata rata, penelusuran bulanan, ปริมาณการค้นหา,
    การค้นหาต่อเดือนโดยเฉลี่ย, จำนวนการค้นหาเฉลี่ยต่อเดือน, खोज मात्रा, औसत मासिक खोज, حجم البحث,
    متوسط عدد عمليات البحث الشهرية, متوسط عمليات البحث الشهرية, נפח חיפוש, ממוצע חיפושים חודשיים
  `),
  difficulty: namesIn(`
    schwierigkeit, keyword schwierigkeit, difficulté, difficulté du mot clé, dificultad,
    dificultad de la palabra clave, dificuldade, dificuldade da palavra chave, difficoltà, dificultate, moeilijkheid,
    moeilijkheidsgraad, sværhedsgrad, vanskelighetsgrad, svårighetsgrad, vaikeus, trudność, trudność słowa kluczowego,
    obtížnost, obťažnosť, nehézség, сложность, сложность ключевого слова, складність, трудност, zorluk,
    anahtar kelime zorluğu, δυσκολία, 難易度, キーワード難易度, seo難易度, 난이도, 키워드 난이도, 难度, 关键词难度,
    關鍵字難度, 難度, độ khó, độ khó từ khóa, kesulitan, ความยาก, الصعوبة,
    difficoltà della parola chiave, difficoltà parola chiave, keyword moeilijkheid, søgeordssværhedsgrad
  `),
  cpc: namesIn(`
    klickpreis, durchschn cpc, kosten pro klick, coût par clic, cpc moyen, coste por clic, costo por clic, cpc medio,
    cpc promedio, custo por clique, cpc médio, costo per clic, cost pe clic, kosten per klik, pris pr klik,
    pris per klikk, kostnad per klick, klikkihinta, koszt kliknięcia, cena za proklik, cena za kliknutie,
    kattintásonkénti költség, цена клика, цена за клик, стоимость клика, ціна за клік, tıklama başına maliyet, tbm,
    ort tbm, κόστος ανά κλικ, クリック単価, 클릭당비용, 每次点击费用, 单次点击费用, 指导价, 推荐出价, 建议出价, 單次點擊出價, 每次點擊費用,
    chi phí mỗi lượt nhấp, bpk
  `),
  cpcBound: namesIn(`
    gebot für obere positionen (unterer bereich), gebot für obere positionen (oberer bereich),
    gebot für obere positionen (niedriger bereich), gebot für obere positionen (hoher bereich),
    enchère de haut de page (fourchette basse), enchère de haut de page (fourchette haute),
    enchère en haut de page (fourchette basse), enchère en haut de page (fourchette haute),
    puja en la parte superior de la página (gama baja), puja en la parte superior de la página (gama alta),
    puja por la parte superior de la página (intervalo bajo),
    puja por la parte superior de la página (intervalo alto), oferta de parte superior de la página (intervalo bajo),
    oferta de parte superior de la página (intervalo alto), lance na parte superior da página (intervalo baixo),
    lance na parte superior da página (intervalo alto), lance da parte superior da página (intervalo menor),
    lance da parte superior da página (intervalo maior),
    offerta per la parte superiore della pagina (intervallo inferiore),
    offerta per la parte superiore della pagina (intervallo superiore),
    offerta parte superiore della pagina (fascia bassa), offerta parte superiore della pagina (fascia alta),
    bod voor bovenaan de pagina (laag bereik), bod voor bovenaan de pagina (hoog bereik),
    bod bovenaan de pagina (laag bereik), bod bovenaan de pagina (hoog bereik),
    stawka za górną część strony (dolny zakres), stawka za górną część strony (górny zakres),
    ставка для показа вверху страницы (мин), ставка для показа вверху страницы (макс),
    ставка для показа вверху стр (мин), ставка для показа вверху стр (макс),
    ページ上部に掲載された広告の入札単価（低額帯）, ページ上部に掲載された広告の入札単価（高額帯）,
    ставка для показу вгорі сторінки (мін), ставка для показу вгорі сторінки (макс),
    ставка для показу у верхній частині сторінки (мін), ставка для показу у верхній частині сторінки (макс),
    sayfanın üst kısmı teklifi (düşük aralık), sayfanın üst kısmı teklifi (yüksek aralık),
    페이지 상단 입찰가(최저 범위), 페이지 상단 입찰가(최고 범위), 페이지 상단 입찰가 (낮은 범위), 페이지 상단 입찰가 (높은 범위),
    页首出价（低位区间）, 页首出价（高位区间）, 页首出价 (低位区间), 页首出价 (高位区间), 頁首出價 (低範圍), 頁首出價 (高範圍),
    bud för sidans övre del (lågt intervall), bud för sidans övre del (högt intervall), bud för längst upp på sidan (lågt intervall),
    bud för längst upp på sidan (högt intervall), bud øverst på siden (lavt interval), bud øverst på siden (højt interval),
    bud for toppen af siden (lavt interval), bud for toppen af siden (højt interval), bud øverst på siden (lavt område),
    bud øverst på siden (høyt område), nabídka pro horní část stránky (nízké rozmezí),
    nabídka pro horní část stránky (vysoké rozmezí), nabídka pro horní část stránky (dolní rozsah),
    nabídka pro horní část stránky (horní rozsah)
  `),
  competition: namesIn(`
    wettbewerb, konkurrenz, mitbewerber dichte, concurrence, competencia, concorrência, concorrenza, competizione,
    concurență, concurentie, concurrentie, konkurrence, konkurranse, konkurrens, kilpailu, konkurencja, konkurence,
    konkurencia, verseny, konkurencyjność, конкуренция, уровень конкуренции, конкуренція, rekabet, ανταγωνισμός,
    競合性, 競合, 竞争度, 竞争激烈程度, 竞价竞争激烈程度, конкуренция в ppc, конкуренция ppc, 경쟁, 경쟁정도, 경쟁 정도, 竞争程度, 竞争, 競爭程度, 競爭, mức độ cạnh tranh, cạnh tranh,
    persaingan, การแข่งขัน, प्रतिस्पर्धा, المنافسة, תחרות,
    wettbewerbsdichte, densité concurrentielle, densidad competitiva, densidade competitiva, densità competitiva,
    concurrentiedichtheid, gęstość konkurencji, плотность конкуренции, rekabet yoğunluğu, 競合密度
  `),
  competitionIndex: namesIn(`
    wettbewerb (index), concurrence (indice), competencia (índice), concorrência (índice), concorrenza (indice),
    concurrentie (index), konkurencja (indeks), konkurence (index), конкуренция (индекс), конкуренція (індекс), rekabet (endeks),
    wettbewerb (indexierter wert), concurrence (valeur indexée), competencia (valor indexado),
    concorrência (valor indexado), concorrenza (valore indicizzato), concurrentie (geïndexeerde waarde),
    concurență (valoare indexată), konkurrence (indekseret værdi), konkurranse (indeksert verdi),
    konkurrens (indexerat värde), kilpailu (indeksoitu arvo), konkurencja (wartość zindeksowana),
    konkurence (indexovaná hodnota), konkurencia (indexovaná hodnota), verseny (indexelt érték),
    конкуренция (индексированное значение), уровень конкуренции (индекс), конкуренція (індексоване значення),
    rekabet (dizine eklenen değer), rekabet (endeksli değer), 競合性（インデックス値）, 競合性 (インデックス値),
    경쟁(색인 생성 값), 경쟁(색인값), 竞争程度（指数值）, 竞争程度 (指数值), 競爭程度 (索引值), 競爭程度（索引值）
  `),
  intent: namesIn(`
    suchintention, suchabsicht, intention, intention de recherche, intención, intención de búsqueda, intenção,
    intenção de busca, intento, intento di ricerca, zoekintentie, intencja, интент, 検索意図, 搜索意图,
    absicht, intent de búsqueda, zoekintent, zamiar, намерение, намір, amaç, arama amacı, 의도, 搜索意圖
  `),
  position: namesIn(`
    durchschnittliche position, durchschn position, rang, position moyenne, posición, posición media,
    posición promedio, posição, posição média, posizione, posizione media, poziție, poziția, poziția medie,
    poziție medie, positie, gemiddelde positie, gem positie, gennemsnitlig placering, placering,
    gennemsnitlig position, posisjon, gjennomsnittlig posisjon, genomsnittlig position, placering i sökresultat,
    sijainti, keskimääräinen sijainti, sijoitus, pozycja, średnia pozycja, pozice, průměrná pozice, pozícia,
    priemerná pozícia, pozíció, átlagos pozíció, helyezés, позиция, средняя позиция, средняя позиция показа, позиція, середня позиція,
    средна позиция, pozicija, konum, ortalama konum, ortalama sıra, sıra, θέση, μέση θέση, 掲載順位, 平均掲載順位,
    順位, 検索順位, 게재순위, 게재 순위, 평균 게재순위, 순위, 排名, 平均排名, 排名位置, 平均排序, 排序, vị trí,
    vị trí trung bình, thứ hạng, posisi, posisi rata rata, อันดับ, ตำแหน่ง, อันดับเฉลี่ย, रैंक, स्थिति, पोज़ीशन,
    औसत रैंक, الموضع, الترتيب, متوسط الموضع, موضع, מיקום, מיקום ממוצע
  `),
  url: namesIn(`
    landingpage, zielseite, adresse, page de destination, página de destino, pagina di destinazione,
    bestemmingspagina, strona docelowa, vstupní stránka, посадочная страница, адрес страницы, релевантная страница,
    ランディング ページ, ランキングurl, 방문 페이지, 着陆页, 到達網頁, açılış sayfası
  `),
  traffic: namesIn(`
    trafic, tráfico, tráfego, traffico, verkeer, ruch, трафик, トラフィック, 트래픽, 流量, trafik
  `),
  clicks: namesIn(`
    klicks, clics, clicks totales, cliques, clic, clicuri, klikken, klikkar, klik, klikk, klick, klikkaukset,
    klikkaus, klikit, klikkauksia, kliknięcia, kliknutí, prokliky, kliknutia, kattintás, kattintások,
    kattintások száma, клики, кліки, кликвания, кликове, кликови, klikovi, kliki, tıklama, tıklamalar, tıklama sayısı,
    κλικ, クリック数, 合計クリック数, 클릭수, 클릭 수, 클릭, 点击次数, 点击, 点击量, 點擊, 點擊次數, 點閱次數, 點擊數,
    lượt nhấp, số lượt nhấp, số lần nhấp, lần nhấp, lượt nhấp chuột, จำนวนคลิก, คลิก, การคลิก, क्लिक, النقرات, نقرات,
    عدد النقرات, קליקים, הקלקות
  `),
  impressions: namesIn(`
    impressionen, eindrücke, impresiones, impressões, impressioni, afișări, impresii, vertoningen, weergaven, eksponeringer,
    visninger, exponeringar, visningar, näyttökerrat, näyttökertaa, wyświetlenia, zobrazení, zobrazenia, imprese,
    megjelenítés, megjelenítések, megjelenések, показы, покази, импресии, импресије, prikazi, pojavljivanja, gösterim,
    gösterimler, gösterim sayısı, εμφανίσεις, εμφάνιση, 表示回数, 合計表示回数, インプレッション数, 노출, 노출수,
    노출 수, 展示, 展示次数, 展现量, 曝光, 曝光次數, 曝光數, 曝光量, lượt hiển thị, số lượt hiển thị, số lần hiển thị,
    tayangan, การแสดงผล, จำนวนการแสดงผล, इंप्रेशन, इम्प्रेशन, مرات الظهور, عدد مرات الظهور, חשיפות, הופעות,
    görüntüleme, görüntülenme, wyświetleń
  `),
  previousPosition: namesIn(`
    vorherige position, position précédente, posición anterior, posição anterior, posizione precedente, vorige positie,
    poprzednia pozycja, předchozí pozice, предыдущая позиция, попередня позиція, önceki konum, 前回の順位, 이전 순위, 上次排名
  `),
  serpFeatures: namesIn(`
    serp funktionen, fonctionnalités serp, fonctionnalités de la serp, funciones serp, funciones de serp,
    funciones de la serp, recursos serp, recursos da serp, recursos de serp, funzionalità serp, funzionalità della serp,
    serp functies, funkcje serp, serp элементы, элементы serp, функции serp, serp özellikleri, serp機能, serp 기능, serp功能
  `),
  trend: namesIn(`
    tendance, tendances, tendencia, tendência, tendenza, tendens, trendy, тренд, тренды, динамика, トレンド, 추세, 趋势, 趨勢
  `),
  country: namesIn(`
    land, pays, país, paese, kraj, země, ország, maa, țară, страна, країна, ülke, χώρα, 国, 국가, 国家, 國家, quốc gia, negara
  `),
  language: namesIn(`
    sprache, langue, idioma, lingua, taal, språk, sprog, kieli, język, jazyk, nyelv, limbă, язык, мова, dil, γλώσσα, 言語,
    언어, 语言, 語言, ngôn ngữ, bahasa
  `),
  updated: namesIn(`
    aktualisiert, mis à jour, actualizado, atualizado, aggiornato, bijgewerkt, zaktualizowano, обновлено, оновлено,
    güncellendi, 更新日
  `),
  tags: namesIn(`
    schlagwörter, étiquettes, etiquetas, etichette, tagi, теги, тег, метки, мітки, etiketler, タグ, 태그, 标签, 標籤
  `),
};
