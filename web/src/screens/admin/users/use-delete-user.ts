import { limits } from '@kc/rules/limits';
import { say, sayRefusal } from '@kc/rules/messages';
import type { ListedAccount, StepUpWays } from '@kc/rules/shapes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { forceDeleteUser } from '../../../api/force-delete.ts';
import { keepStepUp, stepUpHandle } from '../../../session/step-up.ts';
import type { BannerTone } from '../../../ui/banner.tsx';
import { type DeletionCalls, type DeletionOutcome, deleteUser } from './delete-user.ts';
import { usersQuery } from './users-query.ts';

export type DeletionNotice = { readonly tone: BannerTone; readonly text: string };

/** What to delete; `password` where the server asked for it again. */
type DeletionRequest = { readonly account: ListedAccount; readonly password?: string };

/** How it went; or by what the person can show again that it is them, because they have to first. */
type Answer = Exclude<DeletionOutcome, { is: 'password-needed' }> | { readonly is: 'proof-needed'; ways: StepUpWays };

/**
 * Deletes somebody, says how it went, and two seconds later whether the email is free.
 *
 * @param tell hears how it went; not of a proof that is needed, which is asked for in the dialog
 */
export function useDeleteUser(tell: (notice: DeletionNotice) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ account, password }: DeletionRequest): Promise<Answer> => {
      if (password !== undefined) keepStepUp((await client.session.stepUp({ password })).stepUp);
      const outcome = await deleteUser(calls, account.id);
      if (outcome.is !== 'password-needed') return outcome;
      keepStepUp(undefined);
      return { is: 'proof-needed', ways: await client.session.stepUpWays() };
    },
    onSuccess: (outcome, { account }) => {
      if (outcome.is === 'proof-needed') return;
      tell(noticeOf(outcome, account.email));
      if (outcome.is === 'failed') return;
      queries.setQueryData(usersQuery.queryKey, (all) => all?.filter((one) => one.id !== account.id));
      if (outcome.is === 'deleted') setTimeout(() => void report(account.email).then(tell), limits.availabilityCheckMs);
    },
  });
}

const calls: DeletionCalls = {
  idToken: async () => {
    const stepUp = stepUpHandle();
    if (stepUp === undefined) throw Object.assign(new Error('No handle'), { data: { code: 'step-up/required' } });
    return (await client.session.idToken({ stepUp })).idToken;
  },
  forceDelete: forceDeleteUser,
  deleteRecords: (id, idToken) => client.accounts.deleteRecords({ id, idToken }),
  deleteAuth: (userId) => client.accounts.deleteUserAuth({ userId }),
};

function noticeOf(outcome: Exclude<Answer, { is: 'proof-needed' }>, email: string): DeletionNotice {
  if (outcome.is === 'deleted') return { tone: 'success', text: say('account/deleted', { email }) };
  if (outcome.is === 'deleted-partly') return { tone: 'warning', text: say('account/deleted-partly', { email }) };
  return { tone: 'error', text: say('account/delete-failed', { reason: sayRefusal(outcome.refusal) }) };
}

async function report(email: string): Promise<DeletionNotice> {
  const free = await client.accounts.availability({ email }).then(
    ({ availability }) => availability === 'available',
    () => false,
  );
  return free
    ? { tone: 'success', text: say('email/available', { email }) }
    : { tone: 'info', text: say('email/not-yet', { email }) };
}
