import { paths } from '@kc/rules/paths';
import { sampleId } from '@kc/rules/visualization';
import { Link, useRouter } from '@tanstack/react-router';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptySky } from './empty-sky.tsx';

type EmptyScreenProps = { readonly isAdmin: boolean; readonly checkedAt: number; readonly hasSample: boolean };

/** The home page of a user who has nothing to explore yet. */
export function EmptyScreen({ isAdmin, checkedAt, hasSample }: EmptyScreenProps) {
  const { history } = useRouter();
  const openSample = () => history.push(`${paths.visualization}?v=${sampleId}`);
  return (
    <div className="flex min-h-[calc(100dvh-3.25rem)] flex-1 flex-col md:min-h-[calc(100dvh-3.5rem)]">
      <h1 tabIndex={-1} className="sr-only">
        My Visualizations
      </h1>
      <EmptySky
        isAdmin={isAdmin}
        checkedAt={checkedAt}
        actions={
          <>
            {isAdmin && (
              <Link to={paths.admin} search={{ tab: 'upload' }} className={buttonClass('primary', 'large')}>
                Upload File
              </Link>
            )}
            {isAdmin && (
              <a href="/sample-keywords.json" download className={buttonClass('secondary', 'large')}>
                Download a sample file
              </a>
            )}
            {hasSample && (
              <Button variant={isAdmin ? 'secondary' : 'primary'} size="large" onClick={openSample}>
                Explore a sample
              </Button>
            )}
          </>
        }
      />
    </div>
  );
}
