/** The exact texts of one section of the product's specification. `{name}` stands for a variable part. */
export type Section = {
  /** Texts shown because something happened, by their code in `rules/src/messages.ts`. */
  readonly messages?: Readonly<Record<string, string>>;
  /** Texts that are always on a screen, by the file or folder that contains them. */
  readonly onScreen?: Readonly<Record<string, readonly string[]>>;
};

const account = 'rules/src/account.ts';
const admin = 'web/src/screens/admin';
const frame = 'web/src/frame';
const screens = 'web/src/screens';

/**
 * Texts of accounts, sign-in, administration and the upload form, by section of the specification.
 * `tools/specified-texts.test.ts` compares them with the sources, and `e2e/every-screen.spec.ts` visits every screen
 * and looks for those of `onScreen`.
 */
export const specified = {
  '§2 Login screen, sign-in': {
    onScreen: {
      [`${screens}/login`]: [
        'Keyword Clustering',
        'Welcome back, dude!',
        'Email address',
        'Password',
        'Remember me',
        'Forgot password',
        'Sign in',
        'Sign in with Google',
      ],
    },
  },
  '§2 Login screen, sign-up': {
    onScreen: {
      [`${screens}/login`]: [
        'Join the SEO revolution',
        'Full name',
        'Confirm Password',
        'Sign up',
        'Sign up with Google',
      ],
    },
    messages: { 'sign-up/match': 'Passwords match', 'sign-up/mismatch': 'Passwords do not match' },
  },
  '§2 Header, signed out': { onScreen: { [`${frame}/header.tsx`]: ['Sign In'] } },
  '§2 Header, menu of an admin': {
    onScreen: {
      [`${frame}/header.tsx`]: ['Visualization', 'Admin Panel', 'Sign Out'],
      [`${frame}/user-menu.tsx`]: ['Admin', 'My Visualizations', 'Admin Panel'],
    },
  },
  '§2 Header, on a phone': {
    onScreen: {
      [`${frame}/header.tsx`]: ['Sign Out'],
      [`${frame}/user-menu.tsx`]: ['My Visualizations', 'Admin Panel'],
    },
  },
  '§2 Page not found': { onScreen: { [`${screens}/not-found`]: ['Page not found', 'Go Home'] } },
  '§2 Error screen': { onScreen: { [`${frame}/root-frame.tsx`]: ['Oops! Something went wrong', 'Try Again'] } },
  '§2 Users tab': {
    onScreen: {
      [`${admin}/admin-screen.tsx`]: ['Admin Dashboard'],
      [`${admin}/admin-tabs.ts`]: [
        'Management',
        'Users',
        'Manage user accounts and role permissions',
        'Data',
        'Upload',
        'Upload and manage visualization data files',
        'System',
        'Settings',
        'Configure system options and preferences',
      ],
      [`${admin}/users`]: [
        'Add User',
        'All Users',
        'Admins',
        'Regular Users',
        'Pending Users',
        'Create User',
        'Email',
        'Status',
        'Role',
        'Created',
        'Actions',
        'You',
        'Upload Data',
        'Delete',
        'Refresh Users',
      ],
      [account]: ['Pending', 'Active', 'Disabled', 'Regular User', 'Administrator'],
    },
  },
  '§2 Users tab, nobody found': { onScreen: { [`${admin}/users`]: ['Create New User'] } },
  '§2 Users tab, not loaded': {
    onScreen: { [`${admin}/users`]: ['Reset UI State', 'Refresh Users'] },
    messages: { 'account/list-failed': 'Failed to load users. Please try again or check the backend connection.' },
  },
  '§2 Create User': {
    onScreen: { [`${admin}/users`]: ['Email', 'Password', 'Role'], [account]: ['Regular User', 'Administrator'] },
  },
  '§2 Settings tab': {
    onScreen: {
      [`${admin}/settings`]: [
        'Backend Configuration',
        'Visualization Settings',
        'User Registration',
        'Reset to Defaults',
        'Save Settings',
      ],
    },
  },
  '§2 Settings tab, changed': {
    onScreen: { [`${admin}/settings`]: ['Discard Changes'] },
    messages: {
      'settings/unsaved': 'You have unsaved changes. Click "Save Settings" to apply them.',
      'settings/discarded': 'Changes discarded.',
      'settings/reset-question':
        'Are you sure you want to reset all settings to default values? This cannot be undone.',
    },
  },
  '§2 Settings tab, being saved': { onScreen: { [`${admin}/settings`]: ['Saving...'] } },
  '§2 Pending page, error': {
    onScreen: { [`${screens}/pending`]: ['Account Error', 'Try Again', 'Sign Out'] },
    messages: { 'pending/failed': 'An error occurred while checking your status. Please try again later.' },
  },
  '§2 Pending page, denied': {
    onScreen: {
      [`${screens}/denied`]: [
        'Access Denied',
        'Your account access has been denied by an administrator. If you believe this is a mistake, please contact support.',
        'Contact Support',
        'Sign Out',
      ],
    },
  },
  '§2 Pending page, pending': {
    onScreen: {
      [`${screens}/pending`]: [
        'Account Pending Approval',
        'An administrator needs to approve your account before you can access all features. This process usually takes 1-2 business days.',
        'Last checked',
        'Check Status Now',
        'Sign Out',
      ],
    },
  },
  '§2 Admin check, admin': {
    onScreen: { [`${screens}/admin-check`]: ['Admin', 'Back to Home', 'Go to Admin Panel'] },
    messages: { 'admin-check/admin': 'You have admin privileges!' },
  },
  '§2 Admin check, no admin': {
    onScreen: { [`${screens}/admin-check`]: ['No display name', 'Not Admin', 'Fix Admin Status', 'Back to Home'] },
    messages: { 'admin-check/unlisted': 'Your email is not in the admin list. Admin status check failed.' },
  },
  '§2 Admin check, signed out': {
    onScreen: { [`${screens}/admin-check`]: ['Go to Login'] },
    messages: { 'admin-check/signed-out': 'Please log in to check admin status' },
  },
  '§2 Upload tab': {
    onScreen: {
      [`${admin}/upload`]: ['Upload File', 'Select User', '-- Select a user --', 'JSON file up to {max}MB'],
    },
    messages: { 'upload/choose-user': 'Please select a user before uploading a file.' },
  },
  '§2 Upload tab, loading': { onScreen: { [`${admin}/upload`]: ['Loading users...'] } },
  '§4 Fix admin status': {
    messages: {
      'admin-check/fixed': 'Successfully updated to admin! Refreshing page...',
      'admin-check/not-fixed': 'Failed to update admin status. Your email might not be in the admin list.',
    },
  },
  '§5 Validation': {
    messages: {
      'sign-in/both-required': 'Please enter both email and password',
      'sign-up/password-short': 'Password must be at least 6 characters',
      'sign-up/mismatch': 'Passwords do not match',
      'create-user/both-required': 'Email and password are required',
      'create-user/in-use': 'Email {email} is already in use. Please choose another email.',
      'account/own-role': 'You cannot change your own role',
      'account/own-status': 'You cannot change your own status',
      'account/primary-admin': 'Cannot change status for primary admin user',
    },
  },
  '§6 Permissions': {
    messages: {
      'admin/only': 'Unauthorized: Only admins can perform this action',
      'account/own-delete': 'Cannot delete your own account while logged in',
    },
  },
  '§8 Sign-in and sign-up': {
    messages: {
      'sign-in/invalid-email': 'Invalid email format',
      'sign-in/not-found': 'No account found with this email address',
      'sign-in/wrong-password': 'Incorrect password',
      'sign-in/disabled': 'This account has been disabled',
      'sign-up/in-use': 'An account with this email already exists',
      'sign-up/weak': 'Password is too weak. Please use a stronger password',
      'google/popup-blocked': 'Google login popup was blocked by your browser. Please enable popups for this site.',
      'google/unauthorized-domain':
        'This domain is not authorized for Google authentication. Please contact the administrator.',
      'google/failed': 'Authentication error. Please try again.',
      'google/profile-failed': 'There was an error processing your login. Please try again.',
      'sign-up/success':
        'Account created successfully! You will be able to use the application once an administrator approves your account.',
      'sign-in/success': 'Login successful! Redirecting...',
    },
  },
  '§8 Admin messages': {
    messages: {
      'account/not-found': 'User not found',
      'account/no-such-id': 'User with ID {id} not found',
      'create-user/taken': 'This email is already in use',
      'account/delete-missing': 'Cannot delete user: Missing user ID or email',
      'fault/other-version': 'Backend SDK not available. Please refresh the page and try again.',
      'create-user/weak-so-far': 'Password is too weak (minimum 6 characters)',
      'create-user/weak': 'Password is too weak. Please use at least 6 characters.',
      'create-user/invalid-email': 'Please enter a valid email address.',
      'account/list-failed': 'Failed to load users. Please try again or check the backend connection.',
      'account/list-failed-upload': 'Failed to load users. Please try again.',
      'account/role-failed': 'Failed to change user role: {reason}',
      'account/status-failed': 'Failed to change user status: {reason}',
      'account/delete-failed': 'Error deleting user: {reason}',
      'account/role-changed': 'User role updated successfully to {role}',
      'account/status-changed': 'User status updated successfully to {status}',
      'create-user/created': 'User {email} created successfully',
      'account/deleted': 'User {email} has been completely deleted. The email is now immediately available for reuse.',
    },
  },
  '§8 Dashboard and pages': {
    messages: {
      'admin/invalid-tab': 'Invalid tab: {tab}',
      'admin/parameters-unreadable': 'Error processing URL parameters',
      'admin/invalid-tab-selected': 'Invalid tab selected',
      'admin/tab-failed': 'Error loading tab content',
      'session/no-user': 'No user found',
      'session/required': 'You are not logged in. Please log in first.',
      'admin-check/check-failed': 'Error checking admin status: {reason}',
      'admin-check/fix-failed': 'Error fixing admin status: {reason}',
      'admin-check/listed':
        'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
      'settings/failed': 'Failed to save settings: {message}',
    },
  },
} as const satisfies Readonly<Record<string, Section>>;

