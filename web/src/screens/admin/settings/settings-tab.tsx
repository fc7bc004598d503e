import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import { type SavedSettings, type Settings, withOpenRegistration } from '@kc/rules/settings';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { Lock, RotateCcw, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client } from '../../../api/client.ts';
import { ActiveTokens } from '../../../grants/active-tokens.tsx';
import { useMe } from '../../../session/session.ts';
import { Banner, RetryBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { bytesText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useWindowEvent } from '../../../ui/use-window-event.ts';
import { ActiveLinks } from '../../share-links/active-links.tsx';
import { TabHeader } from '../admin-tabs.tsx';
import { SettingRow, SettingsCard, SwitchSetting } from './settings-card.tsx';
import { type SettingsDraft, settingsQuery, useSettingsDraft } from './use-settings-draft.ts';
import { VisualizationCard } from './visualization-card.tsx';
import { WebhooksCard } from './webhooks-card.tsx';

export function SettingsTab() {
  const saved = useQuery(settingsQuery);
  if (saved.data) return <SettingsForm saved={saved.data} />;
  return (
    <>
      <TabHeader tab="settings" />
      <div className="flex max-w-180 flex-col gap-4">
        <BackendCard />
        {saved.isError ? (
          <RetryBanner of={saved}>{sayError(saved.error)}</RetryBanner>
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
  // ⌘S and Ctrl+S save the settings instead of the page.
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    draft.save();
  });
  const { notice } = draft;
  return (
    <>
      <TabHeader
        tab="settings"
        action={
          <Button icon={<RotateCcw size={18} />} onClick={() => setAsking(true)}>
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
        <TokensCard />
        <WebhooksCard />
        <StorageCard />
        <SaveBar draft={draft} />
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reset to Defaults"
        description={say('settings/reset-question')}
        act="Reset to Defaults"
        onAct={() => {
          setAsking(false);
          draft.reset();
        }}
      />
      <LeaveQuestion hasChanges={draft.changed.length > 0} />
    </>
  );
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
      icon={<Lock size={18} className="text-muted" />}
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
          <TriangleAlert size={18} className="shrink-0" />
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
    <ConfirmDialog
      open={status === 'blocked'}
      onClose={() => reset?.()}
      title="Unsaved changes"
      description={say('settings/leave-question')}
      keep="Stay"
      act="Leave without saving"
      onAct={() => proceed?.()}
    />
  );
}

function RegistrationCard({ draft }: { readonly draft: SettingsDraft }) {
  const { base, settings } = draft;
  return (
    <SettingsCard title="User Registration" note={!base.policyEnforced && <NotEnforced draft={draft} />}>
      <SwitchSetting
        draft={draft}
        name="openRegistration"
        label="Open registration"
        help={
          settings.openRegistration
            ? 'Anybody may sign up by themselves.'
            : 'Nobody may sign up by themselves: only administrators create accounts.'
        }
        onChange={(open) => draft.change(withOpenRegistration(settings, open))}
      />
      <SwitchSetting
        draft={draft}
        name="autoApprove"
        label="Auto-approve"
        help={autoApproveHelp(settings)}
        disabled={!settings.openRegistration}
      />
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
      <TriangleAlert size={18} className="shrink-0" />
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

/** Whether people without an account can receive links, and the existing links. */
function LinksCard({ draft }: { readonly draft: SettingsDraft }) {
  return (
    <SettingsCard title="Links">
      {/* Alone in a box, the row has no line of its own: the list has one. */}
      <div>
        <SwitchSetting
          draft={draft}
          name="clientLinks"
          label="Client links"
          help={
            draft.settings.clientLinks
              ? 'Users can give people without an account a link to one of their visualizations.'
              : 'Only people with an account can be given a link. Links to clients do not work.'
          }
        />
      </div>
      <ActiveLinks
        label="Links of all users"
        none="None."
        of="all"
        read={(signal) => client.links.all({}, { signal })}
        opens={({ visualization, owner }) => `${visualization} of ${owner}`}
      />
    </SettingsCard>
  );
}

/** The access tokens of all users. */
function TokensCard() {
  return (
    <SettingsCard title="Access tokens">
      <ActiveTokens
        label="Access tokens of all users"
        none="None."
        of="all"
        read={(signal) => client.accessTokens.all({}, { signal })}
        ownerOf={({ owner }) => owner}
      />
    </SettingsCard>
  );
}

type Limit = 'maxUserVisualizations' | 'maxUserImportMb';

/** Whether users may import keyword lists for themselves, and how many. Administrators always may. */
function ImportsCard({ draft }: { readonly draft: SettingsDraft }) {
  return (
    <SettingsCard title="Imports">
      <SwitchSetting
        draft={draft}
        name="userImports"
        label="Users may import their own lists"
        help={
          draft.settings.userImports
            ? 'Approved users can turn keyword lists into maps of their own.'
            : 'Only administrators import keyword lists.'
        }
      />
      <LimitRow
        label="Visualizations per user"
        help="Users with this many cannot import another list until they delete one."
        name="maxUserVisualizations"
        max={1000}
        draft={draft}
      />
      <LimitRow
        label="MB per import"
        help="How large the files of one import may be together. Each visualization and draft of a user may take four times that in storage."
        name="maxUserImportMb"
        max={limits.maxUploadMb}
        draft={draft}
      />
    </SettingsCard>
  );
}

type LimitProps = {
  readonly label: string;
  readonly help: string;
  readonly name: Limit;
  readonly max: number;
  readonly draft: SettingsDraft;
};

function LimitRow({ label, help, name, max, draft }: LimitProps) {
  const value = draft.settings[name];
  const [text, setText] = useState(String(value));
  // Reset and Discard change the value from outside.
  useEffect(() => setText(String(value)), [value]);
  const change = (next: string) => {
    setText(next);
    const number = limitOf(next, max);
    if (number !== undefined) draft.change({ [name]: number });
  };
  return (
    <SettingRow label={label} help={help} was={draft.was(name, String)}>
      {(helpId) => (
        <input
          type="text"
          inputMode="numeric"
          aria-label={label}
          aria-describedby={helpId}
          aria-invalid={limitOf(text, max) === undefined || undefined}
          value={text}
          onChange={(event) => change(event.target.value)}
          onBlur={() => setText(String(value))}
          className="h-10 w-24 rounded-control border border-line-strong bg-surface px-3 text-right text-body text-ink tabular-nums aria-invalid:border-bad touch:h-11 touch:text-touch"
        />
      )}
    </SettingRow>
  );
}

/** A whole number from 1 to `max`; undefined for anything else. */
function limitOf(text: string, max: number): number | undefined {
  const number = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : undefined;
}

const storageKey = ['settings', 'storage'] as const;

/** Free space of the server, and what deleted files still take, which an administrator can free at once. */
function StorageCard() {
  const use = useQuery({ queryKey: storageKey, queryFn: ({ signal }) => client.storage.use(undefined, { signal }) });
  if (use.isError) {
    return (
      <SettingsCard title="Storage">
        <RetryBanner of={use}>{sayError(use.error)}</RetryBanner>
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
        {purging.isError && <Banner tone="error">{sayError(purging.error)}</Banner>}
      </ConfirmDialog>
    </>
  );
}
