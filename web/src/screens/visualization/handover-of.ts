import { fetchOutline, handoverUrl } from '../../api/handover.ts';
import type { HandoverCalls } from '../../explore/model/source.ts';

/** The files about a visualization for other people. @param isLink whether `id` is a link, whose visitor asks */
export const handoverCallsOf = (id: string, isLink = false): HandoverCalls => ({
  url: (file, asked) => handoverUrl(id, file, asked, isLink),
  outline: (asked) => fetchOutline(id, asked, isLink),
});
