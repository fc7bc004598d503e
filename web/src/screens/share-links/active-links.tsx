import { say } from '@kc/rules/all-messages';
import type { ShareLink } from '@kc/rules/link-shapes';
import { client } from '../../api/client.ts';
import { RevocableList } from '../../grants/revocable-list.tsx';
import { LinkLine } from './link-line.tsx';

type Props<Link extends ShareLink> = {
  readonly label: string;
  /** Where there are none. */
  readonly none: string;
  /** The owner of the links, for the cache. */
  readonly of: string;
  readonly read: (signal: AbortSignal) => Promise<readonly Link[]>;
  /** What a link opens, if that is not clear from the context. */
  readonly opens?: (link: Link) => string;
};

/** Links that have not ended, with buttons to revoke them. */
export function ActiveLinks<Link extends ShareLink>({ label, none, of, read, opens }: Props<Link>) {
  return (
    <RevocableList
      label={label}
      title="Active links"
      none={none}
      queryKey={['links', of]}
      read={read}
      revoke={({ id }) => client.links.revoke({ id })}
      nameOf={({ sharedWith }) => `the link for ${sharedWith}`}
      revoked={({ sharedWith }) => say('link/revoked', { name: sharedWith })}
      notRevoked={(reason) => say('link/not-revoked', { reason })}
      line={(link) => <LinkLine link={link} opens={opens?.(link)} />}
    />
  );
}
