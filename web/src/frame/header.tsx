import { paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useApproval, useMe } from '../session/session.ts';
import { buttonClass } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Constellation } from '../ui/constellation.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { PaletteButton } from './palette-button.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import { UploadPill } from './upload-pill.tsx';
import { UserMenu } from './user-menu.tsx';

// Most visits open neither: their scripts come when they are opened first.
const EditName = lazy(async () => ({ default: (await import('./edit-name.tsx')).EditName }));
const MobileSheet = lazy(async () => ({ default: (await import('./mobile-sheet.tsx')).MobileSheet }));

/** The bar over every page but the signed-out ones: where one is, where one can go, who one is. */
export function Header() {
  const me = useMe();
  const [sheetOpen, setSheetOpen] = useState<boolean>();
  const { approved, admin } = useApproval();
  const [naming, setNaming] = useState<boolean>();
  const [paletteOpen, setPaletteOpen] = useState<boolean>();
  const onEditName = me?.status === 'denied' ? undefined : () => setNaming(true);
  return (
    <header className="sticky top-0 z-40 flex h-13 shrink-0 items-center gap-2 border-line border-b bg-surface px-4 [view-transition-name:header] presenting:hidden md:h-14 md:px-6 xl:px-8">
      <Link
        to={paths.index}
        aria-label="Keyword Clustering, home"
        className="mr-4 flex h-11 items-center gap-2.5 rounded-control text-ink no-underline"
      >
        <Constellation className="size-7 text-brand" />
        <span className="hidden font-semibold text-[1rem] tracking-tight xs:inline">Keyword Clustering</span>
      </Link>
      {approved && (
        <nav aria-label="Main" className="hidden h-full items-stretch gap-1 md:flex">
          <NavLink to={paths.visualization}>Visualization</NavLink>
          {admin && <NavLink to={paths.admin}>Admin Panel</NavLink>}
        </nav>
      )}
      <div className="ml-auto flex items-center gap-1 md:gap-2">
        <UploadPill />
        {me?.account && (
          <PaletteButton
            open={paletteOpen}
            onOpenChange={setPaletteOpen}
            isAdmin={me.isAdmin}
            approved={approved}
            onEditName={onEditName}
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
              <UserMenu account={me.account} isAdmin={me.isAdmin} approved={approved} onEditName={onEditName} />
            </div>
            <IconButton label="Menu" className="md:hidden" onClick={() => setSheetOpen(true)}>
              <MenuIcon size={20} strokeWidth={1.75} aria-hidden />
            </IconButton>
            <Suspense>
              {sheetOpen !== undefined && (
                <MobileSheet
                  open={sheetOpen}
                  onOpenChange={setSheetOpen}
                  account={me.account}
                  isAdmin={me.isAdmin}
                  approved={approved}
                  onEditName={onEditName}
                  onCommands={() => setPaletteOpen(true)}
                />
              )}
            </Suspense>
            <Suspense>
              {naming !== undefined && (
                <EditName name={me.account.displayName} open={naming} onOpenChange={setNaming} />
              )}
            </Suspense>
          </>
        )}
      </div>
    </header>
  );
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

/** The boxes of the user button before anybody is known, so that nothing moves afterwards. */
function UserSkeleton() {
  return (
    <div className="flex items-center gap-2 px-1" role="status" aria-label="Loading account">
      <Skeleton className="size-8 rounded-full" />
      <Skeleton className="hidden h-4 w-24 lg:block" />
    </div>
  );
}
