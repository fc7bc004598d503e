/** `npm run pack -- FILE.json OUT.arrow`: builds the tokenizer loop if necessary, then runs the command. */
import { ensureLoops } from './wasm-loops.ts';

ensureLoops();
await import('../server/src/commands/pack.ts');
