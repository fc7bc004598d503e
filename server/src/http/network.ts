import { isIPv6 } from 'node:net';

/**
 * What is counted as one place on the network: an IPv4 address, or of an IPv6 address the 64 bits that a provider gives to
 * one customer. Whoever has them chooses the other 64 anew as often as they like, and browsers do so by themselves.
 *
 * @param address as the socket or a trusted proxy says it; what is no address stays as it is, and a connection that is
 *   gone already has none: ''
 * @returns like `192.0.2.1` or `2001:db8:1:2::/64`; an IPv4 address that came as IPv6 is the IPv4 address
 * Source: security SEC-13; RFC 6177 §2, RFC 8981
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return '';
  const bare = address.split('%')[0]!;
  if (!isIPv6(bare)) return address;
  // In the one spelling that addresses of pages have: hexadecimal, lowercase.
  const [left = '', right = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [left, right].map((text) => text.split(':').filter(Boolean));
  const groups = [...before!, ...Array<string>(8 - before!.length - after!.length).fill('0'), ...after!];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups[6]!, groups[7]!);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function ipv4Of(...groups: readonly [string, string]): string {
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}
