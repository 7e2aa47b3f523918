/** An error that the user can fix: the command prints its message, one sentence, without a stack trace. */
export class CommandError extends Error {}

const OLDEST_NODE = 20

/** Runs a command and sets the exit code. Of a CommandError it prints only the message. */
export async function runCommand(work) {
  try {
    if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
      throw new CommandError(
        `Milepost needs Node.js ${OLDEST_NODE} or later to start and this is ${process.version}: install a newer one from nodejs.org.`,
      )
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

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

/** Throws a CommandError with the reason why `what` ("the installation") failed, from an error or a program's output. */
export function throwExplained(error, what) {
  const text = error instanceof Error ? `${error.code} ${error.message}` : String(error)
  const known = REASONS.find(([pattern]) => pattern.test(text))
  throw new CommandError(
    known ? known[1](what) : `${what[0].toUpperCase()}${what.slice(1)} failed: ${lastLine(text)}`,
  )
}

function lastLine(text) {
  const lines = text.split('\n').filter((line) => line.trim() && !line.includes('A complete log of this run'))
  return (lines.at(-1) ?? 'no message').trim()
}
