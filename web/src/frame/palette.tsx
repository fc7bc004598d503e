import { Autocomplete } from '@base-ui/react/autocomplete';
import { sayError } from '@kc/rules/messages';
import { adminTabs, paths } from '@kc/rules/paths';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Command, matchCommands, type Offer, offeredCommands } from '../ui/commands.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useTheme } from '../ui/environment.ts';
import { useRested } from '../ui/timers.ts';
import { chooseTheme } from './theme.ts';
import type { UserMenuProps } from './user-menu.tsx';

export type PaletteProps = Omit<UserMenuProps, 'account'> & {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

const typingMs = 150;
const tabNames = { users: 'Users', upload: 'Upload', settings: 'Settings', activity: 'Activity' } as const;

/** The command palette: searches everything that this user can do on this page. A bottom sheet on phones. */
export function Palette(props: PaletteProps) {
  const { open, onOpenChange } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Commands"
      place="bottom"
      className="sm:inset-x-auto sm:top-[12dvh] sm:bottom-auto sm:left-1/2 sm:w-[min(36rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:rounded-dialog sm:border-x sm:border-b short:top-0"
    >
      <Chooser {...props} />
    </Dialog>
  );
}

function Chooser({ onOpenChange, ...person }: PaletteProps) {
  const own = useFrameCommands(person);
  const offers = useOffers();
  const [text, setText] = useState('');
  const { data: found = [], error } = useFound(offers, text.trim());
  const all = [...(offers ?? []).flatMap(({ commands }) => commands), ...own];
  const shown = [...matchCommands(all, text), ...found];
  const groups = groupsOf(shown);
  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      mode="none"
      autoHighlight="always"
      keepHighlight
      itemToStringValue={({ title }: Command) => title}
      value={text}
      onValueChange={(next, { reason }) => reason === 'input-change' && setText(next)}
    >
      <div className="flex max-h-[min(28rem,60dvh)] flex-col gap-2">
        <Autocomplete.Input
          aria-label="What to do"
          placeholder={offers?.some(({ find }) => find) ? 'Type a command or a keyword' : 'Type a command'}
          spellCheck={false}
          maxLength={200}
          autoFocus
          className="h-10 w-full shrink-0 rounded-control border border-line-strong bg-surface px-3 text-body text-ink placeholder:text-muted touch:h-11 touch:text-touch"
        />
        <Autocomplete.List aria-label="Commands" className="min-h-0 overflow-y-auto">
          {({ label, items }: (typeof groups)[number]) => (
            <Autocomplete.Group key={label} items={items}>
              <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-micro font-semibold text-muted">
                {label}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    onClick={() => {
                      onOpenChange(false);
                      command.run();
                    }}
                    className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2.5 py-1 text-small data-[highlighted]:bg-brand-soft touch:min-h-11"
                  >
                    <span dir="auto" className="min-w-0 flex-1 truncate text-ink">
                      {command.title}
                    </span>
                    {command.detail && <span className="max-w-1/2 shrink-0 truncate text-muted">{command.detail}</span>}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <Autocomplete.Status className="px-2.5 text-small text-muted empty:hidden">
          {error ? sayError(error) : shown.length === 0 && offers && 'Nothing here has that name.'}
        </Autocomplete.Status>
      </div>
    </Autocomplete.Root>
  );
}

/** Commands that work on every page. */
function useFrameCommands({ isAdmin, approved, actions }: Omit<PaletteProps, 'open' | 'onOpenChange'>): Command[] {
  const navigate = useNavigate();
  const other = useTheme() === 'dark' ? 'light' : 'dark';
  const inGroup =
    (group: string) =>
    (title: string, run: () => unknown): Command => ({ id: title, title, group, run: () => void run() });
  const go = inGroup('Go to');
  const act = inGroup('Do');
  const toTab = (tab: string, list?: string) =>
    navigate({ to: paths.admin, search: { tab, ...(list !== undefined && { list }) } });
  return [
    ...(approved ? [go('My Visualizations', () => navigate({ to: paths.visualization }))] : []),
    ...(isAdmin ? adminTabs.map((tab) => go(`Admin Panel: ${tabNames[tab]}`, () => toTab(tab))) : []),
    ...(isAdmin ? [act('Add User', () => toTab('users', 'create')), act('Upload File', () => toTab('upload'))] : []),
    act(`Switch to ${other} theme`, () => chooseTheme(other)),
    ...actions.map(({ name, run }) => act(name, run)),
  ];
}

/** Fetched again each time the palette opens; what is already loaded is found without a connection. */
const fetchOnce = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false, networkMode: 'always' } as const;

/** Commands offered by the parts of the page; undefined while loading. */
function useOffers(): readonly Offer[] | undefined {
  // If loading fails, the commands of every page are still there.
  const { data, isError } = useQuery({ queryKey: ['commands'], queryFn: offeredCommands, ...fetchOnce });
  return isError ? [] : data;
}

/** Debounced search results for a text beyond the commands; only for the latest text. */
function useFound(offers: readonly Offer[] | undefined, text: string) {
  const rested = useRested(text, typingMs);
  const query = text && rested;
  return useQuery({
    queryKey: ['commands', 'found', query],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(offers!.map(({ find }) => (query && find?.(query, signal)) || []));
      return found.flat();
    },
    enabled: offers !== undefined,
    placeholderData: keepPreviousData,
    ...fetchOnce,
  });
}

function groupsOf(commands: readonly Command[]) {
  const groups = new Map<string, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return Array.from(groups, ([label, items]) => ({ label, items }));
}
