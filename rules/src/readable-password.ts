/** Lowercase letters and digits, without those that are easily confused: 0 and o; 1, i and l. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/**
 * A password that is easy to read out and type: `k7mp-x3qd-w9rt-hv2n`. About 79 bits.
 *
 * @param random a uniform, unpredictable integer in [0, below)
 */
export function readablePassword(random: (below: number) => number): string {
  const group = () => Array.from({ length: groupLength }, () => signs[random(signs.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
