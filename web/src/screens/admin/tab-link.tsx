import { type AdminTab, paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = {
  readonly tab: AdminTab;
  readonly current: AdminTab;
  readonly className: string;
  readonly children: ReactNode;
  readonly title?: string;
};

/** A link to a tab of the dashboard, marked as the current page when it is the open one. */
export function TabLink({ tab, current, className, children, title }: Props) {
  return (
    <Link
      to={paths.admin}
      search={{ tab }}
      className={className}
      {...(title ? { title } : {})}
      // The router compares whole addresses; a tab is current on the upload address of a user too.
      activeProps={{}}
      aria-current={tab === current ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}
