import { type Encoder, knowsLanguage } from '@kc/cluster/encoder/encoder';
import { productNeighbours } from '@kc/cluster/neighbours/product-search';
import type { ClusterTools } from '@kc/cluster/pipeline/cluster';
import type { Refusal } from '@kc/rules/result';
import { builtInEncoder } from './built-in-encoder.ts';
import { givingBackMemory, loadRowRoom } from './clustering-memory.ts';
import { languageName } from './language.ts';
import { modelFolderEncoder } from './model-folder.ts';
import { type ModelRuntime, modelRuntime, type RuntimeKind } from './model-runtime.ts';
import { productsBy } from './product-model.ts';
import { UnusableModel } from './static-model.ts';
import { CachedEncoder, type VectorCachePlace } from './vector-cache.ts';

/** What this machine can cluster with. */
export type AvailableTools = Pick<ClusterTools, 'neighbours' | 'multiply' | 'room' | 'encoder'> & {
  /** Why there is no encoder although one was wanted. */
  readonly fault?: unknown;
};

/** What says which keywords mean about the same: the built-in model, nothing, or a model in a folder. */
export type ModelChoice = 'built-in' | 'none' | { readonly folder: string };

/**
 * Loads the runtime and the model. Where no runtime can be loaded, keywords are grouped by wording, and neighbours found in
 * plain JavaScript.
 *
 * @param kind the runtime to use and no other; by default the fastest that can be loaded
 * @throws UnusableModel, or if the requested runtime cannot be loaded
 */
export async function availableTools(model: ModelChoice = 'built-in', kind?: RuntimeKind): Promise<AvailableTools> {
  const room = loadRowRoom();
  let runtime: ModelRuntime;
  try {
    runtime = await modelRuntime(kind);
  } catch (fault) {
    if (kind !== undefined) throw fault;
    return { neighbours: productNeighbours(), room, fault };
  }
  const multiply = await productsBy(runtime);
  const tools = { neighbours: productNeighbours(multiply), multiply, room };
  try {
    return { ...tools, encoder: await encoderOf(model, runtime) };
  } catch (fault) {
    if (fault instanceof UnusableModel) throw fault;
    return { ...tools, fault };
  }
}

async function encoderOf(model: ModelChoice, runtime: ModelRuntime): Promise<Encoder | undefined> {
  if (model === 'none') return undefined;
  return model === 'built-in' ? await builtInEncoder(runtime) : await modelFolderEncoder(model.folder, runtime);
}

/** Loads what the lists of one job are clustered with, and collects what a person should know about it. */
export class ToolsOfJob {
  private readonly model: ModelChoice;
  private readonly onProgress: NonNullable<ClusterTools['onProgress']>;
  private readonly available: (model: ModelChoice) => Promise<AvailableTools>;
  private readonly aboutModel: Refusal[] = [];
  private readonly cache: VectorCachePlace | undefined;
  private readonly cached: CachedEncoder[] = [];
  private inOtherScripts = 0;

  /** @param available loads the tools. @param cache where vectors are kept for the next job */
  constructor(
    model: ModelChoice,
    onProgress: NonNullable<ClusterTools['onProgress']>,
    available: (model: ModelChoice) => Promise<AvailableTools> = availableTools,
    cache?: VectorCachePlace,
  ) {
    this.model = model;
    this.onProgress = givingBackMemory(onProgress);
    this.available = available;
    this.cache = cache;
  }

  /**
   * @param language ISO 639-1 code of most keywords
   * @throws UnusableModel
   */
  async load(language: string): Promise<ClusterTools> {
    const { neighbours, multiply, room, encoder } = await this.available(this.model);
    if (this.model !== 'none' && !encoder) this.aboutModel.push({ code: 'list/no-model' });
    if (encoder && !knowsLanguage(encoder, language))
      this.aboutModel.push({ code: 'list/by-wording', params: { language: languageName(language) } });
    return {
      encoder: encoder && (await this.remembering(encoder)),
      neighbours,
      multiply,
      room,
      onProgress: this.onProgress,
      // Parts of a list may be clustered one after the other.
      onOtherScripts: (keywords) => {
        this.inOtherScripts += keywords;
      },
    };
  }

  /** Keeps vectors for the next job. To be called when the clustering is done, or has failed. */
  async end(): Promise<void> {
    for (const cached of this.cached.splice(0)) await cached.close();
  }

  private async remembering(encoder: Encoder): Promise<Encoder> {
    if (!this.cache) return encoder;
    const cached = await CachedEncoder.open(encoder, this.cache, Date.now);
    this.cached.push(cached);
    return cached.reading;
  }

  /** Complete when the clustering is done. */
  get warnings(): readonly Refusal[] {
    const count = this.inOtherScripts;
    return [...this.aboutModel, ...(count > 0 ? [{ code: 'list/other-scripts', params: { count } } as const] : [])];
  }
}
