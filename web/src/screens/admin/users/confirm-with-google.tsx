import { sayRefusal } from '@kc/rules/messages';
import type { Refusal } from '@kc/rules/result';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { keepStepUp } from '../../../session/change-session.ts';
import { type GoogleListener, type GoogleWay, goToGoogle, refusalOfEnd } from '../../../session/google-window.ts';
import { useMe } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';

type Props = {
  /** Whether there is no password to enter instead. */
  readonly alone: boolean;
  readonly disabled: boolean;
  readonly onConfirmed: () => void;
};

/** Step-up by signing in with Google again, in a pop-up window, for administrators without a password. */
export function ConfirmWithGoogle({ alone, disabled, onConfirmed }: Props) {
  const provider = useMe()?.server.providerName;
  const name = provider ?? 'Google';
  const [waiting, setWaiting] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const way = useRef<GoogleWay>(undefined);
  useEffect(() => () => way.current?.stop(), []);

  const onEnd: GoogleListener['onEnd'] = async (end, nonce) => {
    try {
      if (end === 'signed-in') {
        keepStepUp((await client.session.takeStepUp({ nonce })).stepUp);
        return onConfirmed();
      }
      if (end !== 'cancelled') setRefusal(refusalOfEnd(end, provider));
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setWaiting(false);
  };
  const begin = () => {
    if (way.current?.focus()) return;
    way.current?.stop();
    setRefusal(undefined);
    setWaiting(true);
    way.current = goToGoogle('step-up', { onEnd, onClosed: () => setWaiting(false) });
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-small text-muted">
        {alone ? `Please sign in with ${name} again to confirm that it is you.` : `Or sign in with ${name} again:`}
      </p>
      <Button onClick={begin} disabled={disabled} aria-busy={waiting} autoFocus={alone}>
        {waiting ? `Waiting for ${name}...` : `Confirm with ${name}`}
      </Button>
      <p role="alert" className="text-small text-bad empty:hidden">
        {refusal && sayRefusal(refusal)}
        {refusal && alone && ' You can also set a password with “Forgot password” on the sign-in page.'}
      </p>
    </div>
  );
}
