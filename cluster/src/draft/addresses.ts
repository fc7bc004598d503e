import { normalForm } from '../../../pack/src/names/normal-form.ts';
import { createPathHash, formatAddress } from '../../../pack/src/names/path-hash.ts';
import { type DraftState, excluded } from './draft-state.ts';

/** What an address names: a topic, or a keyword, by its number. */
export type Target = { readonly topic: number } | { readonly keyword: number };

type Halves = { readonly high: number; readonly low: number };

const encoder = new TextEncoder();

/** The last ones: an operation asks for those of the revisions before and after it, and of the map that the draft was made of. */
const recent: { readonly state: DraftState; readonly name: string; readonly addresses: DraftAddresses }[] = [];
const maxRecent = 3;

/**
 * The addresses of a revision, which are computed once while it is edited.
 *
 * @param texts always the same for one state
 * @param rootName the name of the root
 */
export function addressesOf(state: DraftState, texts: readonly string[], rootName: string): DraftAddresses {
  const at = recent.findIndex((one) => one.state === state && one.name === rootName);
  const [known] = at < 0 ? [] : recent.splice(at, 1);
  const entry = known ?? { state, name: rootName, addresses: new DraftAddresses(state, texts, rootName) };
  recent.push(entry);
  if (recent.length > maxRecent) recent.shift();
  return entry.addresses;
}

/**
 * Computes the addresses of a revision's nodes, which are the same as in its pack.
 *
 * @param rootName the name of the root
 */
export class DraftAddresses {
  readonly #hash = createPathHash();
  readonly #state: DraftState;
  readonly #texts: readonly string[];
  readonly #topics: readonly Halves[];
  /** The names, in NFC, of the topics directly below each topic. Topics come before the topic's keywords. */
  readonly #names = new Map<number, Set<string>>();
  readonly #written: string[] = [];
  #topicAt: ReadonlyMap<string, Target> | undefined;
  /** Of one operation, which may name many keywords: it is too large to be kept for the next. */
  #keywordAt: WeakRef<ReadonlyMap<string, Target>> | undefined;

  constructor(state: DraftState, texts: readonly string[], rootName: string) {
    this.#state = state;
    this.#texts = texts;
    const root = this.#below({ high: 0, low: 0 }, rootName, 0);
    const topics: Halves[] = [];
    for (const { name, parent } of state.topics) {
      topics.push(this.#below(parent < 0 ? root : topics[parent]!, name, 0));
      const siblings = this.#names.get(parent);
      if (siblings) siblings.add(normalForm(name, 'NFC'));
      else this.#names.set(parent, new Set([normalForm(name, 'NFC')]));
    }
    this.#topics = topics;
  }

  ofTopic(topic: number): string {
    const { high, low } = this.#topics[topic]!;
    this.#written[topic] ??= formatAddress(high, low);
    return this.#written[topic];
  }

  /** @param keyword one that is not excluded */
  ofKeyword(keyword: number): string {
    const topic = this.#state.topicOf[keyword]!;
    const text = this.#texts[keyword]!;
    // A topic of the same name comes first, so the keyword is the second node of that name.
    const ordinal = this.#names.get(topic)?.has(normalForm(text, 'NFC')) ? 1 : 0;
    const { high, low } = this.#below(this.#topics[topic]!, text, ordinal);
    return formatAddress(high, low);
  }

  /** The node of the revision that has this address, if any. Addresses of keywords are only computed if no topic has it. */
  find(address: string): Target | undefined {
    this.#topicAt ??= new Map(this.#topics.map((_, topic) => [this.ofTopic(topic), { topic }]));
    const topic = this.#topicAt.get(address);
    if (topic) return topic;
    const keywords = this.#keywordAt?.deref() ?? this.#keywords();
    this.#keywordAt = new WeakRef(keywords);
    return keywords.get(address);
  }

  #keywords(): Map<string, Target> {
    const keywords = new Map<string, Target>();
    this.#state.topicOf.forEach((topic, keyword) => {
      if (topic !== excluded) keywords.set(this.ofKeyword(keyword), { keyword });
    });
    return keywords;
  }

  #below({ high, low }: Halves, name: string, ordinal: number): Halves {
    const bytes = encoder.encode(name);
    const out = this.#hash(high, low, ordinal, bytes, 0, bytes.length);
    return { low: out[0]!, high: out[1]! };
  }
}
