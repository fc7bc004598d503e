import { say, sayRefusal } from '@kc/rules/messages';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { Button } from '../../ui/button.tsx';

/** Somebody whose email is not proven asks for the link once more. */
export function ConfirmEmail() {
  const ask = useMutation({ mutationFn: () => client.people.requestVerification() });
  return (
    <div className="mt-4 flex flex-col items-center gap-2 text-center text-small text-muted">
      <p>Your email address is not confirmed yet: open the link in the mail you were sent.</p>
      <Button size="dense" onClick={() => ask.mutate()} disabled={ask.isPending}>
        Send verification email again
      </Button>
      <p role="status">
        {ask.isSuccess && say('verify/sent', ask.data)}
        {ask.isError && sayRefusal(toRefusal(ask.error))}
      </p>
    </div>
  );
}
