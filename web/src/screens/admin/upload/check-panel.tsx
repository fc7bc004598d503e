import type { UploadOutline } from '@kc/pack/upload/upload-outline';
import type { Refusal } from '@kc/rules/result';
import { X } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { type FileCheck, type FileTransfer, skipCheck } from '../../../api/transfers.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { lazyPart } from '../../../ui/lazy-boundary.tsx';
import { bytesText, countText } from '../../../ui/number-text.ts';
import { pillarColours, ThumbnailPicture, type ThumbnailTree } from '../../thumbnail/thumbnail.tsx';
import { Unrecognised } from './unrecognised.tsx';

const MemberFields = lazyPart(async () => (await import('./member-fields.tsx')).MemberFields);

type Props = {
  readonly transfer: FileTransfer;
  /** Puts the panel of a published file away. */
  readonly onClose: () => void;
};

/**
 * What the browser found in the file so far, while it is sent, and how its fields are read, which can be corrected until
 * the panel is closed. After a refusal: the position of the error, whether the browser or the server found it.
 */
export function CheckPanel({ transfer, onClose }: Props) {
  const { totalBytes, refusal, uploadId } = transfer;
  const isBroken = isInvalid(transfer);
  const check: FileCheck = isBroken ? { ...transfer.check, state: 'broken' } : transfer.check;
  const { label, tone } = stateWords(check, totalBytes);
  const fields = hasFields(transfer) && uploadId !== undefined ? check.members : undefined;
  return (
    <section aria-labelledby="check" className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 id="check" className="text-h2">
          In this file
        </h3>
        <Badge tone={tone} dot>
          {label}
        </Badge>
        {check.state === 'running' && (
          <Button size="dense" variant="ghost" className="ml-auto" onClick={skipCheck}>
            Upload without checking
          </Button>
        )}
        {transfer.state === 'active' && (
          <IconButton size="dense" label="Close In this file" className="ml-auto" onClick={onClose}>
            <X size={16} />
          </IconButton>
        )}
      </div>
      <p className="truncate text-small text-muted" title={transfer.fileName}>
        {transfer.fileName}
      </p>
      {isBroken && refusal && <Place refusal={refusal} />}
      {check.outline && check.state !== 'skipped' && (
        <Found
          check={check}
          outline={check.outline}
          fileBytes={totalBytes}
          hasFields={fields !== undefined}
          merged={transfer.merged ?? 0}
        />
      )}
      {check.state === 'skipped' && <p className="mt-2 text-body text-muted">The server alone checks it.</p>}
      {fields && uploadId && (
        <Suspense>
          <MemberFields
            key={uploadId}
            uploadId={uploadId}
            summaries={fields}
            unrecognised={check.outline?.unrecognised ?? []}
          />
        </Suspense>
      )}
    </section>
  );
}

/** Whether the content of the file was refused, here or by the server. */
export const isInvalid = ({ state, refusal }: FileTransfer): boolean =>
  state === 'failed' && refusal?.code === 'upload/invalid-json';

/** Whether the members of the file's entries are known, and the server can still read them in another way. */
export const hasFields = ({ state, check }: FileTransfer): boolean =>
  state !== 'failed' && (check.members?.members.length ?? 0) > 0;

function stateWords({ state, bytes }: FileCheck, totalBytes: number): { label: string; tone: Tone } {
  switch (state) {
    case 'running':
      return { label: `Checking: ${Math.floor((100 * bytes) / Math.max(1, totalBytes))}%`, tone: 'info' };
    case 'good':
      return { label: 'Valid JSON', tone: 'ok' };
    case 'broken':
      return { label: 'Not valid', tone: 'bad' };
    case 'skipped':
      return { label: 'Not checked here', tone: 'neutral' };
  }
}

type FoundProps = {
  readonly check: FileCheck;
  readonly outline: UploadOutline;
  readonly fileBytes: number;
  /** Whether its members are listed below. */
  readonly hasFields: boolean;
  /** Entries that repeat a keyword, once the server has merged them. */
  readonly merged: number;
};

