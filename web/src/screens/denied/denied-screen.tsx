import { limits } from '@kc/rules/limits';
import type { Session } from '@kc/rules/shapes';
import { ShieldX } from 'lucide-react';
import { useSignOut } from '../../session/change-session.ts';
import { useMe } from '../../session/session.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { AccountFacts, StatusCard } from '../pending/status-card.tsx';

export function DeniedScreen() {
  const session = useMe();
  return session && <DeniedCard session={session} />;
}

export function DeniedCard({ session }: { readonly session: Session }) {
  const signOut = useSignOut();
  const { account, server } = session;
  return (
    <StatusCard
      mark={<ShieldX size={56} strokeWidth={1.5} className="text-bad" />}
      title="Access Denied"
      text={
        server.supportEmail
          ? 'Your account access has been denied by an administrator. If you believe this is a mistake, please contact support.'
          : 'Your account access has been denied by an administrator. If you believe this is a mistake, please ask your administrator.'
      }
      actions={
        <>
          {account && server.supportEmail && (
            <a href={mailLink(server.supportEmail, account.id)} className={buttonClass('primary', 'large')}>
              Contact Support
            </a>
          )}
          <Button size="large" onClick={() => signOut.mutate()}>
            Sign Out
          </Button>
        </>
      }
    >
      {account && <AccountFacts account={account} status="denied" idName="Account ID" />}
    </StatusCard>
  );
}

function mailLink(supportEmail: string, accountId: string): string {
  const subject = `Account access denied (${accountId.slice(0, limits.idShownLength)})`;
  return `mailto:${supportEmail}?subject=${encodeURIComponent(subject)}`;
}
