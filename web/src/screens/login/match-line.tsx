import { say } from '@kc/rules/entry-messages';
import { Check, X } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';

/** Whether the two passwords agree, said as it is typed; silent while there is nothing to compare. */
export function MatchLine({ match }: { readonly match: boolean | undefined }) {
  const Icon = match ? Check : X;
  return (
    <p
      aria-live="polite"
      className={classNames(
        'flex items-center gap-1.5 text-small',
        match === undefined ? 'h-0' : 'mt-1.5',
        match ? 'text-space-good' : 'text-space-bad',
      )}
    >
      {match !== undefined && (
        <>
          <Icon size={16} strokeWidth={2} aria-hidden />
          {say(match ? 'sign-up/match' : 'sign-up/mismatch')}
        </>
      )}
    </p>
  );
}
