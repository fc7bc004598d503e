import type { ListedToken } from '@kc/rules/access-token-api';
import { say } from '@kc/rules/all-messages';
import { client } from '../api/client.ts';
import { Badge } from '../ui/badge.tsx';
import { dateText, dayText } from '../ui/number-text.ts';
import { RevocableList } from './revocable-list.tsx';

type Props<Token extends ListedToken> = {
  readonly label: string;
  /** The text if there are none. */
  readonly none: string;
  /** The owner of the tokens, for the cache. */
  readonly of: string;
  readonly read: (signal: AbortSignal) => Promise<readonly Token[]>;
  /** The owner of a token, if that is not clear from the context. */
  readonly ownerOf?: (token: Token) => string;
};

/** Access tokens that have not ended, with buttons to revoke them. */
export function ActiveTokens<Token extends ListedToken>({ label, none, of, read, ownerOf }: Props<Token>) {
  return (
    <RevocableList
      label={label}
      title="Active access tokens"
      none={none}
      queryKey={['access-tokens', of]}
      read={read}
      revoke={({ id }) => client.accessTokens.revoke({ id })}
      nameOf={({ name }) => `the access token “${name}”`}
      revoked={({ name }) => say('token/revoked', { name })}
      notRevoked={(reason) => say('token/not-revoked', { reason })}
      line={(token) => <TokenLine token={token} owner={ownerOf?.(token)} />}
    />
  );
}

/** A token in a list: what it is for, what it may do, until when, and when it was last used. */
function TokenLine({ token, owner }: { readonly token: ListedToken; readonly owner: string | undefined }) {
  return (
    <>
      <p className="m-0 flex flex-wrap items-center gap-2 text-body font-medium">
        <bdi className="wrap-anywhere">{token.name}</bdi>
        {token.scopes.map((scope) => (
          <Badge key={scope} tone={scope === 'admin' ? 'warn' : 'neutral'}>
            {scope}
          </Badge>
        ))}
      </p>
      {owner && <p className="m-0 text-small wrap-anywhere">{owner}</p>}
      {token.visualization && (
        <p className="m-0 text-small">
          Only <bdi className="wrap-anywhere">{token.visualization.name}</bdi>
        </p>
      )}
      <p className="m-0 text-small text-muted">
        Made on {dayText(token.createdAt)} · until {dayText(token.expiresAt)}
      </p>
      <p className="m-0 text-small text-muted">
        {token.lastUsedAt === undefined ? 'Not used yet' : `Last used on ${dateText(token.lastUsedAt)}`}
      </p>
    </>
  );
}
