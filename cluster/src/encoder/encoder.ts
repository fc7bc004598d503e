import { normalForm } from '@kc/pack/names/normal-form';
import { packed, putAt } from '../features/vectors.ts';
import { sentencePieces, type Vocabulary } from './sentence-pieces.ts';
import { maxTokens, textWidth } from './use-lite.ts';

/** Turns texts into vectors that are close when the texts mean about the same. */
export type Encoder = {
  /** Names the model and the runtime: vectors of different ids must not be compared. */
  readonly id: string;
  /** ISO 639-1 codes; a model for many languages may know all. */
  readonly languages: readonly string[] | 'all';
  readonly dimensions: number;
  /** Whether a text is in a script that the model knows. All texts in other scripts would have nearly the same vector. */
  reads(text: string): boolean;
  /**
   * @param onProgress called with the number of texts done
   * @returns texts × dimensions; a vector's largest coordinate is 127 or −127, and a text without tokens has zeros
   */
  embed(texts: readonly string[], onProgress?: (done: number) => void): Promise<Int8Array>;
};

/** @param language ISO 639-1 code */
export const knowsLanguage = ({ languages }: Pick<Encoder, 'languages'>, language: string): boolean =>
  languages === 'all' || languages.includes(language);

/** Runs the model on texts of one length. @returns texts × dimensions */
export type RunModel = (tokens: BigInt64Array, texts: number, length: number) => Promise<Float32Array>;

/**
 * A batch always has so many texts, the last one repeated: a runtime may choose other arithmetic for other sizes. More take longer, since
 * what lies between two layers no longer fits the processor's cache.
 */
export const defaultBatch = 16;

/** Lends a function several ways to run the model, each for one batch at a time, all of them at once; none if no thread could start. */
export type InThreads = (work: (runs: readonly RunModel[]) => Promise<void>) => Promise<void>;

/** With fewer batches, starting the threads takes longer than they save. */
const worthThreads = 128;

/** A model for texts, and how it reads them. */
type TextModel = Pick<Encoder, 'id' | 'languages' | 'dimensions' | 'reads'> & {
  /** None for a text without anything to read. */
  tokensOf(text: string): readonly number[];
  /** Texts that are run together; 1 for a model whose vectors depend on the other texts. */
  readonly batchSize: number;
  readonly run: RunModel;
  readonly inThreads?: InThreads | undefined;
};

export function modelEncoder({ tokensOf, batchSize, run: runHere, inThreads, ...about }: TextModel): Encoder {
  const { dimensions } = about;
  return {
    ...about,
    async embed(texts, onProgress) {
      const pieces = texts.map(tokensOf);
      const vectors = new Int8Array(texts.length * dimensions);
      const batches = batchesOf(pieces, batchSize);
      const remaining = batches.values();
      let done = 0;
      const runAll = async (run: RunModel): Promise<void> => {
        for (const batch of remaining) {
          const length = pieces[batch[0]!]!.length;
          const tokens = new BigInt64Array(batchSize * length);
          for (let row = 0; row < batchSize; row++) {
            const text = batch[Math.min(row, batch.length - 1)]!;
            tokens.set(pieces[text]!.map(BigInt), row * length);
          }
          const found = await run(tokens, batchSize, length);
          putAt({ values: vectors, dimensions }, batch, packed({ values: found, dimensions }));
          done += batch.length;
          onProgress?.(done);
        }
      };
      if (inThreads && batches.length >= worthThreads)
        await inThreads(async (runs) => void (await Promise.all(runs.map(runAll))));
      // Everything, unless there are threads.
      await runAll(runHere);
      return vectors;
    },
  };
}

export function liteEncoder(runtime: string, vocabulary: Vocabulary, run: RunModel, inThreads?: InThreads): Encoder {
  const piecesOf = sentencePieces(vocabulary);
  return modelEncoder({
    id: `use-lite-int8-3 ${runtime}`,
    languages: ['en'],
    dimensions: textWidth,
    reads: isLatin,
    tokensOf(text) {
      const sentence = sentenceOf(text);
      // The pieces of an empty text would be one blank, and all keywords without letters would mean the same.
      return sentence === '' ? [] : piecesOf(sentence).slice(0, maxTokens);
    },
    batchSize: defaultBatch,
    run,
    inThreads,
  });
}

/**
 * A text as a sentence would begin: the model learned from sentences. Case and signs at the end do not matter otherwise, so
 * that "How do I…?" and "how do i…" have one vector.
 */
export function sentenceOf(text: string): string {
  const lower = normalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/\bi\b/gu, 'I')
    .replace(/(?<![\s?!.])[\s?!.]+$/u, '')
    .trim();
  const [first = ''] = lower;
  return first.toUpperCase() + lower.slice(first.length);
}

/** Texts with equally many tokens, at most a batch at a time: nothing has to be padded. */
function batchesOf(pieces: readonly (readonly number[])[], batchSize: number): number[][] {
  const byLength = new Map<number, number[][]>();
  pieces.forEach(({ length }, text) => {
    if (length === 0) return;
    const batches = byLength.get(length) ?? [];
    byLength.set(length, batches);
    if ((batches.at(-1)?.length ?? batchSize) === batchSize) batches.push([]);
    batches.at(-1)!.push(text);
  });
  return [...byLength.values()].flat();
}

const letters = /\p{L}/gu;
const latinLetters = /\p{Script=Latin}/gu;

/** Whether more than half of the letters of a text are Latin. A text without letters counts as Latin. */
export function isLatin(text: string): boolean {
  const plain = normalForm(text, 'NFKC');
  const all = plain.match(letters)?.length ?? 0;
  return all === 0 || 2 * (plain.match(latinLetters)?.length ?? 0) > all;
}
