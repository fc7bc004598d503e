import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import type { SavedSettings } from '@kc/rules/settings';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { Lock, RotateCcw, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toRefusal } from '../../../api/refusal.ts';
import { useMe } from '../../../session/session.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { TabHeader } from '../admin-tabs.tsx';
import { ImportsCard } from './imports-card.tsx';
import { LinksCard } from './links-card.tsx';
import { RegistrationCard } from './registration-card.tsx';
import { SettingsCard } from './settings-card.tsx';
import { StorageCard } from './storage-card.tsx';
import { type SettingsDraft, settingsQuery, useSettingsDraft } from './use-settings-draft.ts';
import { VisualizationCard } from './visualization-card.tsx';

export function SettingsTab() {
  const saved = useQuery(settingsQuery);
  if (saved.data) return <SettingsForm saved={saved.data} />;
  return (
    <>
      <TabHeader tab="settings" />
      <div className="flex max-w-180 flex-col gap-4">
        <BackendCard />
        {saved.isError ? (
          <Banner tone="error" actions={<BannerButton onClick={() => void saved.refetch()}>Try again</BannerButton>}>
            {sayRefusal(toRefusal(saved.error))}
          </Banner>
        ) : (
          <Skeleton className="h-90 w-full rounded-card" />
        )}
      </div>
    </>
  );
}

function SettingsForm({ saved }: { readonly saved: SavedSettings }) {
  const draft = useSettingsDraft(saved);
  const [asking, setAsking] = useState(false);
  useSaveKey(draft.save);
  const { notice } = draft;
  return (
    <>
      <TabHeader
        tab="settings"
        action={
          <Button icon={<RotateCcw size={18} strokeWidth={1.75} aria-hidden />} onClick={() => setAsking(true)}>
            Reset to Defaults
          </Button>
        }
      />
      <div className="flex max-w-180 flex-col gap-4">
        {notice && (
          <Banner key={notice.id} tone={notice.tone} lifeMs={limits.bannerMs} onDismiss={draft.dismiss}>
            {notice.text}
          </Banner>
        )}
        <BackendCard />
        <VisualizationCard draft={draft} />
        <RegistrationCard draft={draft} />
        <ImportsCard draft={draft} />
        <LinksCard draft={draft} />
        <StorageCard />
        <SaveBar draft={draft} />
      </div>
      <ResetQuestion open={asking} onClose={() => setAsking(false)} onReset={draft.reset} />
      <LeaveQuestion hasChanges={draft.changed.length > 0} />
    </>
  );
}

/** ⌘S and Ctrl+S save the settings instead of the page. */
function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Read-only facts about the server. */
function BackendCard() {
  const server = useMe()?.server;
  const facts = [
    { name: 'Server version', value: server?.version },
    { name: `${server?.providerName ?? 'Google'} sign-in`, value: server?.google ? 'Set up' : 'Not set up' },
    { name: 'Support email', value: server?.supportEmail || 'Not set' },
  ];
  return (
    <SettingsCard
      title="Backend Configuration"
      icon={<Lock size={18} strokeWidth={1.75} className="text-muted" aria-hidden />}
      note="These settings are managed in environment configuration and cannot be modified here."
    >
      <dl className="mt-2 divide-y divide-line rounded-card border border-line bg-sunken px-4">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex min-h-11 items-center justify-between gap-4 py-2">
            <dt className="text-muted text-small">{name}</dt>
            <dd className="min-w-0 text-right font-medium text-body wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </SettingsCard>
  );
}

/** The save bar below the settings. It sticks to the bottom of the window while there are unsaved changes. */
function SaveBar({ draft }: { readonly draft: SettingsDraft }) {
  const hasChanges = draft.changed.length > 0;
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center justify-end gap-3 rounded-card',
        hasChanges &&
          'sticky bottom-18 z-20 border border-line bg-surface p-3 shadow-2 md:bottom-4 motion animate-[rise_200ms_cubic-bezier(.2,.8,.2,1)] short:static',
      )}
    >
      {hasChanges && (
        <p role="status" className="flex min-w-0 flex-1 basis-64 items-center gap-2 text-small text-warn">
          <TriangleAlert size={18} strokeWidth={1.75} className="shrink-0" aria-hidden />
          {say('settings/unsaved')}
        </p>
      )}
      {hasChanges && (
        <Button onClick={draft.discard} disabled={draft.saving}>
          Discard Changes
        </Button>
      )}
      <Button
        variant="primary"
        onClick={draft.save}
        disabled={!hasChanges || draft.saving}
        aria-keyshortcuts="Control+S Meta+S"
      >
        {draft.saving ? 'Saving...' : 'Save Settings'}
      </Button>
    </div>
  );
}

type ResetProps = { readonly open: boolean; readonly onClose: () => void; readonly onReset: () => void };

function ResetQuestion({ open, onClose, onReset }: ResetProps) {
  const reset = () => {
    onClose();
    onReset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Reset to Defaults"
      description={say('settings/reset-question')}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" onClick={reset}>
            Reset to Defaults
          </Button>
        </>
      }
    />
  );
}

/**
 * Confirms before changes are lost: with a dialog on navigation within the app, with the browser's prompt otherwise.
 */
function LeaveQuestion({ hasChanges }: { readonly hasChanges: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => hasChanges,
    enableBeforeUnload: () => hasChanges,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === 'blocked'}
      onOpenChange={(next) => !next && reset?.()}
      title="Unsaved changes"
      description={say('settings/leave-question')}
      actions={
        <>
          <Button onClick={reset}>Stay</Button>
          <Button variant="danger" onClick={proceed}>
            Leave without saving
          </Button>
        </>
      }
    />
  );
}
