import { say, sayError } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { Visualization } from '@kc/rules/shapes';
import { shownName } from '@kc/rules/visible-text';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { GitCompareArrows, Pencil, Shapes } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { counted } from '../../explore/format/figure-text.ts';
import { useMe, useScreenSettings } from '../../session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { dayText, isoDayText } from '../../ui/number-text.ts';
import { useToast } from '../../ui/toast.tsx';
import { useAdjust } from '../adjust.ts';
import { mayAdjust } from '../may-adjust.ts';
import { pillarColours, ThumbnailPicture, type ThumbnailTree } from '../thumbnail/thumbnail.tsx';
import { activatedHereKey, canActivate, canCompare, isOwn, linkId } from './choice.ts';

type ListProps = {
  readonly all: readonly Visualization[];
  readonly current?: Visualization;
  readonly onChosen?: () => void;
  /** Opens the dialog for the description; absent for visualizations of others. */
  readonly onDescribe?: (one: Visualization) => void;
  /** Compares the current one with another upload of the same owner. */
  readonly onCompare?: ((id: string) => void) | undefined;
};

/** Longer lists get a search field. */
const searchFrom = 9;

/** All visualizations that the user can open: their own first, the sample last. */
export function VisualizationList({ all, current, onChosen, onDescribe, onCompare }: ListProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const me = useMe();
  const userImports = useScreenSettings()?.userImports ?? false;
  const adjust = useAdjust();
  const activate = useMutation({
    mutationFn: (one: Visualization) => client.visualizations.activate({ id: one.id }),
    // A toast, because the page may switch to the active one and close this list.
    onSuccess: ({ id, fileName }) => {
      queries.setQueryData(activatedHereKey, id);
      toast(say('visualization/activated', { fileName }));
      return queries.invalidateQueries({ queryKey: ['visualizations'] });
    },
  });
  const [typed, setTyped] = useState('');
  const isSearched = all.length >= searchFrom;
  // Once the list is short it has no field, so the user could not see why lines are missing.
  const query = isSearched ? typed.toLowerCase() : '';
  const shown = all.filter((one) => `${one.rootName} ${one.fileName} ${one.description}`.toLowerCase().includes(query));
  return (
    <div className="flex flex-col gap-1.5">
      {isSearched && (
        <input
          type="search"
          aria-label="Search visualizations"
          placeholder="Search visualizations"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-9 rounded-control border border-line-strong bg-surface px-3 text-small text-ink placeholder:text-muted touch:h-11 touch:text-touch"
        />
      )}
      {activate.isError && <Banner tone="error">{sayError(activate.error)}</Banner>}
      <p role="status" className="m-0 text-small text-muted empty:hidden">
        {query !== '' && shown.length === 0 && say('explore/no-match', { query: typed })}
      </p>
      <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
        {shown.map((one) => (
          <li key={one.id} className="flex items-center gap-1">
            <Entry one={one} isCurrent={one.id === current?.id} onChosen={onChosen} />
            {onDescribe && !one.isSample && isOwn(one, all) && (
              <IconButton size="dense" label={`Edit description: ${one.rootName}`} onClick={() => onDescribe(one)}>
                <Pencil size={16} />
              </IconButton>
            )}
            {onCompare && current && canCompare(one, current) && (
              <IconButton
                size="dense"
                label={`Compare with this: ${one.rootName}, ${whenOf(one)}`}
                onClick={() => {
                  onCompare(one.id);
                  onChosen?.();
                }}
              >
                <GitCompareArrows size={16} />
              </IconButton>
            )}
            {mayAdjust(me, userImports, one) && (
              <IconButton
                size="dense"
                label={`Adjust clusters: ${one.rootName}`}
                disabled={adjust.isPending}
                onClick={() => {
                  adjust.mutate({ id: one.id });
                  onChosen?.();
                }}
              >
                <Shapes size={16} />
              </IconButton>
            )}
            {canActivate(one, all) && (
              <Button size="dense" disabled={activate.isPending} onClick={() => activate.mutate(one)}>
                Make active
                <span className="sr-only">: {one.rootName}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

type EntryProps = {
  readonly one: Visualization;
  readonly isCurrent: boolean;
  readonly onChosen: (() => void) | undefined;
};

/** "exported Apr 30, 2026", or the day it was published. */
const whenOf = ({ exportedOn, uploadDate }: Pick<Visualization, 'exportedOn' | 'uploadDate'>): string =>
  exportedOn === undefined ? dayText(uploadDate) : `exported ${isoDayText(exportedOn)}`;

const dotted = "relative pl-3 before:absolute before:left-1 before:content-['·'/'']";

function Entry({ one, isCurrent, onChosen }: EntryProps) {
  const { history } = useRouter();
  const address = `${paths.visualization}?v=${encodeURIComponent(linkId(one))}`;
  return (
    <a
      href={address}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        history.push(address);
        onChosen?.();
      }}
      className={classNames(
        'flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-control p-2 text-body text-ink no-underline hover:bg-sunken',
        isCurrent && 'bg-brand-soft',
      )}
    >
      <ThumbnailPicture tree={treeOf(one)} width={64} height={40} className="h-10 w-16" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{shownName(one.rootName)}</span>
          {one.isActive && !one.isSample && <Badge tone="ok">Active</Badge>}
        </span>
        <span className="block overflow-hidden text-small font-normal text-muted">
          {/* The dot before the first item of a line is outside. */}
          <span className="-ml-3 flex flex-wrap">
            {/* In some files only the hierarchy names keywords. */}
            <span className={dotted}>
              {one.keywords > 0 ? counted(one.keywords, 'keyword') : counted(one.nodes, 'node')}
            </span>{' '}
            <span className={dotted}>{whenOf(one)}</span>
          </span>
        </span>
        {/* The sample's name says what it is. */}
        {one.description && !one.isSample && (
          <span className="block truncate text-small font-normal text-muted" title={one.description}>
            {one.description}
          </span>
        )}
      </span>
    </a>
  );
}

/** The thumbnail from the record; empty if there is none yet. */
function treeOf({ thumbnail }: Visualization): ThumbnailTree {
  const pillars = (thumbnail?.pillars ?? []).map((parts, at) => ({
    weight: parts.reduce((sum, part) => sum + part, 0),
    parts,
    colour: (at % pillarColours) + 1,
  }));
  return { pillars, rest: thumbnail?.rest ?? 0 };
}
