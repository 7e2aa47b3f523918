/** Tells what a long work is at. */
export type Progress = {
  begins(what: string): void
  /** So many bytes more are done. */
  passed(bytes: number): void
}

const PAUSE_MS = 5_000

/** Tells it in a sentence every few seconds, and nothing of what is over before. */
export function createProgress(doing: string, say: (text: string) => void): Progress {
  let what = ''
  let bytes = 0
  let told = Date.now()
  return {
    begins: (next) => {
      what = next
    },
    passed: (more) => {
      bytes += more
      if (Date.now() - told < PAUSE_MS) return
      told = Date.now()
      say(`${doing} ${what} … ${megabytes(bytes)} so far`)
    },
  }
}

/** A size in words. */
export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
