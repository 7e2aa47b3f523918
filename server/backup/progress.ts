/** Reports the progress of a long task. */
export type Progress = {
  begins(what: string): void
  /** Adds a number of processed bytes. */
  passed(bytes: number): void
}

const PAUSE_MS = 5_000

/** Reports in a sentence every few seconds; a shorter task reports nothing. */
export function createProgress(doing: string, say: (text: string) => void): Progress {
  let what = ''
  let bytes = 0
  let reportedAt = Date.now()
  return {
    begins: (next) => {
      what = next
    },
    passed: (more) => {
      bytes += more
      if (Date.now() - reportedAt < PAUSE_MS) return
      reportedAt = Date.now()
      say(`${doing} ${what} … ${megabytes(bytes)} so far`)
    },
  }
}

/** Formats a size in megabytes. */
export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