function Found({ check, outline, fileBytes, hasFields, merged }: FoundProps) {
  const { pillars, clusters, depth, volume, types, top, unrecognised } = outline;
  // Nothing is known about a hierarchy that has not been reached yet.
  const ofTree = (count: number): string => (check.nodes > 0 ? countText(count) : '–');
  const [first, ...others] = top.slice(0, 3).map(({ name }) => name);
  return (
    <div className="mt-4 flex flex-wrap items-start gap-x-6 gap-y-4">
      {(pillars > 0 || check.state === 'running') && (
        <ThumbnailPicture
          tree={treeOf(outline)}
          width={160}
          height={100}
          className="h-25 w-40"
          label={`Preview with ${countText(pillars)} pillar topics`}
        />
      )}
      <dl className="grid min-w-0 flex-1 basis-64 grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        <Figure label="Pillar topics">{ofTree(pillars)}</Figure>
        <Figure label="Clusters">{ofTree(clusters)}</Figure>
        <Figure label="Keywords">{countText(check.keywords)}</Figure>
        <Figure label="Search volume">
          {volume.known > 0 ? countText(volume.sum) : 'Unknown'}
          {volume.known > 0 && volume.known < check.keywords && (
            <span className="block text-micro text-muted">known for {countText(volume.known)}</span>
          )}
        </Figure>
        <Figure label="Levels">{ofTree(depth + 1)}</Figure>
        <Figure label="Size">{bytesText(fileBytes)}</Figure>
        {merged > 0 && <Figure label="Merged entries">{countText(merged)}</Figure>}
      </dl>
      {first !== undefined && (
        <p className="basis-full text-small text-muted wrap-anywhere">
          Largest pillar topics: {[first, ...others].join(', ')}
          {pillars > 3 && ` and ${countText(pillars - 3)} more`}
        </p>
      )}
      {!hasFields && unrecognised.length > 0 && <Unrecognised names={unrecognised} />}
      {!hasFields && types.length > 0 && (
        <ul aria-label="Node types" className="flex basis-full flex-wrap gap-1.5">
          {types.map(({ name, nodes }) => (
            <li key={name} className="min-w-0">
              <Badge className="max-w-full">
                <span className="truncate">{`${name} × ${countText(nodes)}`}</span>
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-micro text-muted">{label}</dt>
      <dd className="font-semibold text-body tabular-nums wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The position of the first error. The banner disappears; this stays until the next file. */
function Place({ refusal }: { readonly refusal: Refusal }) {
  const { what = '', byte = 0, line = 0, column = 0, excerpt = '' } = refusal.params ?? {};
  return (
    <div className="mt-4 rounded-control bg-bad-soft p-4 text-body text-bad">
      <p className="font-medium wrap-anywhere first-letter:uppercase">{what}</p>
      <p className="text-small tabular-nums">
        Line {countText(Number(line))} · column {countText(Number(column))} · byte {countText(Number(byte))}
      </p>
      {excerpt !== '' && (
        <pre className="mt-2 whitespace-pre-wrap rounded-chip bg-surface p-3 font-mono text-micro text-ink leading-5 wrap-anywhere">
          {excerpt}
        </pre>
      )}
    </div>
  );
}

/**
 * The top of a file's hierarchy, from what was read of the file. Sizes are leaf counts. The explorer assigns topic colours by volume, which the check does not sum per topic. So if
 * the file has volumes, all topics get the neutral colour instead of colours that would change in the explorer.
 */
export function treeOf({ top, restLeaves, volume }: UploadOutline): ThumbnailTree {
  const pillars = top.map(({ leaves, parts }, at) => ({
    weight: leaves,
    parts,
    colour: volume.known === 0 ? (at % pillarColours) + 1 : 0,
  }));
  return { pillars, rest: restLeaves };
}
