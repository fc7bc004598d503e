import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { exact } from '../../format/numbers.ts';
import { useJudge } from './judge.ts';
import { useDismissed } from './use-warnings.ts';
import { kindNames } from './warning-texts.ts';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

/** The dismissed warnings of these data, newest first. */
export function DismissedList() {
  const { data } = useDismissed();
  const { restore } = useJudge();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!data || data.length === 0) return null;
  return (
    <section aria-label="Dismissed">
      <h3 className="m-0">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-10 w-full items-center gap-2 rounded-control text-left text-small font-medium hover:bg-sunken touch:min-h-11"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classNames('motion shrink-0 transition-transform duration-150', isOpen && 'rotate-90')}
          />
          Dismissed ({exact(data.length)})
        </button>
      </h3>
      <ul id={id} hidden={!isOpen} className="m-0 flex list-none flex-col gap-2 p-0">
        {data.map((one) => (
          <li key={one.id} className={isOpen ? 'flex items-start gap-2 px-2' : undefined}>
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
    </section>
  );
}
