import {
  ACTION,
  AFTER,
  CLOSE,
  CODE,
  CONTAINER,
  DEPTH,
  DONE,
  EMIT_CONTAINERS,
  FIRST_ELEMENT,
  FIRST_KEY,
  type JsonMemory,
  KEY,
  MAX_DEPTH,
  MEMBER,
  OPEN,
  SKIPPED,
  STATE,
  TAPE,
  VALUE,
} from './json-memory.ts';

// The part of the tokenizer's state machine above single tokens: containers, commas and records. Functions rather than
// methods of a class, because all state is in `JsonMemory`, which the WebAssembly loop changes as well.

/** Enters an object or an array. Returns false, without entering it, if that would exceed the maximum depth. */
export function openContainer(memory: JsonMemory, at: number, isArray: boolean): boolean {
  const { registers, stack, elements } = memory;
  const depth = registers[DEPTH]!;
  if (depth === registers[MAX_DEPTH]) return false;
  const action = registers[ACTION]!;
  const inner = isArray ? (action >> 8) & 0xff : action & 0xff;
  if ((action & EMIT_CONTAINERS) !== 0) {
    writeRecord(memory, inner === 0 ? SKIPPED : OPEN, registers[CODE]!, at, inner);
  }
  stack[depth] = registers[CONTAINER]!;
  registers[DEPTH] = depth + 1;
  registers[CONTAINER] = (inner << 1) | (isArray ? 1 : 0);
  registers[STATE] = isArray ? FIRST_ELEMENT : FIRST_KEY;
  registers[ACTION] = isArray ? elements[inner]! : 0;
  registers[CODE] = 0;
  if (!isArray) registers[MEMBER] = inner;
  return true;
}

/** Leaves the innermost container, whose closing bracket is at this position. */
export function closeContainer(memory: JsonMemory, at: number): void {
  const { registers, stack } = memory;
  const context = registers[CONTAINER]! >> 1;
  if (context !== 0) {
    writeRecord(memory, CLOSE, 0, at, at + 1);
    registers[MEMBER] = context;
  }
  const depth = registers[DEPTH]! - 1;
  registers[DEPTH] = depth;
  registers[CONTAINER] = stack[depth]!;
  endValue(memory);
}

/** Sets the state after a comma: an element or a member name comes next. */
export function afterComma({ registers, elements }: JsonMemory): void {
  const container = registers[CONTAINER]!;
  const isArray = (container & 1) !== 0;
  registers[STATE] = isArray ? VALUE : KEY;
  if (isArray) registers[ACTION] = elements[container >> 1]!;
  registers[CODE] = 0;
}

/** Sets the state after a value. */
export function endValue({ registers }: JsonMemory): void {
  registers[STATE] = registers[DEPTH] === 0 ? DONE : AFTER;
}

/** Appends a record to the tape, see `json-memory.ts`. */
export function writeRecord(
  { registers, tape }: JsonMemory,
  kind: number,
  code: number,
  at: number,
  end: number,
): void {
  const to = registers[TAPE]!;
  tape[to] = kind | ((registers[CONTAINER]! >> 1) << 4);
  tape[to + 1] = code;
  tape[to + 2] = at;
  tape[to + 3] = end;
  registers[TAPE] = to + 4;
}
