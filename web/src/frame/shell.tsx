import { CSPProvider } from '@base-ui/react/csp-provider';
import { limits } from '@kc/rules/limits';
import { Outlet } from '@tanstack/react-router';
import { OverlayRegion } from '../ui/overlay-region.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { Header } from './header.tsx';
import { PopupNotice } from './popup-notice.tsx';
import { SettingsFollower } from './settings-follower.tsx';
import { SignOutNotice } from './sign-out-notice.tsx';
import { UploadNotice } from './upload-notice.tsx';

/** The header and the content under it. The policy allows no style elements, so the primitives must not make any. */
export function Shell() {
  return (
    <CSPProvider disableStyleElements>
      <OverlayRegion>
        <ToastProvider lifeMs={limits.bannerMs}>
          <UploadNotice />
          <SignOutNotice />
          <SettingsFollower />
          <PopupNotice>
            <div className="flex min-h-dvh flex-col">
              <a
                href="#content"
                className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-brand px-4 py-2 font-medium text-on-brand focus:translate-y-0 presenting:hidden"
              >
                Skip to content
              </a>
              <Header />
              <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
                <Outlet />
              </main>
            </div>
          </PopupNotice>
        </ToastProvider>
      </OverlayRegion>
    </CSPProvider>
  );
}
