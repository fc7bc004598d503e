import type { Visualization } from '@kc/rules/api';
import { paths } from '@kc/rules/paths';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../../explore/numbers.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { linkId } from './choice.ts';

type ListProps = {
  readonly all: readonly Visualization[];
  readonly current?: Visualization;
  readonly onChosen?: () => void;
};

/** Longer lists are searched, not read. */
const searchFrom = 9;
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Everything a person can explore, one's own first, the sample last. */
export function VisualizationList({ all, current, onChosen }: ListProps) {
  const { history } = useRouter();
  const [sought, setSought] = useState('');
  const listed = current && !all.some((one) => one.id === current.id) ? [current, ...all] : all;
  const shown = listed.filter((one) => `${one.rootName} ${one.fileName}`.toLowerCase().includes(sought.toLowerCase()));
  return (
    <div className="flex flex-col gap-1.5">
      {listed.length >= searchFrom && (
        <input
          type="search"
          aria-label="Search visualizations"
          placeholder="Search visualizations"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          className="h-9 rounded-control border border-line-strong bg-surface px-3 text-small text-ink placeholder:text-muted touch:h-11 touch:text-touch"
        />
      )}
      <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
        {shown.map((one) => (
          <li key={one.id}>
            <a
              href={`${paths.visualization}?v=${encodeURIComponent(linkId(one))}`}
              aria-current={one.id === current?.id ? 'page' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                history.push(`${paths.visualization}?v=${encodeURIComponent(linkId(one))}`);
                onChosen?.();
              }}
              className={classNames(
                'flex min-h-12 items-center gap-3 rounded-control px-3 py-1.5 text-body text-ink no-underline hover:bg-sunken',
                one.id === current?.id && 'bg-brand-soft',
              )}
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{one.rootName}</span>
                <span className="block truncate text-small font-normal text-muted">
                  {counted(one.keywords, 'keyword')} · {day.format(one.uploadDate)}
                </span>
              </span>
              {one.isSample ? <Badge tone="info">Sample data</Badge> : one.isActive && <Badge tone="ok">Active</Badge>}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
