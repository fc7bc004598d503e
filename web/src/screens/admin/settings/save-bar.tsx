import { say } from '@kc/rules/messages';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import type { SettingsDraft } from './use-settings-draft.ts';

/** At the foot of the settings; with changes it stays in sight. */
export function SaveBar({ draft }: { readonly draft: SettingsDraft }) {
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
