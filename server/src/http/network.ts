import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * The part of an address that counts as one place: an IPv4 address, or the 64 bits of an IPv6 address that a provider
 * gives to one customer. Customers can change the other 64 bits at will, and browsers do so by themselves.
 *
 * @param address from the socket or a trusted proxy. Anything else is returned unchanged; a closed connection has none:
 * ''
 * @returns for example `192.0.2.1` or `2001:db8:1:2::/64`; an IPv4 address in IPv6 notation is the IPv4 address.
 * Source: SECURITY.md, SEC-13; RFC 6177 §2, RFC 8981
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return '';
  const bare = withoutPort(address);
  if (!isIPv6(bare)) return bare;
  // In the spelling of URLs: hexadecimal, lowercase.
  const [left = '', right = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [left, right].map((text) => text.split(':').filter(Boolean));
  const groups = [...before!, ...Array<string>(8 - before!.length - after!.length).fill('0'), ...after!];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups[6]!, groups[7]!);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

function ipv4Of(...groups: readonly [string, string]): string {
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}

/**
 * The address of a forwarding header without the port that some proxies append, and without the zone of a link-local
 * one. With its port, every connection of a client would count as another place.
 *
 * @param address `192.0.2.1:4711`, `[2001:db8::1]:4711`, or an address without a port
 */
function withoutPort(address: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return bare.split('%')[0]!;
}

/**
 * Whether an address of a connection or a forwarding header belongs to one of `ranges`.
 *
 * @param ranges `10.0.0.5`, `10.0.0.0/8`, `2001:db8::/32`
 * @throws RangeError for the first text that is no such range
 */
export function inNetworks(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? most : Number(/^\d{1,3}$/.test(bits) ? bits : Number.NaN);
    if (isIP(address) === 0 || !(prefix <= most)) throw new RangeError(range);
    list.addSubnet(address, prefix, family);
  }
  return (address) => {
    const bare = withoutPort(address);
    return isIP(bare) !== 0 && list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
  };
}
