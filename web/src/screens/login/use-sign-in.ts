import { say, sayRefusal } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import type { BegunSession, CheckChallenge, CheckProof, Session } from '@kc/rules/shapes';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { useChangeSession } from '../../session/change-session.ts';
import { createWorker } from '../../trusted-worker.ts';
import type { CheckSolution } from './check.worker.ts';
import workerUrl from './check.worker.ts?worker&url';
import { checkFields, type Mode, type SignInFields } from './sign-in-fields.ts';
import { withCheck } from './with-check.ts';

type Notice = {
  readonly id: number;
  readonly tone: 'error' | 'success';
  readonly text: string;
  /** Additional information. Such a notice stays until the next one, because it takes longer to read. */
  readonly more?: string | undefined;
};

type Asked = { readonly refusal?: Refusal };

/** Submits the form: tracks the request, shows the result, and continues after a success. */
export function useSignIn() {
  const changeSession = useChangeSession();
  const [busy, setBusy] = useState(false);
  const [landing, setLanding] = useState(false);
  const [notice, setNotice] = useState<Notice>();
  const tell = (tone: Notice['tone'], text: string, more?: string) =>
    setNotice((last) => ({ id: (last?.id ?? 0) + 1, tone, text, more }));

  async function send(mode: Mode, fields: SignInFields): Promise<Asked> {
    const checked = checkFields(mode, fields);
    if (!checked.ok) return refused(checked.refusal);
    setBusy(true);
    setNotice(undefined);
    try {
      await (mode === 'sign-in' ? signIn(fields) : signUp(fields));
      return {};
    } catch (error) {
      return refused(toRefusal(error));
    } finally {
      setBusy(false);
    }
  }

  async function signIn({ email, password, remember }: SignInFields): Promise<void> {
    land(await client.session.signIn({ email, password, remember }));
  }

  /** Shows the message, and continues a moment later. */
  function land(session: Session | BegunSession): void {
    tell('success', say('sign-in/success'));
    setLanding(true);
    setTimeout(() => void changeSession(session), limits.loginRedirectMs);
  }

  async function signUp({ email, password, displayName }: SignInFields): Promise<void> {
    const made = await withCheck(
      (proof) => client.people.signUp({ email, password, displayName, ...(proof ? { proof } : {}) }),
      { challenge: () => client.people.signUpCheck(), solve: solveCheck },
    );
    const text = say(made.isApproved ? 'sign-up/success-approved' : 'sign-up/success');
    tell('success', text, say('verify/sent', { email: made.email }));
  }

  function refused(refusal: Refusal): Asked {
    tell('error', sayRefusal(refusal));
    return { refusal };
  }

  return { busy, landing, notice, dismiss: () => setNotice(undefined), send, land, refused };
}

/** Solves a challenge in a worker; `undefined` if this browser cannot. */
function solveCheck(challenge: CheckChallenge): Promise<CheckProof | undefined> {
  return new Promise((resolve) => {
    const worker = createWorker(workerUrl, 'sign-up-check');
    const end = (solution: CheckSolution) => {
      worker.terminate();
      resolve(solution && { challenge, solution });
    };
    worker.addEventListener('message', ({ data }: MessageEvent<CheckSolution>) => end(data));
    worker.addEventListener('error', () => end(undefined));
    worker.postMessage(challenge);
  });
}
