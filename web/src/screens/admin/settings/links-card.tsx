import { Switch } from '../../../ui/checkbox.tsx';
import { SettingRow, SettingsCard } from './settings-card.tsx';
import { ShareLinks } from './share-links.tsx';
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
