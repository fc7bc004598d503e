import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { ClipboardCopy, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Banner, BannerButton, bannerButtonClass } from '../../../ui/banner.tsx';

type Props = {
  readonly account: ListedAccount;
  readonly password: string;
  /** @param hadFocus whether the focus is lost with the banner */
  readonly onDismiss: (hadFocus: boolean) => void;
};

/**
 * Confirms that an account was created and offers the next steps. Nobody sees the password again, so the banner stays
 * until the credentials were copied or somebody dismisses it.
 */
export function CreatedBanner({ account, password, onDismiss }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const upload = useRef<HTMLAnchorElement>(null);
  const [copying, setCopying] = useState<'possible' | 'refused' | 'done'>('possible');
  useEffect(() => copyButton.current?.focus(), []);
  const copy = async () => {
    try {
      // Where a page is not served securely there is no clipboard at all.
      await navigator.clipboard.writeText(`Email: ${account.email}\nPassword: ${password}`);
    } catch {
      setCopying('refused');
      return;
    }
    upload.current?.focus();
    setCopying('done');
  };
  return (
    <div ref={frame}>
      <Banner
        tone="success"
        {...(copying === 'done' ? { lifeMs: limits.bannerMs } : {})}
        onDismiss={() => onDismiss(frame.current?.contains(document.activeElement) ?? false)}
        actions={
          <>
            <Link ref={upload} to={paths.adminUpload} params={{ userId: account.id }} className={bannerButtonClass}>
              <Upload size={16} strokeWidth={1.75} aria-hidden />
              Upload data for this user
            </Link>
            {copying !== 'done' && (
              <BannerButton ref={copyButton} onClick={() => void copy()}>
                <ClipboardCopy size={16} strokeWidth={1.75} aria-hidden />
                Copy credentials
              </BannerButton>
            )}
          </>
        }
      >
        {say('create-user/created', { email: account.email })}
        {copying === 'done' && <span className="block text-small">{say('create-user/copied')}</span>}
        {copying === 'refused' && (
          <span className="block text-small">
            {say('explore/copy-refused')}. Password: <code className="select-all font-mono text-ink">{password}</code>
          </span>
        )}
      </Banner>
    </div>
  );
}
