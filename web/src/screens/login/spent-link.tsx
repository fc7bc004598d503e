import { paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { Banner } from '../../ui/banner.tsx';
import { spaceButtonClass } from '../../ui/space-button.ts';

/** A mailed or printed link that cannot be used, and why. */
export function SpentLink({ text }: { readonly text: string }) {
  return (
    <div className="flex flex-col gap-5">
      <Banner tone="error" surface="space">
        {text}
      </Banner>
      <Link to={paths.login} className={spaceButtonClass}>
        Go to sign in
      </Link>
    </div>
  );
}
