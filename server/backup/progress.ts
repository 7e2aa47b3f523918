import { sizeText } from '#contract/parts/sizes.ts'
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
      say(`${doing} ${what} … ${sizeText(bytes, 'en')} so far`)
    },
  }
}
