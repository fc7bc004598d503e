import { addressOf } from './list-address.ts';
import { refusalIn } from './refusal.ts';

export type HandoverFile = 'plan.xlsx' | 'plan.csv' | 'outline.md';

/** What is handed over; nodes are pack rows. */
export type AskedHandover = {
  readonly of: 'plan' | 'clusters';
  /** Only what is within this node; everything within the root. */
  readonly node: number;
  /** Only what is at or below these nodes. */
  readonly rows?: readonly number[] | undefined;
  readonly filter: string;
  readonly score?: string | undefined;
};

/** The URL of a file for other people. @param isLink whether `id` is a link, whose visitor asks */
export function handoverUrl(id: string, file: HandoverFile, asked: AskedHandover, isLink = false): string {
  const query = new URLSearchParams();
  if (asked.of !== 'plan') query.set('of', asked.of);
  if (asked.node !== 0) query.set('node', String(asked.node));
  if (asked.rows) query.set('rows', asked.rows.join('.'));
  if (asked.filter !== '') query.set('filter', asked.filter);
  if (asked.score !== undefined) query.set('score', asked.score);
  const text = query.toString();
  return `${addressOf(id, isLink)}/${file}${text === '' ? '' : `?${text}`}`;
}

/** The outline as a text. @throws what `toRefusal` turns into a refusal */
export async function fetchOutline(id: string, asked: AskedHandover, isLink = false): Promise<string> {
  const answer = await fetch(handoverUrl(id, 'outline.md', asked, isLink));
  if (!answer.ok) throw Object.assign(new Error(`outline: ${answer.status}`), { data: await refusalIn(answer) });
  return answer.text();
}
