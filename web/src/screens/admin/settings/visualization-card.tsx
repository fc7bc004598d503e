import {
  type DefaultDepth,
  type RefreshInterval,
  refreshIntervalMs,
  refreshIntervals,
  type Settings,
} from '@kc/rules/settings';
import { useEffect, useState } from 'react';
import { Switch } from '../../../ui/checkbox.tsx';
import { clockText } from '../../../ui/number-text.ts';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { Select } from '../../../ui/select.tsx';
import { SettingRow, SettingsCard } from './settings-card.tsx';
import { SettingsPreview } from './settings-preview.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

const depthNames: Readonly<Record<DefaultDepth, string>> = { 1: '1', 2: '2', 3: '3', all: 'All' };
const depthOptions = (['1', '2', '3', 'all'] as const).map((value) => ({ value, label: depthNames[value] }));

const intervalText = (value: RefreshInterval): string => (value === 'none' ? 'Never' : `${value} minutes`);
const intervalOptions = refreshIntervals.map((value) => ({ value, label: intervalText(value) }));

export const onOff = (value: boolean): string => (value ? 'on' : 'off');

export function VisualizationCard({ draft }: { readonly draft: SettingsDraft }) {
  const { base, settings } = draft;
  const now = useMinute();
  const was = (name: keyof Settings, text: string) => (draft.changed.includes(name) ? text : undefined);
  const themeIsOpen = !base.themeChosen && !draft.changed.includes('darkMode');
  return (
    <SettingsCard title="Visualization Settings">
      <div className="grid items-start gap-x-8 gap-y-2 sm:grid-cols-[minmax(0,1fr)_13.5rem]">
        <div className="mt-2 sm:sticky sm:top-20 sm:order-last sm:mt-4">
          <SettingsPreview settings={settings} theme={themeIsOpen ? undefined : settings.darkMode ? 'dark' : 'light'} />
        </div>
        <div className="min-w-0">
          <SettingRow
            label="Default depth"
            help="Levels that the explorer opens at first. A depth in the link takes precedence."
            was={was('defaultDepth', depthNames[base.settings.defaultDepth])}
          >
            {() => (
              <SegmentedControl
                label="Default depth"
                value={settings.defaultDepth}
                options={depthOptions}
                onChange={(defaultDepth) => draft.change({ ...settings, defaultDepth })}
              />
            )}
          </SettingRow>
          <SettingRow
            label="Auto-expand"
            help={
              settings.autoExpand
                ? 'A branch that somebody opens shows as many levels as the default depth. Zooming into a branch opens it.'
                : 'A tree begins with its first level, and a branch that somebody opens shows one level. Zooming opens nothing.'
            }
            was={was('autoExpand', onOff(base.settings.autoExpand))}
          >
            {(helpId) => (
              <Switch
                label="Auto-expand"
                describedBy={helpId}
                checked={settings.autoExpand}
                onChange={(autoExpand) => draft.change({ ...settings, autoExpand })}
              />
            )}
          </SettingRow>
          <SettingRow
            label="Dark mode"
            help={
              themeIsOpen
                ? 'Not decided yet: each person’s system chooses between light and dark.'
                : 'For everybody who has not chosen a theme by the button in the header.'
            }
            was={was('darkMode', onOff(base.settings.darkMode))}
          >
            {(helpId) => (
              <Switch
                label="Dark mode"
                describedBy={helpId}
                checked={settings.darkMode}
                onChange={(darkMode) => draft.change({ ...settings, darkMode })}
              />
            )}
          </SettingRow>
          <SettingRow
            label="Data refresh interval"
            help={refreshWords(settings.dataRefreshInterval, now)}
            was={was('dataRefreshInterval', intervalText(base.settings.dataRefreshInterval))}
          >
            {(helpId) => (
              <Select
                label="Data refresh interval"
                showLabel={false}
                describedBy={helpId}
                className="w-40"
                value={settings.dataRefreshInterval}
                options={intervalOptions}
                onChange={(dataRefreshInterval) => draft.change({ ...settings, dataRefreshInterval })}
              />
            )}
          </SettingRow>
        </div>
      </div>
    </SettingsCard>
  );
}

const minuteMs = 60_000;

/** The current time in ms since 1970, updated every minute on the minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), minuteMs - (now % minuteMs));
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

/**
 * What an open page does about newer data, and the time of its next check.
 *
 * @param now ms since 1970
 */
export function refreshWords(interval: RefreshInterval, now: number): string {
  const every = refreshIntervalMs(interval);
  if (every === false) return 'An open page shows newer data only when its reader presses Refresh or opens it again.';
  return `An open page looks for newer data every ${interval} minutes and offers what it finds. A page opened now looks again at ${clockText(now + every)}.`;
}
