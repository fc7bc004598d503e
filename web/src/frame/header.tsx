import { paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { DoorOpen, KeyRound, LogOut, Mail, Menu as MenuIcon, Moon, Pencil, Search, Sun } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { draftPercentOf, isUnderWay, percentOf, putAway, useTransfers } from '../api/transfers.ts';
import { useSignOut, useSignOutEverywhere } from '../session/change-session.ts';
import { useApproval, useMe } from '../session/session.ts';
import { buttonClass } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { useTheme } from '../ui/environment.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { isMac, keyName } from '../ui/keys.ts';
import { LazyBoundary, lazyPart } from '../ui/lazy-boundary.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Constellation } from '../ui/space.tsx';
import { MessagePlace } from '../ui/toast.tsx';
import { useWindowEvent } from '../ui/use-window-event.ts';
import type { PaletteProps } from './palette.tsx';
import { chooseTheme } from './theme.ts';
import { type OwnAction, UserMenu } from './user-menu.tsx';

// Most visits open none of them.
const EditName = lazyPart(async () => (await import('./edit-name.tsx')).EditName);
const AccessTokens = lazyPart(async () => (await import('../grants/access-tokens-dialog.tsx')).AccessTokensDialog);
const MailSettings = lazyPart(async () => (await import('./mail-settings-dialog.tsx')).MailSettingsDialog);
const MobileSheet = lazyPart(async () => (await import('./mobile-sheet.tsx')).MobileSheet);

/** The header of every page except the signed-out ones: navigation, search and user menu. */
export function Header() {
  const me = useMe();
  const header = useRef<HTMLElement>(null);
  useHeaderHeight(header);
  const [sheetOpen, setSheetOpen] = useState<boolean>();
  const { approved, admin } = useApproval();
  const [paletteOpen, setPaletteOpen] = useState<boolean>();
  /** The dialog that was opened last: it stays while it closes. */
  const [dialog, setDialog] = useState<OpenedDialog>();
  const open = (about: OpenedDialog['about']) => () => setDialog({ about, open: true });
  const toggle = (open: boolean) => setDialog((last) => last && { ...last, open });
  const signOut = useSignOut();
  const signOutEverywhere = useSignOutEverywhere();
  const actions: readonly OwnAction[] = [
    ...(me?.status === 'denied' ? [] : [{ name: 'Edit name', Icon: Pencil, run: open('name') }]),
    ...(approved
      ? [
          { name: 'Emails', Icon: Mail, run: open('emails') },
          { name: 'Access tokens', Icon: KeyRound, run: open('tokens') },
        ]
      : []),
    { name: 'Sign Out', Icon: LogOut, run: () => signOut.mutate(), isSignOut: true },
    { name: 'Sign out everywhere', Icon: DoorOpen, run: () => signOutEverywhere.mutate(), isSignOut: true },
  ];
  const own = { isAdmin: me?.isAdmin === true, approved, actions };
  return (
    <header
      ref={header}
      className="sticky top-0 z-40 flex min-h-13 shrink-0 flex-wrap content-center items-center gap-x-2 border-line border-b bg-surface px-4 [view-transition-name:header] presenting:hidden md:min-h-14 md:px-6 xl:px-8"
    >
      <Link
        to={paths.index}
        aria-label="Keyword Clustering, home"
        className="mr-4 flex h-11 items-center gap-2.5 rounded-control text-ink no-underline"
      >
        <Constellation className="size-7 text-brand" />
        <span className="hidden font-semibold text-[1rem] tracking-tight xs:inline">Keyword Clustering</span>
      </Link>
      {approved && (
        <nav aria-label="Main" className="-mb-px hidden h-14 items-stretch gap-1 md:flex">
          <NavLink to={paths.visualization}>Visualization</NavLink>
          {admin && <NavLink to={paths.admin}>Admin Panel</NavLink>}
        </nav>
      )}
      {/* Where there is no room between both, below them. */}
      <MessagePlace className="order-last basis-full xl:order-none xl:flex-1 xl:basis-0" />
      <div className="ml-auto flex items-center gap-1 md:gap-2">
        <UploadPill />
        <ImportPill />
        {me?.account && (
          <PaletteButton
            {...own}
            open={paletteOpen}
            onOpenChange={setPaletteOpen}
            onFailed={() => setPaletteOpen(undefined)}
          />
        )}
        <ThemeToggle />
        {me === undefined && <UserSkeleton />}
        {me && !me.isAuthenticated && (
          <Link to={paths.login} className={buttonClass('primary')}>
            Sign In
          </Link>
        )}
        {me?.account && (
          <>
            <div className="hidden md:block">
              <UserMenu {...own} account={me.account} />
            </div>
            <IconButton label="Menu" className="md:hidden" onClick={() => setSheetOpen(true)}>
              <MenuIcon size={20} />
            </IconButton>
            <LazyBoundary onFailed={() => setSheetOpen(undefined)}>
              {sheetOpen !== undefined && (
                <MobileSheet
                  {...own}
                  account={me.account}
                  open={sheetOpen}
                  onOpenChange={setSheetOpen}
                  onCommands={() => setPaletteOpen(true)}
                />
              )}
            </LazyBoundary>
            <LazyBoundary onFailed={() => setDialog(undefined)}>
              {dialog && (
                <OwnDialog {...dialog} isAdmin={me.isAdmin} name={me.account.displayName} onOpenChange={toggle} />
              )}
            </LazyBoundary>
          </>
        )}
      </div>
    </header>
  );
}

type OpenedDialog = { readonly about: 'name' | 'emails' | 'tokens'; readonly open: boolean };

type OwnDialogProps = OpenedDialog & {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

/** What the user changes about their own account. */
function OwnDialog({ about, name, isAdmin, ...opening }: OwnDialogProps) {
  if (about === 'name') return <EditName name={name} {...opening} />;
  if (about === 'emails') return <MailSettings {...opening} />;
  return <AccessTokens isAdmin={isAdmin} {...opening} />;
}

/** Publishes the height of the header in `--header`: pages fill the rest of the window. Messages make it higher. */
function useHeaderHeight(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    let frame = 0;
    const publish = () => {
      const px = header.current?.getBoundingClientRect().height ?? 0;
      // While presenting, it is not there.
      if (px > 0) style.setProperty('--header', `${px}px`);
    };
    const watch = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      // Not at once: other sizes that are watched depend on it.
      frame = requestAnimationFrame(publish);
    });
    if (header.current) watch.observe(header.current);
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      style.removeProperty('--header');
    };
  }, [header]);
}

