import { shareText } from '@kc/pack/filter-words/share-text';
import type { RowFigures } from '@kc/pack/handover/handover';
import type { PlanStatus } from '@kc/rules/plan';

/** A status as the screen writes it. */
export const statusWord = (status: PlanStatus): string => status[0]!.toUpperCase() + status.slice(1);

/** "Informational 94 %, Commercial 6 %", or empty if no intent is known. */
export const intentText = ({ intents }: Pick<RowFigures, 'intents'>): string =>
  intents.map(({ intent, share }) => `${intent[0]!.toUpperCase()}${intent.slice(1)} ${shareText(share, 0)}`).join(', ');

/** 36,540, with a decimal where a figure is no whole number. */
export const figureText = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
