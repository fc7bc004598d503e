import { say } from '@kc/rules/messages';
import { type Settings, withOpenRegistration } from '@kc/rules/settings';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { SettingRow, SettingsCard } from './settings-card.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';
import { onOff } from './visualization-card.tsx';

export function RegistrationCard({ draft }: { readonly draft: SettingsDraft }) {
  const { base, settings } = draft;
  const was = (name: 'openRegistration' | 'autoApprove') =>
    draft.changed.includes(name) ? onOff(base.settings[name]) : undefined;
  return (
    <SettingsCard title="User Registration" note={!base.policyEnforced && <NotEnforced draft={draft} />}>
      <SettingRow
        label="Open registration"
        help={
          settings.openRegistration
            ? 'Anybody may sign up by themselves.'
            : 'Nobody may sign up by themselves: only administrators create accounts.'
        }
        was={was('openRegistration')}
      >
        {(helpId) => (
          <Switch
            label="Open registration"
            describedBy={helpId}
            checked={settings.openRegistration}
            onChange={(open) => draft.change(withOpenRegistration(settings, open))}
          />
        )}
      </SettingRow>
      <SettingRow label="Auto-approve" help={autoApproveHelp(settings)} was={was('autoApprove')}>
        {(helpId) => (
          <Switch
            label="Auto-approve"
            describedBy={helpId}
            disabled={!settings.openRegistration}
            checked={settings.autoApprove}
            onChange={(autoApprove) => draft.change({ ...settings, autoApprove })}
          />
        )}
      </SettingRow>
    </SettingsCard>
  );
}

function autoApproveHelp({ openRegistration, autoApprove }: Settings): string {
  if (!openRegistration) return 'Can be changed only while open registration is on.';
  return autoApprove ? 'Who signs up is approved at once.' : 'Who signs up waits until an administrator approves them.';
}

/** Until an administrator saves the settings, the switches below show a policy that is not enforced. */
function NotEnforced({ draft }: { readonly draft: SettingsDraft }) {
  const hasChanges = draft.changed.length > 0;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-warn-soft py-2 pr-2 pl-3 text-warn">
      <TriangleAlert size={18} strokeWidth={1.75} className="shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-48">{say('settings/not-enforced')}</p>
      <Button
        size="dense"
        disabled={hasChanges || draft.saving}
        title={hasChanges ? 'Save or discard your changes first' : undefined}
        onClick={draft.enforce}
      >
        Enforce this policy
      </Button>
    </div>
  );
}
