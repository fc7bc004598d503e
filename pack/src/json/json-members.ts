import { maxProbes, textHash } from './byte-map.ts';
import {
  ACTION,
  CODE,
  CONTAINER,
  EMIT_NAME,
  type JsonMemory,
  MEMBER,
  MEMBERS,
  maxMemberBytes,
  memberEntries,
  memberSlots,
  memberStride,
} from './json-memory.ts';
import type { JsonReader } from './json-plan.ts';

const QUOTE = 0x22;

/**
 * Sets CODE and ACTION for the value of the member with this name in the innermost object. Asks the reader about a new
 * name, and caches the answer while there is room, so that the loop recognises the name next time.
 *
 * @param bytes contains the name, without escapes and quotes, from `start` to before `end`
 */
export function takeMember(memory: JsonMemory, reader: JsonReader, bytes: Uint8Array, start: number, end: number) {
  const { registers, successors } = memory;
  const context = registers[CONTAINER]! >> 1;
  const isShort = end - start < maxMemberBytes;
  let entry = isShort ? findMember(memory, context, bytes, start, end) : 0;
  if (entry === 0) {
    const { code, action } = reader.member(context, decode(bytes, start, end));
    registers[CODE] = code;
    registers[ACTION] = action;
    // The loop emits no names, so it must not recognise those that are emitted.
    if (isShort && (action & EMIT_NAME) === 0) entry = addMember(memory, context, bytes, start, end);
  }
  if (entry === 0) return;
  registers[CODE] = memory.codes[entry]!;
  registers[ACTION] = memory.actions[entry]!;
  successors[registers[MEMBER]!] = entry;
  registers[MEMBER] = entry;
}

/** The entry of a name, or 0 if it is not cached: entry 0 is reserved for objects that are not inspected. */
export function findMember(memory: JsonMemory, context: number, bytes: Uint8Array, start: number, end: number): number {
  let slot = textHash(bytes, start, end, context) & (memberSlots - 1);
  for (let probe = 0; probe < maxProbes; probe++) {
    const entry = memory.slots[slot]!;
    if (entry === 0 || (memory.memberContexts[entry] === context && matches(memory, entry, bytes, start, end)))
      return entry;
    slot = (slot + 1) & (memberSlots - 1);
  }
  return 0;
}

/** Caches a name with the current CODE and ACTION. Returns its entry, or 0 if there is no room or it needs escapes. */
function addMember(memory: JsonMemory, context: number, bytes: Uint8Array, start: number, end: number): number {
  const { registers, slots, names } = memory;
  let slot = textHash(bytes, start, end, context) & (memberSlots - 1);
  for (let probe = 0; slots[slot] !== 0; probe++) {
    if (probe === maxProbes - 1) return 0;
    slot = (slot + 1) & (memberSlots - 1);
  }
  if (registers[MEMBERS] === memberEntries || !isPlain(bytes, start, end)) return 0;
  const entry = registers[MEMBERS]!++;
  names.set(bytes.subarray(start, end), entry * memberStride);
  names[entry * memberStride + (end - start)] = QUOTE;
  memory.memberLengths[entry] = end - start + 1;
  memory.memberContexts[entry] = context;
  memory.codes[entry] = registers[CODE]!;
  memory.actions[entry] = registers[ACTION]!;
  slots[slot] = entry;
  return entry;
}

/** Whether JSON can contain the name without escapes: it has no quotes, backslashes or control characters. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! < 0x20 || bytes[i] === QUOTE || bytes[i] === 0x5c) return false;
  return true;
}

function matches(memory: JsonMemory, entry: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (memory.memberLengths[entry] !== end - start + 1) return false;
  const { names } = memory;
  let at = entry * memberStride;
  for (let i = start; i < end; i++) if (names[at++] !== bytes[i]) return false;
  return true;
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
}
