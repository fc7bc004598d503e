import type { Settings } from '@kc/rules/settings';
import { type ReactNode, useId } from 'react';
import { Switch } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import type { SettingsDraft } from './use-settings-draft.ts';

type CardProps = {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly note?: ReactNode;
  readonly children: ReactNode;
};

export function SettingsCard({ title, icon, note, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <h3 id={id} className="flex items-center gap-2 text-h2">
        {icon}
        {title}
      </h3>
      {note && <div className="mt-1 text-body text-muted">{note}</div>}
      <div className="mt-2">{children}</div>
    </section>
  );
}

type RowProps = {
  readonly label: string;
  readonly help: ReactNode;
  /** The saved value as text, while the shown value differs from it. */
  readonly was?: string | undefined;
  /** Receives the ID of the help text. */
  readonly children: (helpId: string) => ReactNode;
};

/** One setting: its label, help text and control. Marked while it has an unsaved change. */
export function SettingRow({ label, help, was, children }: RowProps) {
  const id = useId();
  return (
    <div
      className={classNames(
        '-mx-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-3 py-4 last:border-b-0',
        was !== undefined && 'shadow-[inset_3px_0_var(--brand)]',
      )}
    >
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium text-body">
          {label}
          {was !== undefined && <span className="ml-2 font-normal text-micro text-muted">was: {was}</span>}
        </p>
        <p id={id} className="mt-0.5 text-muted text-small">
          {help}
        </p>
      </div>
      {children(id)}
    </div>
  );
}

type SwitchProps = {
  readonly draft: SettingsDraft;
  readonly name: { [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never }[keyof Settings];
  readonly label: string;
  readonly help: string;
  readonly disabled?: boolean;
  /** If more changes than this setting. */
  readonly onChange?: (isOn: boolean) => void;
};

/** One setting that is on or off. */
export function SwitchSetting({ draft, name, label, help, disabled = false, onChange }: SwitchProps) {
  return (
    <SettingRow label={label} help={help} was={draft.was(name, onOff)}>
      {(helpId) => (
        <Switch
          label={label}
          describedBy={helpId}
          disabled={disabled}
          checked={draft.settings[name]}
          onChange={onChange ?? ((isOn) => draft.change({ [name]: isOn }))}
        />
      )}
    </SettingRow>
  );
}

const onOff = (value: boolean): string => (value ? 'on' : 'off');
