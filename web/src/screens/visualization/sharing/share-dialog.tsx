import { say, sayRefusal } from '@kc/rules/all-messages';
import type { ShareLink } from '@kc/rules/link-shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { useScreenSettings } from '../../../session/session.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { LinkLine } from '../../share-links/link-line.tsx';
import { linksKey } from './links-key.ts';
import { NewLinkForm } from './new-link-form.tsx';
import { NewLinkShown } from './new-link-shown.tsx';

type Props = { readonly id: string; readonly open: boolean; readonly onClose: () => void };

/** Links to a visualization: makes one, shows its address once, lists those that work and revokes them. */
export function ShareDialog({ id, open, onClose }: Props) {
  const [made, setMade] = useState<ShareLink & { readonly token: string }>();
  const clientLinks = useScreenSettings()?.clientLinks ?? false;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Share with a person"
      description="Everybody who opens the link sees this visualization. Nobody can change it."
      className="sm:w-[34rem]"
    >
      <div className="flex flex-col gap-6">
        {made ? (
          <NewLinkShown link={made} onAnother={() => setMade(undefined)} />
        ) : (
          <NewLinkForm id={id} clientLinks={clientLinks} onMade={setMade} />
        )}
        <Links id={id} />
      </div>
    </Dialog>
  );
}

function Links({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const toast = useToast();
  const found = useQuery({
    queryKey: linksKey(id),
    queryFn: ({ signal }) => client.links.list({ id }, { signal }),
  });
  const revoking = useMutation({
    mutationFn: (link: ShareLink) => client.links.revoke({ id: link.id }),
    onSuccess: (_gone, link) => toast(say('link/revoked', { name: link.sharedWith })),
    onError: (error) => toast(say('link/not-revoked', { reason: sayRefusal(toRefusal(error)) })),
    onSettled: () => queries.invalidateQueries({ queryKey: linksKey(id) }),
  });
  return (
    <section aria-label="Links of this visualization" className="border-t border-line pt-4">
      <h3 className="m-0 mb-2 text-small font-semibold">Active links</h3>
      {found.isPending && <Skeleton className="h-12" />}
      {found.isError && (
        <Banner tone="error" actions={<BannerButton onClick={() => void found.refetch()}>Try again</BannerButton>}>
          {sayRefusal(toRefusal(found.error))}
        </Banner>
      )}
      {found.data?.length === 0 && <p className="m-0 text-small text-muted">None yet.</p>}
      {found.data && found.data.length > 0 && (
        <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
          {found.data.map((link) => (
            <LinkLine key={link.id} link={link}>
              <Button
                size="dense"
                aria-label={`Revoke the link for ${link.sharedWith}`}
                disabled={revoking.isPending}
                onClick={() => revoking.mutate(link)}
              >
                Revoke
              </Button>
            </LinkLine>
          ))}
        </ul>
      )}
    </section>
  );
}