function NavLink({
  to,
  children,
}: {
  readonly to: typeof paths.visualization | typeof paths.admin;
  readonly children: string;
}) {
  return (
    <Link
      to={to}
      className={classNames(
        'relative flex items-center rounded-control px-3 font-medium text-muted text-small no-underline motion transition duration-[80ms] hover:text-ink',
        'aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-3 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:rounded-full aria-[current=page]:after:bg-brand',
      )}
    >
      {children}
    </Link>
  );
}

/** A placeholder the size of the user button, so that nothing moves when the session arrives. */
function UserSkeleton() {
  return (
    <div className="flex items-center gap-2 px-1" role="status" aria-label="Loading account">
      <Skeleton className="size-8 rounded-full" />
      <Skeleton className="hidden h-4 w-24 lg:block" />
    </div>
  );
}

const standstillWords = { paused: 'paused', lost: 'waiting', 'signed-out': 'waiting' } as const;

/** The running upload, shown on every page: a progress ring that links back to it. */
function UploadPill() {
  const transfer = useTransfers(({ upload }) => upload);
  if (!transfer || !isUnderWay(transfer)) return null;
  const percent = percentOf(transfer);
  const standstill = transfer.standstill && standstillWords[transfer.standstill];
  return (
    <Link
      to={paths.admin}
      search={{ tab: 'upload' }}
      aria-label={`Upload of ${transfer.fileName}: ${percent}%${standstill ? `, ${standstill}` : ''}`}
      title={`${transfer.fileName} for ${transfer.receiver.email}`}
      className="flex h-9 items-center gap-2 rounded-full bg-brand-soft pr-3 pl-2 font-medium text-brand-ink text-small no-underline touch:h-11"
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-6 -rotate-90">
        <circle cx="12" cy="12" r="9" fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="12"
          cy="12"
          r="9"
          fill="none"
          strokeWidth="3"
          pathLength="100"
          strokeDasharray={`${percent} 100`}
          className={standstill ? 'stroke-warn' : 'stroke-brand'}
        />
      </svg>
      {percent}%{standstill && <span className="hidden capitalize sm:inline">{standstill}</span>}
    </Link>
  );
}

const pillClass =
  'flex h-9 items-center gap-2 rounded-full bg-brand-soft px-3 font-medium text-brand-ink text-small no-underline touch:h-11';

/** The import of this browser on every page: how far it is, then "Draft ready – Open". */
function ImportPill() {
  const { draft, lists, listsRefusal } = useTransfers();
  const isAdmin = useMe()?.isAdmin === true;
  if (!draft) return null;
  if (draft.state === 'ready') {
    return (
      <a href={`${paths.visualization}?draft=${draft.id}`} onClick={putAway} className={pillClass}>
        Draft ready – Open<span className="sr-only">: {draft.name}</span>
      </a>
    );
  }
  const percent = draftPercentOf(draft, lists);
  const hasEnded = listsRefusal !== undefined || draft.state === 'stopped' || draft.state === 'failed';
  const word = hasEnded ? 'stopped' : `${percent}%`;
  const label = `Import ${word}: ${draft.name}`;
  const page = isAdmin ? { to: paths.admin, search: { tab: 'upload' } } : { to: paths.import };
  return (
    <Link {...page} aria-label={label} title={label} className={pillClass}>
      Import {word}
    </Link>
  );
}

function ThemeToggle() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <IconButton label={`Switch to ${other} theme`} onClick={() => chooseTheme(other)}>
      <Icon size={18} />
    </IconButton>
  );
}

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

/** `open` is undefined until the palette is first opened. */
type PaletteButtonProps = Omit<PaletteProps, 'open'> & {
  readonly open: boolean | undefined;
  readonly onFailed: () => void;
};

/** Opens the command palette with a button, or with ⌘K or Ctrl+K anywhere. */
function PaletteButton({ open, onFailed, ...props }: PaletteButtonProps) {
  const { onOpenChange } = props;
  useWindowEvent('keydown', (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'k';
    if (!isShortcut) return;
    // Overrides the browser's own shortcut.
    event.preventDefault();
    if (open) onOpenChange(false);
    else if (!isInDialog()) onOpenChange(true);
  });
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => onOpenChange(true)}
        className="hidden h-8 items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 text-muted text-small hover:bg-sunken hover:text-ink md:flex touch:h-11"
      >
        <Search size={16} />
        <span className="sr-only">Commands</span>
        <span aria-hidden="true" className="font-mono text-micro">
          {keyName('⌘K')}
        </span>
      </button>
      <LazyBoundary onFailed={onFailed}>{open !== undefined && <Palette {...props} open={open} />}</LazyBoundary>
    </>
  );
}

/** An open dialog must not be covered. One that is fading out is closed. */
const isInDialog = () =>
  [...document.querySelectorAll(':is([role=dialog], [role=alertdialog]):not([data-closed])')].some((dialog) =>
    dialog.checkVisibility(),
  );
