import type { OpenUpload, UnfinishedUpload, UploadStatus, Visualization } from '@kc/rules/shapes';
import { storagePath } from '@kc/rules/upload';
import type { OwnedRecord, VisualizationRecord } from './queries.ts';
import type { Upload } from './upload/upload-queries.ts';

/** A record as the server sends it: without storage keys. */
export function toVisualizationResponse(record: OwnedRecord): Visualization {
  return {
    id: record.id,
    userId: record.user_id,
    userEmail: record.user_email,
    fileName: record.file_name,
    storagePath: record.storage_path,
    downloadUrl: `/api/visualizations/${record.id}/original`,
    uploadDate: record.uploaded_at.getTime(),
    uploadedBy: record.uploaded_by,
    isActive: record.is_active,
    isSample: record.is_sample,
    fileSize: record.file_size,
    description: record.description,
    keywords: record.keywords,
    nodes: record.nodes,
    rootName: record.root_name,
    ...(record.merged === null ? {} : { merged: record.merged }),
    ...(record.thumbnail ? { thumbnail: record.thumbnail } : {}),
    ...(record.field_map ? { fieldMap: record.field_map } : {}),
    ...(record.newest_month === null ? {} : { newestMonth: record.newest_month }),
    ...(record.exported_on === null ? {} : { exportedOn: record.exported_on }),
  };
}

export function toUploadResponse(upload: Upload, made: VisualizationRecord | undefined): UploadStatus {
  return {
    id: upload.id,
    state: upload.state,
    share: upload.state === 'receiving' ? upload.received / upload.size : upload.share,
    ...(upload.refusal ? { refusal: upload.refusal } : {}),
    ...(upload.warning ? { warning: upload.warning } : {}),
    ...(made ? { visualizationId: made.id, merged: made.merged ?? 0 } : {}),
    ...fieldMapOf(made ?? upload),
  };
}

const fieldMapOf = ({ field_map }: Pick<Upload, 'field_map'>) => (field_map ? { fieldMap: field_map } : {});

/** An upload in an administrator's list of an account's uploads. @param requesterId the account that sent the request */
export function toOpenUploadResponse(
  upload: Upload & { readonly isSending: boolean },
  requesterId: string,
): OpenUpload {
  return {
    ...toUploadResponse(upload, undefined),
    fileName: upload.file_name,
    fileSize: upload.size,
    ...(upload.file_modified ? { fileModified: upload.file_modified.getTime() } : {}),
    description: upload.description,
    begunAt: upload.created_at.getTime(),
    uploadedBy: upload.uploader_id,
    isYours: upload.uploader_id === requesterId,
    isSending: upload.isSending,
  };
}

/** An unfinished upload in the list of the administrator who began it, for resuming it. */
export function toUnfinishedUploadResponse(
  upload: Upload & { readonly isSending: boolean; readonly receiverEmail: string },
): UnfinishedUpload {
  const receiver = { id: upload.user_id, email: upload.receiverEmail };
  return { ...toOpenUploadResponse(upload, upload.uploader_id), receiver };
}

export const labelFor = (upload: Upload, time: Date): string =>
  storagePath(upload.user_id, time.getTime(), upload.file_name);
