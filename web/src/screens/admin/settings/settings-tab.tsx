import { limits } from '@kc/rules/limits';
import { sayRefusal } from '@kc/rules/messages';
import type { SavedSettings } from '@kc/rules/settings';
import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toRefusal } from '../../../api/refusal.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TabHeader } from '../tab-header.tsx';
import { BackendCard } from './backend-card.tsx';
import { LeaveQuestion, ResetQuestion } from './questions.tsx';
import { RegistrationCard } from './registration-card.tsx';
import { SaveBar } from './save-bar.tsx';
import { settingsQuery } from './settings-query.ts';
import { useSettingsDraft } from './use-settings-draft.ts';
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
        <SaveBar draft={draft} />
      </div>
      <ResetQuestion open={asking} onClose={() => setAsking(false)} onReset={draft.reset} />
      <LeaveQuestion hasChanges={draft.changed.length > 0} />
    </>
  );
}

/** ⌘S and Ctrl S save, as everywhere; the browser's own meaning would be of no use here. */
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
