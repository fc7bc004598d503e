import { say as sayHere } from '@kc/rules/explorer-messages';
import { say } from '@kc/rules/messages';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted } from '../../format/figure-text.ts';
import { useExplorer, useLooks } from '../explorer-context.ts';
import { PartFailure } from '../failure.tsx';
import { isNewer, keywordsIn, uploadMoments, useUploads } from './use-uploads.ts';

/** Longer lists get a search field. */
const searchFrom = 9;

/** The owner's other uploads, to compare with one of them. */
export function ChooseUpload() {
  const explorer = useExplorer();
  const { uploadsOpen: isOpen, vs } = useLooks('uploadsOpen', 'vs');
  const [sought, setSought] = useState('');
  const uploads = useUploads();
  const now = uploads.data?.find(({ id }) => id === explorer.id);
  const others = uploads.data?.filter(({ id }) => id !== explorer.id);
  const shown = others?.filter(({ rootName, description }) =>
    `${rootName} ${description}`.toLowerCase().includes(sought.toLowerCase()),
  );
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => explorer.store.setState({ uploadsOpen: open })}
      title="Compare with another upload"
      description="Shows what changed from the older to the newer of both. If the other one is newer, it is opened."
    >
      {uploads.isPending && <Skeleton className="h-24" />}
      {uploads.isError && (
        <PartFailure onRetry={() => void uploads.refetch()}>{explorer.explain(uploads.error)}</PartFailure>
      )}
      {others?.length === 0 && <p className="m-0 text-body text-muted">{sayHere('explore/no-other-upload')}</p>}
      {others && others.length >= searchFrom && (
        <input
          type="search"
          aria-label="Search uploads"
          placeholder="Search uploads"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          className="mb-2 h-9 w-full rounded-control border border-line-strong bg-surface px-3 text-small text-ink placeholder:text-muted touch:h-11 touch:text-touch"
        />
      )}
      <p role="status" className="m-0 text-small text-muted empty:hidden">
        {sought !== '' && shown?.length === 0 && say('explore/no-match', { query: sought })}
      </p>
      <ul className="m-0 flex list-none flex-col gap-0.5 p-0">
        {shown?.map((upload) => (
          <li key={upload.id}>
            <button
              type="button"
              aria-current={upload.id === vs ? 'true' : undefined}
              onClick={() => explorer.compareWith(upload.id, now !== undefined && isNewer(upload, now))}
              className="w-full rounded-control p-2 text-left hover:bg-sunken aria-[current]:bg-brand-soft touch:min-h-11"
            >
              <span className="block truncate text-body font-medium">{upload.rootName}</span>
              <span className="block text-small text-muted">
                {uploadMoments(upload)} · {counted(keywordsIn(upload), 'keyword')}
              </span>
              {upload.description !== '' && (
                <span className="block truncate text-small text-muted">{upload.description}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
