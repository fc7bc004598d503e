import { normalForm } from '../names/normal-form.ts';

/**
 * Removes points, accents and pictures: "Avg. KD" is "Avg KD", "Posicion" is "Posición", "📈 Volume" is "Volume". Unknown
 * names keep them, which may distinguish them.
 */
export function plain(key: string): string {
  return normalForm(fold(key).replaceAll('.', ''), 'NFD').replace(
    /[\u0300-\u036f\ufe0f\p{Extended_Pictographic}]/gu,
    '',
  );
}

/** Normalizes a spelling for comparison. */
export function fold(key: string): string {
  return normalForm(key, 'NFC')
    .toLowerCase()
    .replace(/[\ufeff\s_-]+/gu, '');
}

/** The elements of a list that are separated by commas or line breaks. */
export const namesIn = (list: string): string[] =>
  list
    .split(/[,\n]/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Texts that tools write for unknown values. Words that may also be an answer, such as "no", are not among them. */
const unknownWords: ReadonlySet<string> = new Set(
  namesIn(`
  n/a, na, n.a., n. a., n.a, #n/a, #value!, #ref!, #div/0!, null, none, nan, undefined, unknown, -, --, ---, –, —, ?, ??,
  no data, no result, no results, no rank, not ranked, not ranking, not available, not found, not set, not applicable,
  not in top 10, not in top 20, not in top 50, not in top 100, unranked, n/d, n.d., n. d., k.a., k. a., keine daten,
  keine angabe, keine angaben, nicht verfügbar, nicht gefunden, nicht platziert, unbekannt, sin datos, no disponible,
  sin clasificar, desconocido, sem dados, não disponível, indisponível, nessun dato, non disponibile, non disponible,
  aucune donnée, pas de données, inconnu, geen gegevens, niet beschikbaar, ingen data, inga data, ei tietoja,
  brak danych, bez dat, nedostupné, nincs adat, нет данных, н/д, не найдено, немає даних, veri yok, データなし, 无数据,
  暂无数据, 無資料, 데이터 없음, không có dữ liệu
`),
);
/** No unknown word has more characters than this. */
const longestWord = 32;

/** Whether a text without blanks at its ends means "unknown". */
export const isUnknown = (text: string): boolean =>
  text === '' || (text.length <= longestWord && unknownWords.has(text.toLowerCase()));

/** The maximum length of a value of a category. A longer text is prose. */
export const maxValueBytes = 64;
