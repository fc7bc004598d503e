/** A row of a list, by the names of its columns. */
export type ListRow = Readonly<Record<string, string>>;

/** What a month changed: keywords, as the list writes them. */
export type Month = {
  readonly rows: readonly ListRow[];
  readonly gone: readonly string[];
  readonly added: readonly string[];
};

/** Shares of the keywords that leave a list in a month, and that are new in it. */
const goneShare = 0.02;
const newShare = 0.02;
/** Words with which people ask for nearly the same, before and after. */
const wordings = ['best {}', '{} guide', 'cheap {}', '{} near me', '{} 2026', 'what is {}', '{} online', '{} examples'];

/**
 * Next month's export of a list: some keywords go, others that are like those which stay come, and the volumes of all drift by
 * up to a quarter. The export has no groups, as an export of next month has none of ours.
 *
 * @param names the columns of keyword, volume and groups
 * @param random from 0 up to 1
 */
export function nextMonth(
  rows: readonly ListRow[],
  names: { readonly keyword: string; readonly volume: string; readonly groups: readonly string[] },
  random: () => number,
): Month {
  const gone: string[] = [];
  const added: string[] = [];
  const kept = rows.filter((row) => {
    const stays = random() >= goneShare;
    if (!stays) gone.push(row[names.keyword]!);
    return stays;
  });
  const texts = new Set(rows.map((row) => row[names.keyword]!));
  const fresh: ListRow[] = [];
  while (fresh.length < newShare * rows.length) {
    const like = kept[Math.floor(random() * kept.length)]!;
    const text = wordings[Math.floor(random() * wordings.length)]!.replace('{}', like[names.keyword]!);
    if (texts.has(text)) continue;
    texts.add(text);
    added.push(text);
    fresh.push({ ...like, [names.keyword]: text });
  }
  const drifted = [...kept, ...fresh].map((row) => {
    const volume = Number(row[names.volume]);
    const ungrouped = Object.fromEntries(Object.entries(row).filter(([name]) => !names.groups.includes(name)));
    return { ...ungrouped, [names.volume]: String(Math.max(0, Math.round(volume * (0.75 + random() / 2)))) };
  });
  return { rows: drifted, gone, added };
}

/** A list as CSV. */
export function csvOf(rows: readonly ListRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (text: string): string => (/[",\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
    .map((cells) => `${cells.map(cell).join(',')}\n`)
    .join('');
}
