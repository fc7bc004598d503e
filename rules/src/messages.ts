import { textsOf } from './catalogue.ts';
import { entryMessages } from './entry-messages.ts';

/** What is wrong with a regular expression, by the reason of a `PatternProblem` of `pack/src/find/name-pattern.ts`. */
const reasons: Readonly<Record<string, string>> = {
  'unclosed-group': 'this parenthesis is never closed',
  'unopened-group': 'this parenthesis was never opened',
  'unclosed-class': 'this bracket is never closed',
  'bad-class': 'this range or class of characters does not exist',
  'nothing-to-repeat': 'there is nothing to repeat before this character',
  'bad-repeat': 'this repetition is not possible',
  'bad-escape': 'this escape sequence is unknown',
  'too-long': 'it is longer than 200 characters',
  'too-large': 'it is too large. Use smaller repetitions',
};

/** The end of a sentence that names the position. Every reason that is not listed is an unsupported construct. */
const patternReason = (reason: string): string => reasons[reason] ?? 'this character is not supported';

/**
 * The texts that are shown because something happened, by code. Those about lists and drafts are in `all-messages.ts`. The server sends codes and parameters, never prose.
 * Texts that the specification quotes match it exactly, so two codes can have similar texts for different screens.
 *
 * Parameters: a count is a number, or a string if the caller has already formatted it, for example as `1.2M`. `reason`
 * and `message` are texts of other refusals.
 */
