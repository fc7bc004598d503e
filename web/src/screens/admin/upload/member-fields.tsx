import type { MemberSummaries } from '@kc/pack/upload/member-summary';
import { say, sayRefusal } from '@kc/rules/all-messages';
import { toRefusal } from '@kc/rules/result';
import type { FieldMap } from '@kc/rules/upload';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { countText } from '../../../ui/number-text.ts';
import { FieldsPanel } from '../../import/fields-panel.tsx';
import { correctedMap, type MemberMeaning, memberOptions, memberRows, stillUnrecognised } from './member-meanings.ts';
import { Unrecognised } from './unrecognised.tsx';

type Props = {
  readonly uploadId: string;
  readonly summaries: MemberSummaries;
  /** The names that the check of the whole file has found. */
  readonly unrecognised: readonly string[];
};

/** "How we read your fields" of a JSON file that is sent, or was published a moment ago. */
export function MemberFields({ uploadId, summaries, unrecognised }: Props) {
  const { map, save, isRebuilding, refusal } = useFieldMap(uploadId);
  const { members, keywords, nodes, isWhole } = summaries;
  const entries = countText(keywords > 0 ? keywords : nodes);
  const left = map ? stillUnrecognised(unrecognised, members, map) : unrecognised;
  return (
    <div className="mt-5 border-line border-t pt-4">
      {map && (
        <FieldsPanel<MemberMeaning>
          word="Member"
          fields={memberRows(members, map)}
          meaningsFor={({ name }) => memberOptions(members.find((one) => one.name === name)!)}
          onCorrect={(place, meaning) => save(correctedMap(members, map, place, meaning))}
          note={say(isWhole ? 'list/fields-whole' : 'list/fields-head', { entries })}
        />
      )}
      {map && Object.keys(map).length > 0 && (
        <Button size="dense" variant="ghost" className="mt-2" onClick={() => save({})}>
          Read again without corrections
        </Button>
      )}
      <p role="status" className="mt-2 text-muted text-small empty:hidden">
        {isRebuilding && !refusal && say('list/fields-corrected')}
      </p>
      {refusal && (
        <p role="alert" className="mt-2 text-bad text-small">
          {say('list/fields-not-corrected', { reason: sayRefusal(refusal) })}
        </p>
      )}
      {left.length > 0 && <Unrecognised names={left} />}
    </div>
  );
}

const fieldMapOf = (uploadId: string) =>
  queryOptions({
    queryKey: ['field-map', uploadId],
    queryFn: async ({ signal }): Promise<FieldMap> =>
      (await client.uploads.status({ id: uploadId }, { signal })).fieldMap ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What a person corrected in the reading of an upload. Corrections are shown at once and saved one after the other. */
function useFieldMap(uploadId: string) {
  const queries = useQueryClient();
  const { queryKey } = fieldMapOf(uploadId);
  const stored = useQuery(fieldMapOf(uploadId));
  const save = useMutation({
    scope: { id: `field-map ${uploadId}` },
    mutationFn: (fieldMap: FieldMap) => client.uploads.mapFields({ id: uploadId, fieldMap }),
    onMutate: async (map) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, map);
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  });
  const error = save.error ?? stored.error;
  return {
    /** Absent until the server has sent it. */
    map: stored.data,
    save: save.mutate,
    /** The last correction reached the server after publishing: the visualization is being rebuilt. */
    isRebuilding: save.data?.visualizationId !== undefined,
    refusal: error ? toRefusal(error) : undefined,
  };
}
