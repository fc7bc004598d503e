/** Keeps the ellipsis on the line of the word beside it. */
const noBreak = '\u00a0';

/**
 * A name without the words that its parent's name says already, for keyword children repeat their head words:
 * "trail running shoes women" inside "trail running shoes" reads "… women". Case does not matter; words keep their order.
 *
 * Only words at the beginning or at the end are dropped, and never all of them.
 */
export function smartLabel(name: string, parentName: string): string {
  const words = name.split(' ');
  const above = parentName.toLowerCase().split(' ');
  if (parentName === '' || words.length <= above.length) return name;
  const lower = name.toLowerCase().split(' ');
  if (above.every((word, i) => word === lower[i])) return `…${noBreak}${words.slice(above.length).join(' ')}`;
  const offset = words.length - above.length;
  if (above.every((word, i) => word === lower[offset + i])) return `${words.slice(0, offset).join(' ')}${noBreak}…`;
  return name;
}
