import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { exact } from '../../format/figure-text.ts';
import { useJudge } from './judge.ts';
import { kindNames } from './warning-names.ts';
import { useDismissed } from './warning-queries.ts';
import { WarningSection } from './warning-section.tsx';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

/** The dismissed warnings of these data, newest first. */
export function DismissedList() {
  const { data } = useDismissed();
  const { restore } = useJudge();
  const [isOpen, setOpen] = useState(false);
  if (!data || data.length === 0) return null;
  return (
    <WarningSection label="Dismissed" heading={`Dismissed (${exact(data.length)})`} isOpen={isOpen} setOpen={setOpen}>
      <ul className="m-0 flex list-none flex-col gap-2 p-0">
        {data.map((one) => (
          <li key={one.id} className="flex items-start gap-2 px-2">
            <span className="min-w-0 flex-1">
              <bdi className="block text-small wrap-anywhere">
                {one.subject ?? (one.path.join(' › ') || 'Everything')}
              </bdi>
              <span className="text-micro text-muted">
                {kindNames[one.kind]}
                {one.by !== undefined && ` · ${one.by}`} · {day.format(one.at)}
              </span>
            </span>
            <Button
              size="dense"
              aria-label={`Restore ${one.subject ?? one.path.at(-1) ?? kindNames[one.kind]}`}
              onClick={() => void restore(one.id)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </WarningSection>
  );
}
