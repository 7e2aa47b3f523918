/** An error with a message for the user and the exit code of the program. */
export class Failure extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The server refused the request, or the state does not allow it. */
export const refused = (message: string) => new Failure(message, 1)
/** The command line is invalid. */
export const misused = (message: string) => new Failure(message, 2)
/** The server did not respond. */
export const unreachable = (message: string) => new Failure(message, 3)
