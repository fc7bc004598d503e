import { say, sayRefusal } from '@kc/rules/all-messages';
import type { AnyShareLink } from '@kc/rules/link-shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { LinkLine } from '../../share-links/link-line.tsx';
import { SettingRow, SettingsCard } from './settings-card.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';
import { onOff } from './visualization-card.tsx';

/** Whether people without an account can be given links, and the links that there are. */
export function LinksCard({ draft }: { readonly draft: SettingsDraft }) {
  const { base, settings } = draft;
  return (
    <SettingsCard title="Links">
      <SettingRow
        label="Client links"
        help={
          settings.clientLinks
            ? 'Users can give people without an account a link to one of their visualizations.'
            : 'Only people with an account can be given a link. Links to clients do not work.'
        }
        was={draft.changed.includes('clientLinks') ? onOff(base.settings.clientLinks) : undefined}
      >
        {(helpId) => (
          <Switch
            label="Client links"
            describedBy={helpId}
            checked={settings.clientLinks}
            onChange={(clientLinks) => draft.change({ ...settings, clientLinks })}
          />
        )}
      </SettingRow>
      <ShareLinks />
    </SettingsCard>
  );
}

const allLinksKey = ['links', 'all'] as const;

/** The links of all users that have not ended, to look through and to revoke. */
function ShareLinks() {
  const queries = useQueryClient();
  const toast = useToast();
  const found = useQuery({ queryKey: allLinksKey, queryFn: ({ signal }) => client.links.all({}, { signal }) });
  const revoking = useMutation({
    mutationFn: (link: AnyShareLink) => client.links.revoke({ id: link.id }),
    onSuccess: (_gone, link) => toast(say('link/revoked', { name: link.sharedWith })),
    onError: (error) => toast(say('link/not-revoked', { reason: sayRefusal(toRefusal(error)) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['links'] }),
  });
  return (
    <section aria-label="Links of all users" className="border-t border-line pt-3">
      <h3 className="m-0 mb-1 text-small font-semibold">Active links</h3>
      {found.isPending && <Skeleton className="h-12" />}
      {found.isError && (
        <Banner tone="error" actions={<BannerButton onClick={() => void found.refetch()}>Try again</BannerButton>}>
          {sayRefusal(toRefusal(found.error))}
        </Banner>
      )}
      {found.data?.length === 0 && <p className="m-0 text-small text-muted">None.</p>}
      <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
        {found.data?.map((link) => (
          <LinkLine key={link.id} link={link} opens={`${link.visualization} of ${link.owner}`}>
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
    </section>
  );
}
