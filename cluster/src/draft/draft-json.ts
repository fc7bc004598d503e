import { type UploadField, uploadJson } from '../write/upload-json.ts';
import { DraftAddresses } from './addresses.ts';
import { type DraftState, excluded } from './draft-state.ts';

/** A state of a draft, and what its keywords have. */
export type DraftMap = {
  /** The name of the root. */
  readonly name: string;
  readonly texts: readonly string[];
  readonly fields: readonly UploadField[];
  /** Monthly searches; NaN where unknown. */
  readonly volume: Float64Array;
  readonly state: DraftState;
  /** Settings, sources and versions. */
  readonly clustering: Readonly<Record<string, unknown>>;
};

/**
 * The upload that a draft becomes. `clustering.nodes` has by address what a person decided about a topic, and its terms;
 * `pins` are the keywords sent to the strays by hand, `excluded` those that are left out. Equal states give equal bytes.
 */
export function draftJson({ state, clustering, ...map }: DraftMap): Generator<Uint8Array> {
  const { topics, topicOf, similarity, sentToStrays, excludedFrom } = state;
  const addresses = new DraftAddresses(state, map.texts, map.name);
  const nodes = Object.fromEntries(
    topics.map(({ id, isLocked, isRenamed, isNew, isPlaced, terms }, topic) => [
      addresses.ofTopic(topic),
      {
        id,
        ...(isLocked && { locked: true }),
        ...(isRenamed && { renamed: true }),
        ...(isNew && { new: true }),
        ...(isPlaced && { placed: true }),
        ...(terms.length > 0 && { terms }),
      },
    ]),
  );
  const pins = map.texts.filter((_, keyword) => sentToStrays[keyword] === 1 && topicOf[keyword] !== excluded);
  const left = Array.from(excludedFrom, ([keyword, from]) => ({ keyword: map.texts[keyword]!, from }));
  return uploadJson({
    ...map,
    tree: { topics, topicOf, similarity },
    clustering: {
      ...clustering,
      ...(state.stop !== undefined && { stop: state.stop }),
      nodes,
      ...(pins.length > 0 && { pins }),
      ...(left.length > 0 && { excluded: left }),
    },
  });
}
