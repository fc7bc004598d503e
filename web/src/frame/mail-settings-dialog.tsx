import { sayRefusal } from '@kc/rules/all-messages';
import { type MailKind, mailKinds } from '@kc/rules/mail-api';
import { client } from '../api/client.ts';
import { useOwnSettings } from '../api/own-settings.ts';
import { Banner } from '../ui/banner.tsx';
import { SwitchRow } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/progress.tsx';

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

const words: Readonly<Record<MailKind, readonly [label: string, help: string]>> = {
  imports: [
    'Imports',
    'When somebody else or a program imports data for you: what changed, or why it waits or failed.',
  ],
  assignments: ['Plan entries', 'When somebody makes you the owner of entries of a plan.'],
};

/** Which emails the user gets. */
export function MailSettingsDialog({ open, onOpenChange }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Emails"
      description="Emails about your account and your password are always sent."
    >
      <Switches />
    </Dialog>
  );
}

function Switches() {
  const { settings, refusal, change } = useOwnSettings('mail-settings', {
    read: (signal) => client.mails.settings({}, { signal }),
    change: (next) => client.mails.changeSettings(next),
  });
  return (
    <div className="flex flex-col gap-4">
      {refusal && <Banner tone="error">{sayRefusal(refusal)}</Banner>}
      {settings === undefined && !refusal && <Skeleton className="h-24 w-full" />}
      {settings &&
        mailKinds.map((kind) => (
          <SwitchRow
            key={kind}
            label={words[kind][0]}
            help={words[kind][1]}
            checked={settings[kind]}
            onChange={(isOn) => change({ [kind]: isOn })}
          />
        ))}
    </div>
  );
}
