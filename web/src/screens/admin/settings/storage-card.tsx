import { say, sayRefusal } from '@kc/rules/messages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { bytesText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { SettingRow, SettingsCard } from './settings-card.tsx';

const storageKey = ['settings', 'storage'] as const;

/** Free space of the server, and what deleted files still take, which an administrator can free at once. */
export function StorageCard() {
  const use = useQuery({ queryKey: storageKey, queryFn: ({ signal }) => client.storage.use(undefined, { signal }) });
  if (use.isError) {
    return (
      <SettingsCard title="Storage">
        <Banner tone="error" actions={<BannerButton onClick={() => void use.refetch()}>Try again</BannerButton>}>
          {sayRefusal(toRefusal(use.error))}
        </Banner>
      </SettingsCard>
    );
  }
  const { free, kept } = use.data ?? {};
  return (
    <SettingsCard title="Storage">
      {kept ? (
        <>
          <SettingRow
            label="Free space"
            help={
              free === undefined
                ? 'The store of the files names no limit.'
                : 'Where uploads, maps and drafts are stored.'
            }
          >
            {() => (
              <p className="m-0 font-medium text-body tabular-nums">{free === undefined ? '–' : bytesText(free)}</p>
            )}
          </SettingRow>
          <SettingRow
            label="Deleted files"
            help={
              kept.files === 0
                ? 'None. Files of deleted visualizations, drafts and users are kept for 24 hours.'
                : `${kept.files === 1 ? '1 file' : `${kept.files.toLocaleString('en-US')} files`} of deleted visualizations, drafts and users, kept for 24 hours: ${bytesText(kept.bytes)}.`
            }
          >
            {(helpId) => <PurgeButton describedBy={helpId} disabled={kept.files === 0} size={bytesText(kept.bytes)} />}
          </SettingRow>
        </>
      ) : (
        <Skeleton className="h-32" />
      )}
    </SettingsCard>
  );
}

type PurgeProps = { readonly describedBy: string; readonly disabled: boolean; readonly size: string };

function PurgeButton({ describedBy, disabled, size }: PurgeProps) {
  const [open, setOpen] = useState(false);
  const toast = useToast();
  const queries = useQueryClient();
  const purging = useMutation({
    mutationFn: () => client.storage.purge(),
    onSuccess: ({ files, bytes }) => {
      setOpen(false);
      toast(say('storage/purged', { files, size: bytesText(bytes) }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: storageKey }),
  });
  const close = () => {
    setOpen(false);
    purging.reset();
  };
  return (
    <>
      <Button aria-describedby={describedBy} disabled={disabled} onClick={() => setOpen(true)}>
        Purge now
      </Button>
      <ConfirmDialog
        open={open}
        onClose={close}
        title="Purge deleted files now?"
        description={
          <p>
            This frees {size} within a minute, or when a running backup is complete. A backup that other tools make of
            the disk at this moment may miss the files. This cannot be undone.
          </p>
        }
        act="Purge now"
        onAct={() => purging.mutate()}
        busy={purging.isPending}
      >
        {purging.isError && <Banner tone="error">{sayRefusal(toRefusal(purging.error))}</Banner>}
      </ConfirmDialog>
    </>
  );
}
