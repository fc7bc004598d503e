import type { Refusal } from './reading.ts';

const startsWith = (head: Uint8Array, ...bytes: number[]): boolean => bytes.every((byte, at) => head[at] === byte);

/** Whether a file is a spreadsheet or text, by its first bytes; or why it is neither. */
export function kindOf(head: Uint8Array): 'workbook' | 'text' | Refusal {
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04)) return holdsParts(head) ? 'workbook' : { code: 'zip' };
  // An empty archive, or one in several parts.
  if (startsWith(head, 0x50, 0x4b, 0x05, 0x06) || startsWith(head, 0x50, 0x4b, 0x07, 0x08)) return { code: 'zip' };
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) return { code: 'old-excel' };
  const text = latin.decode(head.subarray(0, 512)).replace(/^ï»¿/u, '').trimStart().toLowerCase();
  if (/^(?:%pdf|<html|<table|<!doctype|<\?xml)/u.test(text)) return { code: 'not-text' };
  if (text.startsWith('{')) return { code: 'json' };
  return 'text';
}

/** Whether an archive names a part that only Office files have. Its name stands near the start, or in the last bytes. */
function holdsParts(bytes: Uint8Array): boolean {
  return /\[Content_Types\]\.xml|_rels\/|xl\//u.test(latin.decode(bytes));
}

const latin = new TextDecoder('windows-1252');
