export const waitingWords = [
  'Your dude is getting ready',
  'Let me cook',
  'Firing up the engines',
  'Preparing your SEO magic',
  'Getting your data ready',
] as const;

/**
 * Some waiting words, never the ones just shown.
 *
 * @param random from 0 to below 1
 */
export function nextWords(previous: string | undefined, random: number): string {
  const others = waitingWords.filter((words) => words !== previous);
  return others[Math.floor(random * others.length)] ?? waitingWords[0];
}
