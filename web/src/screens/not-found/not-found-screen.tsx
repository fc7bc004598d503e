import { paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { SpaceMessage, spaceButtonClass } from '../../ui/space.tsx';

export function NotFoundScreen() {
  return (
    <SpaceMessage title="Page not found" text="There is nothing at this address. It may have moved, or never existed.">
      <Link to={paths.index} className={spaceButtonClass}>
        Go Home
      </Link>
    </SpaceMessage>
  );
}

/** The same page without the frame, for a path that cannot be decoded. */
export function NotFoundPage() {
  return (
    <main className="flex min-h-dvh flex-col">
      <NotFoundScreen />
    </main>
  );
}
