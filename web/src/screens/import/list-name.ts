/** Parts of a name that tools add: what a report matches, what kind of export it is, or who provides the data. */
const toolWords =
  /^(?:broad|phrase|exact|related)[- ]?match$|^(?:matching|related|similar|also)[- ]?(?:terms|keywords|rank(?: for)?)$|^(?:keywords?|questions?|export|google|bing|clustered|full|all)$/iu;
const isDate = (part: string): boolean => /^\d{4}-\d{2}-\d{2}$|^\d{8}$|^\d{2}-\d{2}-\d{2,4}$/u.test(part);
const isMarket = (part: string): boolean => /^[a-z]{2}$/u.test(part);

/**
 * The name of a map made of lists: what the names of their files have in common, without what tools add, markets and dates.
 * "drupal_broad-match_us_2026-04-30.csv" becomes "drupal".
 */
export function nameOfLists(names: readonly string[]): string {
  const topics = [...new Set(names.map(topicOf))];
  if (topics.length <= 1) return topics[0] ?? '';
  const common = commonStart(topics);
  if (common !== '') return common;
  const [first, second, ...others] = topics;
  return others.length > 0 ? `${first}, ${second} and ${others.length} more` : `${first}, ${second}`;
}

function topicOf(name: string): string {
  const plain = withoutReport(name.replace(/\.(?:[a-z]{3,4}|jsonl|ndjson)$/iu, '').trim());
  const parts = plain.split('_').map((part) => part.trim());
  const [first, ...others] = parts;
  // The market is only recognised beside something else that a tool has added.
  const isOfTool = others.some((part) => isDate(part) || toolWords.test(part));
  const kept = others.filter((part) => !isDate(part) && !toolWords.test(part) && !(isOfTool && isMarket(part)));
  const topic = [...(toolWords.test(first!) && kept.length > 0 ? [] : [first!]), ...kept].filter(Boolean).join(' ');
  return topic.replace(/[ -]\(?\d{4}-\d{2}-\d{2}\)?$/u, '').trim() || plain;
}

/** Semrush's reports on a domain: "shop.example-organic.Positions-us-20260417". */
const withoutReport = (name: string): string => name.replace(/^(.+)-(?:organic|adwords)\.[a-z]+-[a-z]{2}-.*$/iu, '$1');

/** The words with which all names begin. */
function commonStart(names: readonly string[]): string {
  const [first, ...others] = names.map((name) => name.split(/[\s-]+/u));
  const words: string[] = [];
  for (const [at, word] of first!.entries()) {
    if (others.some((other) => other[at] !== word)) break;
    words.push(word);
  }
  return words.join(' ');
}
