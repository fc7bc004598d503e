import { say, sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import { useRef, useState } from 'react';
import { toRefusal } from '../../api/refusal.ts';
import { Button } from '../../ui/button.tsx';

type Props = {
  /** Absent if the list is not read as an earlier one. */
  readonly correctedAt: number | undefined;
  readonly isCorrected: boolean;
  readonly fileName: string;
  readonly onForget: () => Promise<void>;
};

/** Says that a list is read as an earlier one was corrected, and lets that be forgotten. */
export function RememberedNote({ correctedAt, isCorrected, fileName, onForget }: Props) {
  const [isForgotten, setIsForgotten] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const line = useRef<HTMLParagraphElement>(null);
  const forget = async () => {
    setRefusal(undefined);
    try {
      await onForget();
      setIsForgotten(true);
      // The button that had the focus disappears.
      line.current?.focus();
    } catch (error) {
      setRefusal(toRefusal(error));
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small empty:hidden">
      <p ref={line} role="status" tabIndex={-1} className="text-muted outline-none empty:hidden">
        {correctedAt !== undefined && say('list/remembered', { day: dayText(correctedAt) })}
        {!isCorrected && isForgotten && say('list/forgotten')}
      </p>
      {correctedAt !== undefined && (
        <Button size="dense" variant="ghost" onClick={() => void forget()}>
          Forget<span className="sr-only"> the corrections of {fileName}</span>
        </Button>
      )}
      {correctedAt !== undefined && refusal && (
        <p role="alert" className="basis-full text-bad">
          {say('list/not-forgotten', { reason: sayRefusal(refusal) })}
        </p>
      )}
    </div>
  );
}

/** "Nov 3", with the year if it is another one. */
export function dayText(time: number, now = Date.now()): string {
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...year }).format(time);
}
