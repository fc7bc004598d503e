import { fetchOutline, handoverUrl } from '../../api/handover.ts';
import type { HandoverCalls } from '../../explore/model/source.ts';

/** The files about a visualization for other people. */
export const handoverCallsOf = (id: string): HandoverCalls => ({
  url: (file, asked) => handoverUrl(id, file, asked),
  outline: (asked) => fetchOutline(id, asked),
});
