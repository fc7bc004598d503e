import { type DraftContext, lockedWith } from './context.ts';
import {
  type DraftState,
  excluded,
  idOf,
  type LooseTopic,
  looseTopics,
  newStrayTopic,
  orderedState,
  strayTopic,
  topicIds,
} from './draft-state.ts';
import { measured } from './measure.ts';

/** A state while an operation changes it: topics, and the places of keywords, by ID. */
export class Working {
  readonly topics: Map<string, LooseTopic>;
  readonly topicOf: (string | undefined)[];
  readonly sentToStrays: Uint8Array;
  readonly excludedFrom: Map<number, string>;
  readonly goneFrom: Map<number, string>;
  readonly #reviewed: Uint8Array;
  /** The IDs of topics that have lost or gained keywords, and are measured again. */
  readonly touched = new Set<string>();
  readonly #context: DraftContext;
  readonly #state: DraftState;
  #next: number;

  constructor(context: DraftContext, state: DraftState) {
    this.#context = context;
    this.#state = state;
    this.#next = state.next;
    this.topics = new Map(looseTopics(state).map((topic) => [topic.id, topic]));
    this.topicOf = topicIds(state);
    this.sentToStrays = state.sentToStrays.slice();
    this.excludedFrom = new Map(state.excludedFrom);
    this.goneFrom = new Map(state.goneFrom);
    this.#reviewed = state.reviewed.slice();
  }

  newId(): string {
    return idOf(this.#next++);
  }

  id(topic: number): string {
    return this.#state.topics[topic]!.id;
  }

  edit(id: string, changes: Partial<LooseTopic>): void {
    this.topics.set(id, { ...this.topics.get(id)!, ...changes });
  }

  /** Locks a topic that loses or gains keywords, so that granularity does not undo what a person did. */
  lock(topic: number): void {
    this.freeze(topic);
    this.touch(topic);
  }

  /** Records that a topic, and so all above it, lost or gained keywords. */
  touch(topic: number): void {
    const { topics } = this.#state;
    for (let at = topic; at >= 0; at = topics[at]!.parent) this.touched.add(this.id(at));
  }

  /** Locks a topic whose keywords stay; of a subtopic, its cluster. */
  freeze(topic: number): void {
    const id = this.id(lockedWith(this.#state, topic));
    if (this.topics.get(id)!.kind !== 'stray') this.edit(id, { isLocked: true });
  }

  /** Moves a keyword to a topic. */
  put(keyword: number, id: string): void {
    const from = this.#state.topicOf[keyword]!;
    if (from !== excluded && this.id(from) !== id) this.lock(from);
    this.topicOf[keyword] = id;
    this.sentToStrays[keyword] = 0;
    this.touched.add(id);
    this.review(keyword);
  }

  /** Puts a keyword that was not on the map into the topic it was in, or into the strays if there is no such topic. */
  bringBack(keyword: number, from: string): void {
    const wasSentToStrays = this.sentToStrays[keyword]!;
    const place = this.topics.has(from) ? from : this.strays();
    this.put(keyword, place);
    // Only a person pins keywords among the strays: granularity may find a place for the others.
    if (this.topics.get(place)!.kind === 'stray') this.sentToStrays[keyword] = wasSentToStrays;
  }

  /** Records that a person has decided about a keyword. */
  review(keyword: number): void {
    this.#reviewed[keyword] = 1;
  }

  /** Changes the topic that keywords which are not on the map would come back to. */
  redirect(from: string, to: string): void {
    for (const places of [this.excludedFrom, this.goneFrom])
      for (const [keyword, id] of places) if (id === from) places.set(keyword, to);
  }

  /** The ID of the topic of strays, which is added if there is none. */
  strays(): string {
    const known = strayTopic(this.#state)?.id ?? [...this.topics.values()].find(isTopStray)?.id;
    if (known !== undefined) return known;
    const id = this.newId();
    this.topics.set(id, newStrayTopic(id));
    return id;
  }

  done(): DraftState {
    const { topics, sentToStrays, excludedFrom, goneFrom } = this;
    const state = orderedState(
      {
        ...this.#state,
        topics: topics.values(),
        topicOf: (keyword) => this.topicOf[keyword],
        sentToStrays,
        excludedFrom,
        goneFrom,
        reviewed: this.#reviewed,
        next: this.#next,
      },
      this.#context.list.volume,
    );
    return measured(this.#context, state, this.touched);
  }
}

const isTopStray = ({ kind, above }: LooseTopic): boolean => kind === 'stray' && above === undefined;