export const messages = {
  ...entryMessages,

  'admin/only': 'Unauthorized: Only admins can perform this action',

  'name/changed': 'Your name has been changed',

  'pending/still': 'Still pending. Checked just now.',
  'pending/failed': 'An error occurred while checking your status. Please try again later.',

  'account/not-found': 'User not found',
  'account/no-such-id': (p: { id: string }) => `User with ID ${p.id} not found`,
  'account/own-status': 'You cannot change your own status',
  'account/own-role': 'You cannot change your own role',
  'account/primary-admin': 'Cannot change status for primary admin user',
  'account/primary-admin-role': 'Cannot change role for primary admin user',
  'account/own-delete': 'Cannot delete your own account while logged in',
  'account/primary-admin-delete': 'Cannot delete the primary admin user',
  'account/sample-delete': 'The sample belongs to nobody and cannot be deleted',
  'account/sample-fixed': 'The sample belongs to nobody and cannot be changed',
  'account/delete-missing': 'Cannot delete user: Missing user ID or email',
  'account/delete-failed': (p: { reason: string }) => `Error deleting user: ${p.reason}`,
  'account/deleted': (p: { email: string }) =>
    `User ${p.email} has been completely deleted. The email is now immediately available for reuse.`,
  'account/deleted-partly': (p: { email: string }) =>
    `User ${p.email} and their visualizations have been deleted, but the authentication record may persist. It is locked: nobody can sign in with it.`,
  'account/auth-remains': 'The account still exists: its authentication record stays with it',
  'account/list-failed': 'Failed to load users. Please try again or check the backend connection.',
  'account/list-failed-upload': 'Failed to load users. Please try again.',
  'account/role-changed': (p: { role: string }) => `User role updated successfully to ${p.role}`,
  'account/status-changed': (p: { status: string }) => `User status updated successfully to ${p.status}`,
  'account/role-failed': (p: { reason: string }) => `Failed to change user role: ${p.reason}`,
  'account/status-failed': (p: { reason: string }) => `Failed to change user status: ${p.reason}`,
  'account/bulk-saving': (p: { count: number; saved: number }) =>
    `Saving changes to ${p.count} users…${p.saved > 0 ? ` ${p.saved} saved` : ''}`,
  'account/bulk-changed': (p: { count: number }) => `${p.count} ${p.count === 1 ? 'user' : 'users'} changed`,
  'account/bulk-already': (p: { count: number; value: string }) =>
    `${p.count} ${p.count === 1 ? 'is' : 'are'} ${p.value} already`,
  'account/bulk-failed': (p: { count: number }) => `${p.count} could not be changed`,
  'account/bulk-skipped': (p: { count: number; reasons: string }) => `${p.count} skipped: ${p.reasons}`,
  'account/bulk-undone': (p: { done: number; of: number }) =>
    p.done === p.of
      ? `${p.done} ${p.done === 1 ? 'user' : 'users'} changed back`
      : `${p.done} of ${p.of} users changed back`,
  'account/duplicates-merged': (p: { count: number }) =>
    `${p.count} duplicate ${p.count === 1 ? 'account was' : 'accounts were'} merged.`,
  'account/duplicates-failed': (p: { reason: string }) => `The accounts could not be merged: ${p.reason}`,
  'account/duplicates-unknown': (p: { reason: string }) => `The search for duplicate accounts failed: ${p.reason}`,
  'account/email-copied': 'Email copied',
  'account/id-copied': 'Id copied',
  'account/copy-refused': 'The browser does not allow copying here',

  'create-user/both-required': 'Email and password are required',
  'create-user/invalid-email': 'Please enter a valid email address.',
  'create-user/in-use': (p: { email: string }) => `Email ${p.email} is already in use. Please choose another email.`,
  'create-user/taken': 'This email is already in use',
  /** `support`: the contact address, absent if there is none. */
  'create-user/recently-deleted': (p: { email: string; support?: string }) =>
    `Email ${p.email} is already in use. Please choose another email. If it was deleted just now, wait a few minutes ${p.support ? 'or contact support' : 'and try again'}.`,
  'create-user/weak-so-far': 'Password is too weak (minimum 6 characters)',
  'create-user/weak': 'Password is too weak. Please use at least 6 characters.',
  'create-user/copied': 'Email and password copied',
  'create-user/created': (p: { email: string }) => `User ${p.email} created successfully`,

  'admin-check/signed-out': 'Please log in to check admin status',
  'admin-check/admin': 'You have admin privileges!',
  'admin-check/listed':
    'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
  'admin-check/unproven':
    'Your email is in the admin list, but it is not proven to be yours yet. Open your claim link: the server prints one when it starts, and "npm run claim-link" on the server makes a new one.',
  'admin-check/unlisted': 'Your email is not in the admin list. Admin status check failed.',
  'admin-check/fixed': 'Successfully updated to admin! Refreshing page...',
  'admin-check/not-fixed': 'Failed to update admin status. Your email might not be in the admin list.',
  'admin-check/check-failed': (p: { reason: string }) => `Error checking admin status: ${p.reason}`,
  'admin-check/fix-failed': (p: { reason: string }) => `Error fixing admin status: ${p.reason}`,

  'email/available': (p: { email: string }) => `Email ${p.email} is available.`,
  'email/unchecked': 'Whether this email is available could not be checked.',
  'email/not-yet': (p: { email: string }) =>
    `Email ${p.email} is not available yet. It may need a few minutes before it can be used again.`,

  'step-up/required': 'Please enter your password again to confirm that it is you.',

  'admin/invalid-tab': (p: { tab: string }) => `Invalid tab: ${p.tab}`,
  'admin/invalid-tab-selected': 'Invalid tab selected',
  'admin/parameters-unreadable': 'Error processing URL parameters',
  'admin/tab-failed': 'Error loading tab content',

  'settings/unsaved': 'You have unsaved changes. Click "Save Settings" to apply them.',
  'settings/discarded': 'Changes discarded.',
  'settings/saved': 'Settings saved successfully',
  'settings/failed': (p: { message: string }) => `Failed to save settings: ${p.message}`,
  'settings/already-default': 'All settings already have their default values.',
  'settings/reset-question': 'Are you sure you want to reset all settings to default values? This cannot be undone.',
  'settings/leave-question': 'Your changes to the settings are not saved. Leave without saving them?',
  'settings/not-enforced': 'Not enforced yet: anyone may sign up and waits for approval',
  'settings/stale':
    'Another administrator has saved the settings in the meantime. Discard your changes to see them, then save again.',
  'settings/auto-approve-closed': 'Accounts can be approved automatically only while registration is open.',

  'quota/number': (p: { most: number }) => `A whole number up to ${p.most.toLocaleString('en-US')}, or nothing.`,
  'quota/saved': 'The limits were saved.',

  'storage/purged': (p: { files: number; size: string }) =>
    p.files === 0
      ? 'No deleted files are kept.'
      : `${p.files === 1 ? '1 deleted file' : `${p.files.toLocaleString('en-US')} deleted files`} will be gone within a minute: ${p.size}.`,

  'activity/forgotten': 'The email was removed from the activity. Earlier backups still contain it.',
  'activity/failed': 'The activity could not be loaded. Please try again.',

  'upload/no-file': 'No file selected',
  'upload/no-user': 'Please select a user first',
  'upload/choose-user': 'Please select a user before uploading a file.',
  'upload/not-json': 'Only JSON files are supported',
  'upload/too-large': (p: { maxMb: number }) => `File size exceeds ${p.maxMb}MB limit`,
  'upload/invalid-json': (p: { what: string; byte: number; line: number; column: number; excerpt: string }) =>
    p.byte === 0 && p.what === 'the file is empty'
      ? `Invalid JSON file: ${p.what}`
      : `Invalid JSON file: ${p.what} at byte ${p.byte} (line ${p.line}, column ${p.column})${p.excerpt ? `, near ${p.excerpt}` : ''}`,
  'upload/signed-out': 'You must be logged in to upload files',
  'upload/read-failed': 'Failed to read file',
  'upload/storage-refused': 'Failed to create storage reference',
  'upload/storage-full': (p: { free?: number; kept?: number }) =>
    [
      'The server has too little free disk space for this file',
      p.free === undefined ? '. ' : `: ${p.free.toLocaleString('en-US')} MB are free. `,
      p.kept ? `“Purge now” in the settings frees ${p.kept.toLocaleString('en-US')} MB of deleted files. ` : '',
      'Delete visualizations and drafts that nobody needs, purge them in the settings, or give the server a larger disk. Then try again.',
    ].join(''),
  'upload/task-failed': 'Failed to create upload task',
  'upload/failed': 'Upload failed',
  'upload/gone': 'Upload failed: it was cancelled elsewhere, or its user was deleted',
  'upload/unreadable': 'Failed to get download URL',
  'upload/not-saved': 'Failed to save visualization data',
  'upload/not-activated':
    'File uploaded but there was an issue updating other visualizations. The user may need to manually select it.',
  'upload/too-big-to-fit': (p: { neededMib: number; allowedMib: number }) =>
    `This file needs about ${p.neededMib} MiB of memory to be read and the server allows ${p.allowedMib} MiB. Raise INGEST_MEMORY or split the file.`,
  'upload/first-only': 'Only the first file is used',
  'upload/connection-lost': 'Connection lost – will continue automatically',
  'upload/parts-limited': (p: { size: string }) =>
    `A proxy in front of the server refuses larger requests, so the file is sent in parts of ${p.size}.`,
  'upload/parts-refused':
    'A proxy in front of the server refuses every part of the file as too large. Ask its administrator to allow request bodies of at least 1 MB; in nginx that is client_max_body_size.',
  'upload/too-slow': 'The connection is too slow – the upload continues where it stopped',
  'upload/goes-on': (p: { fileName: string }) => `Upload of ${p.fileName} resumed`,
  'upload/busy': 'Another upload is running. Wait until it is done, or cancel it.',
  'upload/cancelled': 'Upload cancelled',
  'upload/merged': (p: { entries: number }) =>
    p.entries === 1
      ? '1 entry repeats a keyword and was merged with the one before it.'
      : `${p.entries.toLocaleString('en-US')} entries repeat a keyword and were merged with those before them.`,
  'upload/succeeded': (p: { email: string }) => `File uploaded and processed successfully for ${p.email}`,

  'visualization/activated': (p: { fileName: string }) => `${p.fileName} is now the active visualization`,
  'visualization/described': (p: { fileName: string }) => `The description of ${p.fileName} was saved`,
  'visualization/deleted': (p: { fileName: string }) => `${p.fileName} was deleted`,
  'visualization/newer': 'New data available – Update',
  'visualization/first': 'Your data is here – Open',
  'visualization/offline': (p: { time: string }) => `Offline – showing data from ${p.time}`,
  'visualization/not-found': 'This visualization does not exist or is not yours to see.',
  'visualization/file-missing':
    'The stored file of this visualization is missing on the server. Ask an administrator to upload it again.',
  'visualization/being-rebuilt':
    'This visualization is being prepared for the new version of the product. It opens as soon as it is ready.',
  'visualization/node-not-found': 'This place is not in the visualization.',
  'visualization/filter-invalid': 'This filter cannot be read.',
  'visualization/pattern-invalid': (p: { at: number; reason: string }) =>
    `The regular expression has an error at character ${p.at + 1}: ${patternReason(p.reason)}.`,
  'visualization/filter-too-many': (p: { seconds: number }) =>
    `Too many filters and searches in a short time. Please wait ${p.seconds} seconds and try again.`,
  'visualization/query-invalid': 'This part of the visualization cannot be requested.',
  'visualization/view-not-found': 'This saved view does not exist any more.',
  'visualization/view-unnamed': 'A saved view needs a name.',
  'visualization/views-full': (p: { max: number }) =>
    `${p.max} views of these data are saved, which is the maximum. Delete one to save another.`,
  'filter/preset-not-found': 'This saved filter does not exist any more.',
  'filter/preset-unnamed': 'A saved filter needs a name.',
  'filter/presets-full': (p: { max: number }) =>
    `${p.max} filters are saved, which is the maximum. Delete one to save another.`,
  'score/not-found': 'This saved score does not exist any more.',
  'score/unnamed': 'A saved score needs a name.',
  'score/full': (p: { max: number }) => `${p.max} scores are saved, which is the maximum. Delete one to save another.`,
  'score/invalid': 'This formula cannot be read.',
  'visualization/export-busy': 'Several of your downloads are running. Try again when one of them is finished.',

  'explore/load-failed': 'This visualization could not be loaded',
  'explore/load-cancelled': 'Loading was cancelled. Try again, or choose another visualization.',
  'explore/picture-failed': 'This chart could not be drawn',
  'explore/rest-failed': 'The rest could not be loaded.',
  'explore/part-failed': 'This part could not be shown. Check your connection and load the page again.',
  'explore/search-failed': 'The search failed. Change a letter to try again.',
  'explore/no-match': (p: { query: string }) => `Nothing matches “${p.query}”`,
  'explore/place-missing': 'The place in this link is no longer in this visualization. Showing all of it.',
  'explore/place-gone': (p: { name: string; shown: string }) =>
    `“${p.name}” is no longer in this visualization – showing “${p.shown}”.`,
  'explore/place-filtered': (p: { shown: string }) =>
    `The place in this link is hidden by the filters – showing “${p.shown}”.`,
  'explore/filter-empty': 'No keywords match these filters',
  'explore/filter-kept': (p: { kept: string; of: string }) => `${p.kept} of ${p.of} keywords kept`,
  'explore/filter-long': 'This is more than a filter can hold',
  'explore/filter-none': (p: { of: string }) => `No filter: all ${p.of} keywords`,
  'explore/name-copied': 'Name copied',
  'explore/link-copied': 'Link copied',
  'explore/keywords-copied': (p: { count: string; all: string }) =>
    p.count === p.all ? `${p.count} keywords copied` : `The ${p.count} heaviest of ${p.all} keywords copied`,
  'explore/compare-in': (p: { what: string; count: number; most: number }) =>
    `${p.what}. Compared: ${p.count} of at most ${p.most}`,
  'explore/compare-out': (p: { name: string; count: number }) => `${p.name} taken out. Compared: ${p.count}`,
  'explore/compare-away': (p: { count: number }) => `Compared and left out by the filter: ${p.count}`,
  'explore/compare-full': (p: { most: number }) => `At most ${p.most} can be compared`,
  'explore/compare-copied': (p: { count: number }) => `Table of ${p.count} copied`,
  'explore/copy-refused': 'The browser does not allow copying here',
  'explore/image-copied': 'Image copied',
  'explore/list-copied': (p: { count: string }) => `List of ${p.count} copied`,
  'explore/list-cut': (p: { count: string }) =>
    `Copied the ${p.count} heaviest. The branch has more: export it to have them all.`,
  'explore/picture-too-large': (p: { width: string; height: string }) =>
    `This browser cannot create an image of ${p.width} × ${p.height} pixels. Choose a smaller size.`,
} as const;

export type MessageCode = keyof typeof messages;

export const { say, sayRefusal, sayError } = textsOf(messages);
