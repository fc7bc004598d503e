import { type RefreshInterval, refreshIntervalMs } from '@kc/rules/settings';
import { clockText } from '../../../ui/quantity-text.ts';

/** What an open page does about newer data, and when it would do it next. @param now ms since 1970 */
export function refreshWords(interval: RefreshInterval, now: number): string {
  const every = refreshIntervalMs(interval);
  if (every === false) return 'An open page shows newer data only when its reader presses Refresh or opens it again.';
  return `An open page looks for newer data every ${interval} minutes and offers what it finds. A page opened now looks again at ${clockText(now + every)}.`;
}
