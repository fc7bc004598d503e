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

/** A list that is written with commas, on any number of lines. */
export const namesIn = (list: string): string[] =>
  list
    .split(/[,\n]/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
