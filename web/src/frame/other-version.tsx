import { say } from '@kc/rules/entry-messages';
import { useMe } from '../session/session.ts';
import { Banner, BannerButton } from '../ui/banner.tsx';

/** Says so when the server is of another version than this page: its calls may not be those that the page makes. */
export function OtherVersion() {
  const me = useMe();
  if (!me || me.server.version === __PRODUCT_VERSION__) return null;
  return (
    <div className="fixed inset-x-4 top-4 z-60 mx-auto max-w-xl rounded-control shadow-2">
      <Banner tone="error" actions={<BannerButton onClick={() => location.reload()}>Refresh Page</BannerButton>}>
        {say('fault/other-version')}
      </Banner>
    </div>
  );
}
