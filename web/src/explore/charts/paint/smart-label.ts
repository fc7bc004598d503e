/** Keeps the ellipsis on the same line as the word beside it. */
const noBreak = '\u00a0';

/**
 * A name without the words that its parent's name already contains, because keyword children repeat their head words:
 * "trail running shoes women" inside "trail running shoes" reads "… women". Case does not matter; words keep their
 * order.
 *
 * Only words at the beginning or end are dropped, and never all of them.
 */
export function smartLabel(name: string, parentName: string): string {
  if (parentName === '' || name.length <= parentName.length) return name;
  const [lower, above] = [name.toLowerCase(), parentName.toLowerCase()];
  const isBegin = lower.startsWith(`${above} `);
  if (!isBegin && !lower.endsWith(` ${above}`)) return name;
  const words = name.split(' ');
  const said = parentName.split(' ').length;
  return isBegin ? `…${noBreak}${words.slice(said).join(' ')}` : `${words.slice(0, -said).join(' ')}${noBreak}…`;
}

/** If not even the first remaining word fits, drops the ellipsis before it, which would only take up room. */
export function uncutLabel(label: string, hasRoom: (text: string) => boolean): string {
  const mark = `…${noBreak}`;
  return label.startsWith(mark) && !hasRoom(label.split(' ', 1)[0]!) ? label.slice(mark.length) : label;
}
