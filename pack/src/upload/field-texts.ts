/** What tools write where they know nothing, in lower case. Words that also answer a question ("no") are none of them. */
const words = [
  ...['n/?a', 'n\\.\\s?a\\.?', '#n/a', '#value!', '#ref!', '#div/0!', 'null', 'none', 'nan', 'undefined', 'unknown'],
  ...[
    '[-–—?]{1,3}',
    'no data',
    'no results?',
    'no rank',
    'not (?:ranked|ranking|available|found|in top ?\\d*|set|applicable)',
    'unranked',
  ],
  ...[
    'n/d',
    'n\\.\\s?d\\.?',
    'k\\.\\s?a\\.?',
    'keine (?:daten|angaben?)',
    'nicht (?:verfügbar|gefunden|platziert)',
    'unbekannt',
  ],
  ...['sin datos', 'no disponible', 'sin clasificar', 'sem dados', 'não disponível', 'indisponível', 'nessun dato'],
  ...[
    'non disponibile',
    'non disponible',
    'aucune donnée',
    'pas de données',
    'inconnu',
    'desconocido',
    'geen gegevens',
  ],
  ...[
    'niet beschikbaar',
    'ingen data',
    'inga data',
    'ei tietoja',
    'brak danych',
    'bez dat',
    'nedostupné',
    'nincs adat',
  ],
  ...[
    'нет данных',
    'н/д',
    'не найдено',
    'немає даних',
    'veri yok',
    'データなし',
    '無',
    '无数据',
    '暂无数据',
    '無資料',
    '데이터 없음',
  ],
  'không có dữ liệu',
];
/** Texts that mean "unknown". */
export const unknownWords = new RegExp(`^(?:${words.join('|')})?$`, 'iu');

/** The maximum length of a value of a category. A longer text is prose. */
export const maxValueBytes = 64;
