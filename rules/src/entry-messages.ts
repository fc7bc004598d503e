import { textsOf } from './catalogue.ts';

/**
 * The part of the catalogue (`messages.ts`) for signed-out visitors and for errors that can occur anywhere. It is
 * separate so that the sign-in page loads no other texts.
 */
export const entryMessages = {
  'session/required': 'You are not logged in. Please log in first.',
  'session/not-approved': 'Your account is not approved yet.',
  'session/no-user': 'No user found',

  'sign-in/both-required': 'Please enter both email and password',
  'sign-in/invalid-email': 'Invalid email format',
  'sign-in/not-found': 'No account found with this email address',
  'sign-in/wrong-password': 'Incorrect password',
  'sign-in/disabled': 'This account has been disabled',
  'sign-in/success': 'Login successful! Redirecting...',
  'sign-in/google-off': 'Google sign-in is not set up on this server',

  'google/popup-blocked': 'Google login popup was blocked by your browser. Please enable popups for this site.',
  'google/unauthorized-domain':
    'This domain is not authorized for Google authentication. Please contact the administrator.',
  'provider/popup-blocked': (p: { name: string }) =>
    `The window of ${p.name} was blocked by your browser. Please enable popups for this site.`,
  'provider/unauthorized-domain': (p: { name: string }) =>
    `This domain is not authorized for authentication with ${p.name}. Please contact the administrator.`,
  'google/close-window': 'You can close this window.',
  'google/failed': 'Authentication error. Please try again.',
  'google/profile-failed': 'There was an error processing your login. Please try again.',

  'sign-in/too-many': (p: { seconds: number }) => `Too many attempts. Please wait ${p.seconds} seconds and try again.`,

  'sign-up/in-use': 'An account with this email already exists',
  'sign-up/weak': 'Password is too weak. Please use a stronger password',
  'sign-up/password-short': 'Password must be at least 6 characters',
  'sign-up/password-long': 'Password is too long. Please use at most 1024 characters.',
  'sign-up/mismatch': 'Passwords do not match',
  'sign-up/match': 'Passwords match',
  'sign-up/name-required': 'Please enter your full name',
  'sign-up/closed': 'Registration is closed. Please ask an administrator for an account.',
  'sign-up/check-needed':
    'Your browser could not finish a check that keeps automated sign-ups out. Please reload the page and try again, or ask an administrator for an account.',
  'sign-up/full':
    'Too many new accounts are waiting for approval right now. Please try again later, or ask an administrator for an account.',
  'sign-up/success':
    'Account created successfully! You will be able to use the application once an administrator approves your account.',
  'sign-up/success-approved': 'Account created successfully! You can sign in now.',

  'claim/password-short': 'Password must be at least 12 characters',
  'claim/invalid':
    'This link is no longer valid. Start the server again, or run its claim-link command, to get a new one.',

  'reset/asked':
    'If there is an account with this email, a link to set a new password is on its way. It works for 30 minutes.',
  'reset/invalid': 'This link is no longer valid. Ask for a new one with “Forgot password” on the sign-in page.',
  'reset/done': 'Your password has been changed. You are signed out everywhere; please sign in with the new password.',
  'reset/tokens': (p: { count: number }) =>
    `${p.count === 1 ? 'One access token of your account still works' : `${p.count} access tokens of your account still work`}. If somebody else may have known your password, revoke them under “Access tokens” in the user menu.`,

  'verify/sent': (p: { email: string }) => `A confirmation link was sent to ${p.email}. It works for 24 hours.`,
  'verify/invalid': 'This link is no longer valid, or it belongs to another account.',
  'verify/done': 'Your email address is confirmed.',

  'request/invalid': 'The request is not valid.',
  'request/cross-site': 'This request did not come from this site and was refused.',
  'request/not-found': 'Nothing is here.',

  'screen/not-loaded': 'This page could not be loaded. Check your connection and try again.',

  'fault/internal': (p: { id: string }) => `Internal error (id ${p.id})`,
  'fault/unavailable': (p: { id?: string }) =>
    `The server is not ready. Please try again in a moment.${p.id === undefined ? '' : ` (id ${p.id})`}`,
  'fault/other-version': 'Backend SDK not available. Please refresh the page and try again.',
  'fault/offline': 'The server cannot be reached. Check the connection and try again.',
} as const;

export const { say, sayRefusal, sayError } = textsOf(entryMessages);
