import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import { paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { dismissUpload, type Transfer } from '../../../api/uploads.ts';
import { Banner } from '../../../ui/banner.tsx';
import { buttonClass } from '../../../ui/button.tsx';

/** How an upload ended. */
export function OutcomeBanner({ transfer }: { readonly transfer: Transfer }) {
  const common = { lifeMs: limits.bannerMs, onDismiss: dismissUpload };
  if (transfer.state === 'failed') {
    return (
      <Banner key={transfer.number} tone="error" {...common}>
        {sayRefusal(transfer.refusal ?? { code: 'upload/failed' })}
      </Banner>
    );
  }
  return (
    <Banner
      key={transfer.number}
      tone={transfer.warning ? 'warning' : 'success'}
      {...common}
      actions={<View transfer={transfer} />}
    >
      {transfer.warning ? sayRefusal(transfer.warning) : say('upload/succeeded', { email: transfer.receiver.email })}
    </Banner>
  );
}

function View({ transfer }: { readonly transfer: Transfer }) {
  if (!transfer.visualizationId) return null;
  return (
    <Link to={paths.visualization} search={{ v: transfer.visualizationId }} className={buttonClass('approve', 'dense')}>
      View
    </Link>
  );
}
