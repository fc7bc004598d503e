import { namesIn } from './spelling.ts';

/**
 * The three levels that Google derives from the competition index, each as the middle of its third, in the languages that
 * tools write them in.
 */
const competitionLevels: ReadonlyMap<string, number> = new Map(
  [
    `low, niedrig, faible, baja, bajo, baixa, baixo, bassa, basso, laag, niska, niski, nízká, nízka, låg, lav, matala, низкий, низкая,
    низький, низька, düşük, 低, 낮음`,
    `medium, mittel, moyen, moyenne, media, medio, média, médio, gemiddeld, średnia, średni, střední, stredná, medel, middel, middels,
    keskitaso, средний, средняя, середній, середня, orta, 中, 中等, 중간, 보통`,
    `high, hoch, élevé, élevée, fort, forte, alta, alto, hoog, wysoka, wysoki, vysoká, hög, høj, høy, korkea, высокий, высокая,
    високий, висока, yüksek, 高, 높음`,
  ].flatMap((words, level) => namesIn(words).map((word) => [word, (2 * level + 1) / 6] as const)),
);

/** Whether a text means yes, for files with a separate column per intent. */
export function saysYes(text: string): boolean {
  return /^(true|yes|1|x)$/iu.test(text.trim());
}

/** Ad competition, 0 to 1, from LOW, MEDIUM or HIGH in any of these languages; NaN for any other text. */
export function competitionOfLevel(text: string): number {
  return competitionLevels.get(text.trim().toLowerCase()) ?? Number.NaN;
}

/**
 * Turns difficulties that are shares of 1 into those of 100, in place: if none is above 1, and some is between 0 and 1, as in lists.
 *
 * @param columns the difficulties of nodes and of keywords, which share a scale; NaN is unknown
 */
export function settleDifficulties(columns: readonly (Float32Array | undefined)[]): void {
  const known = columns.filter((column) => column !== undefined);
  const areShares =
    !known.some((column) => column.some((value) => value > 1)) &&
    known.some((column) => column.some((value) => value > 0 && value < 1));
  if (!areShares) return;
  // Numbers of 32 bits have seven digits.
  for (const column of known)
    for (let at = 0; at < column.length; at++) column[at] = Math.round(1e6 * column[at]!) / 1e4;
}
