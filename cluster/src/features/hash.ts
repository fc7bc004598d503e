/** FNV-1a over the UTF-16 code units of a text, or of a part of it, with its bits spread. */
export function hashOf(text: string, seed: number, start = 0, end = text.length): number {
  let hash = seed;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** Spreads the bits of a number (the finaliser of MurmurHash3). */
export function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
