import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import type { Refusal } from '@kc/rules/result';
import { Link } from '@tanstack/react-router';
import { dismissUpload, type FileTransfer } from '../../../api/transfers.ts';
import { Banner, BannerButton, bannerButtonClass } from '../../../ui/banner.tsx';
import { RefusalText } from './upload-rows.tsx';

type Props = {
  readonly transfer: FileTransfer;
  /** Opens the file chooser. */
  readonly onAnother: () => void;
};

/** The result of an upload. It disappears after a while; the check panel keeps showing what is wrong with the file. */
export function OutcomeBanner({ transfer, onAnother }: Props) {
  const common = { lifeMs: limits.bannerMs, onDismiss: dismissUpload };
  if (transfer.state === 'failed') {
    const refusal: Refusal = transfer.refusal ?? { code: 'upload/failed' };
    return (
      <Banner tone={refusal.code === 'upload/cancelled' ? 'info' : 'error'} {...common}>
        <RefusalText refusal={refusal} />
      </Banner>
    );
  }
  return (
    <Banner
      tone={transfer.warning ? 'warning' : 'success'}
      {...common}
      actions={
        <>
          {transfer.visualizationId && (
            <Link to={paths.visualization} search={{ v: transfer.visualizationId }} className={bannerButtonClass}>
              View
            </Link>
          )}
          <BannerButton onClick={onAnother}>Upload another</BannerButton>
        </>
      }
    >
      {transfer.warning ? sayRefusal(transfer.warning) : say('upload/succeeded', { email: transfer.receiver.email })}
      {transfer.merged ? <span className="block">{say('upload/merged', { entries: transfer.merged })}</span> : null}
    </Banner>
  );
}
