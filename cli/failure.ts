/** What a person gets to read of a failure, and the code with which the program ends. */
export class Failure extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The server, or the state of things, refuses. */
export const refused = (message: string) => new Failure(message, 1)
/** It was called in a way that it does not understand. */
export const misused = (message: string) => new Failure(message, 2)
/** The server did not respond. */
export const unreachable = (message: string) => new Failure(message, 3)