/** Texts of an upload. The tests of the upload show them. */
export const specifiedOfUploads = {
  '§5 Validation': {
    messages: {
      'upload/no-file': 'No file selected',
      'upload/no-user': 'Please select a user first',
      'upload/not-json': 'Only JSON files are supported',
      'upload/too-large': 'File size exceeds {maxMb}MB limit',
      'upload/invalid-json': 'Invalid JSON file: {what}',
      'upload/signed-out': 'You must be logged in to upload files',
    },
  },
  '§8 Upload': {
    messages: {
      'upload/read-failed': 'Failed to read file',
      'upload/storage-refused': 'Failed to create storage reference',
      'upload/task-failed': 'Failed to create upload task',
      'upload/failed': 'Upload failed',
      'upload/unreadable': 'Failed to get download URL',
      'upload/not-saved': 'Failed to save visualization data',
      'upload/not-activated':
        'File uploaded but there was an issue updating other visualizations. The user may need to manually select it.',
      'upload/succeeded': 'File uploaded and processed successfully for {email}',
    },
  },
} as const satisfies Readonly<Record<string, Section>>;

/** Texts shown only for a moment, by the file that contains them; `test` is the test that mentions them. */
export const specifiedElsewhere: Readonly<
  Record<string, { readonly texts: readonly string[]; readonly test: string }>
> = {
  'web/src/screens/login/space-button.tsx': {
    texts: [
      'Your dude is getting ready',
      'Let me cook',
      'Firing up the engines',
      'Preparing your SEO magic',
      'Getting your data ready',
    ],
    test: 'web/src/screens/login/space-button.test.ts',
  },
  'web/src/screens/pending': {
    texts: ['Checking Status', 'Please wait while we verify your account...'],
    test: 'web/src/screens/pending/pending-screen.ui.test.tsx',
  },
  'web/index.html': { texts: ['Initializing application...'], test: 'web/src/frame/loading-overlay.ui.test.tsx' },
  'web/src/frame/loading-overlay.ts': {
    texts: ['Loading application...', 'Preparing login page...'],
    test: 'web/src/frame/loading-overlay.ui.test.tsx',
  },
  'rules/src/upload.ts': {
    texts: [
      'Uploading...',
      'Processing...',
      'Transferring file to server',
      'Saving visualization data',
      'Finalizing upload',
    ],
    test: 'rules/src/upload.test.ts',
  },
};
