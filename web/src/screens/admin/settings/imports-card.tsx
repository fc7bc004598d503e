import { limits } from '@kc/rules/limits';
import type { Settings } from '@kc/rules/settings';
import { useEffect, useState } from 'react';
import { Switch } from '../../../ui/checkbox.tsx';
import { SettingRow, SettingsCard } from './settings-card.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';
import { onOff } from './visualization-card.tsx';

type Limit = 'maxUserVisualizations' | 'maxUserImportMb';

/** Whether users may import keyword lists for themselves, and how many. Administrators always may. */
export function ImportsCard({ draft }: { readonly draft: SettingsDraft }) {
  const { base, settings } = draft;
  const wasOn = draft.changed.includes('userImports') ? onOff(base.settings.userImports) : undefined;
  return (
    <SettingsCard title="Imports">
      <SettingRow
        label="Users may import their own lists"
        help={
          settings.userImports
            ? 'Approved users can turn keyword lists into maps of their own.'
            : 'Only administrators import keyword lists.'
        }
        was={wasOn}
      >
        {(helpId) => (
          <Switch
            label="Users may import their own lists"
            describedBy={helpId}
            checked={settings.userImports}
            onChange={(userImports) => draft.change({ ...settings, userImports })}
          />
        )}
      </SettingRow>
      <LimitRow
        label="Visualizations per user"
        help="Users with this many cannot import another list until they delete one."
        name="maxUserVisualizations"
        most={1000}
        draft={draft}
      />
      <LimitRow
        label="MB per import"
        help="How large the files of one import may be together. Each visualization and draft of a user may take four times that in storage."
        name="maxUserImportMb"
        most={limits.maxUploadMb}
        draft={draft}
      />
    </SettingsCard>
  );
}

type LimitProps = {
  readonly label: string;
  readonly help: string;
  readonly name: Limit;
  readonly most: number;
  readonly draft: SettingsDraft;
};

function LimitRow({ label, help, name, most, draft }: LimitProps) {
  const { base, settings } = draft;
  const value = settings[name];
  const [text, setText] = useState(String(value));
  // Reset and Discard change the value from outside.
  useEffect(() => setText(String(value)), [value]);
  const change = (next: string) => {
    setText(next);
    const number = limitOf(next, most);
    if (number !== undefined) draft.change({ ...settings, [name]: number } satisfies Settings);
  };
  return (
    <SettingRow label={label} help={help} was={draft.changed.includes(name) ? String(base.settings[name]) : undefined}>
      {(helpId) => (
        <input
          type="text"
          inputMode="numeric"
          aria-label={label}
          aria-describedby={helpId}
          aria-invalid={limitOf(text, most) === undefined || undefined}
          value={text}
          onChange={(event) => change(event.target.value)}
          onBlur={() => setText(String(value))}
          className="h-10 w-24 rounded-control border border-line-strong bg-surface px-3 text-right text-body text-ink tabular-nums aria-invalid:border-bad touch:h-11 touch:text-touch"
        />
      )}
    </SettingRow>
  );
}

/** A whole number from 1 to `most`; undefined for anything else. */
export function limitOf(text: string, most: number): number | undefined {
  const number = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : undefined;
}
