/** Imported before a command that works on uploads or lists: builds the loops that make it faster, if necessary. */
import { ensureLoops } from './wasm-loops.ts';

ensureLoops();
