import type { Refusal } from '@kc/rules/result';
import type { FieldMap } from '@kc/rules/upload';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';

const fieldMapOf = (uploadId: string) =>
  queryOptions({
    queryKey: ['field-map', uploadId],
    queryFn: async ({ signal }): Promise<FieldMap> =>
      (await client.uploads.status({ id: uploadId }, { signal })).fieldMap ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  });

type FieldMapState = {
  /** Absent until the server has told it. */
  readonly map: FieldMap | undefined;
  readonly save: (map: FieldMap) => void;
  /** The last correction reached the server after publishing: the visualization is being made again. */
  readonly isRebuilding: boolean;
  readonly refusal: Refusal | undefined;
};

/** What a person corrected in the reading of an upload. Corrections are shown at once and saved one after the other. */
export function useFieldMap(uploadId: string): FieldMapState {
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
    map: stored.data,
    save: save.mutate,
    isRebuilding: save.data?.visualizationId !== undefined,
    refusal: error ? toRefusal(error) : undefined,
  };
}
