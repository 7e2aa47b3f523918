import { Stop } from './stop.mjs'

const REASONS = [
  [
    /ENOSPC|No space left|EDQUOT/,
    (what) => `The disk is full and ${what} needs more room: free some space and try again.`,
  ],
  [
    /EROFS|EACCES|EPERM|Permission denied/,
    (what) =>
      `A file or folder could not be written and ${what} needs it: give your user that right (an earlier run as another user may own it) and try again.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network/,
    (what) =>
      `The network does not answer and ${what} needs it: check the connection (and npm's proxy and registry settings) and try again.`,
  ],
  [/EUSAGE/, () => 'package-lock.json does not fit package.json: run "npm install" and commit the lockfile.'],
]

/** Ends the command with a sentence about why `what` ("the installation") failed, from an error or a program's output. */
export function explain(error, what) {
  const text = error instanceof Error ? `${error.code} ${error.message}` : String(error)
  const known = REASONS.find(([pattern]) => pattern.test(text))
  throw new Stop(
    known ? known[1](what) : `${what[0].toUpperCase()}${what.slice(1)} failed: ${lastComplaint(text)}`,
  )
}

function lastComplaint(text) {
  const lines = text.split('\n').filter((line) => line.trim() && !line.includes('A complete log of this run'))
  return (lines.at(-1) ?? 'it said nothing').trim()
}
