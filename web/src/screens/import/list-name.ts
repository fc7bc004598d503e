const matchTypes =
  /^(?:broad|phrase|exact|related)[- ]?match$|^(?:matching|related|similar|also)[- ]?(?:terms|keywords|rank(?: for)?)$|^(?:keywords?|questions?|export|google|bing|clustered|full|all)$/iu;
const isDate = (part: string): boolean => /^\d{4}-\d{2}-\d{2}$|^\d{8}$|^\d{2}-\d{2}-\d{2,4}$/u.test(part);
const isMarket = (part: string): boolean => /^[a-z]{2}$/u.test(part);

/**
 * The name of a map made of lists: what their names have in common, without tool, market and date.
 * "drupal_broad-match_us_2026-04-30.csv" is "drupal".
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
  const isOfTool = others.some((part) => isDate(part) || matchTypes.test(part));
  const kept = others.filter((part) => !isDate(part) && !matchTypes.test(part) && !(isOfTool && isMarket(part)));
  const topic = [...(matchTypes.test(first!) && kept.length > 0 ? [] : [first!]), ...kept].filter(Boolean).join(' ');
  return topic.replace(/[ -]\(?\d{4}-\d{2}-\d{2}\)?$/u, '').trim() || plain;
}

/** Semrush's reports on a domain: "shop.example-organic.Positions-us-20260417". */
const withoutReport = (name: string): string => name.replace(/^(.+)-(?:organic|adwords)\.[a-z]+-[a-z]{2}-.*$/iu, '$1');

/** The words that all begin with. */
function commonStart(names: readonly string[]): string {
  const [first, ...others] = names.map((name) => name.split(/[\s-]+/u));
  const words: string[] = [];
  for (const [at, word] of first!.entries()) {
    if (others.some((other) => other[at] !== word)) break;
    words.push(word);
  }
  return words.join(' ');
}
