/** Small letters and digits without those that are taken for one another: 0 and o, 1, i and l. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/**
 * A password that can be read out and typed over: `k7mp-x3qd-w9rt-hv2n`. About 79 bits.
 *
 * @param random a whole number of [0, below), each as likely as the others and known to nobody
 */
export function readablePassword(random: (below: number) => number): string {
  const group = () => Array.from({ length: groupLength }, () => signs[random(signs.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
