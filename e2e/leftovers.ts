type Undo = () => Promise<unknown>

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Ctrl-C comes from the terminal and from the programs above: one wish, not many. */
const ONE_WISH_MS = 1_000

const leftovers = new Set<Undo>()
let endingSince = 0

/** Remembers how to undo what was just done, in case a signal ends everything; what it answers undoes it, once. */
export function leftover(undo: Undo): () => Promise<void> {
  let undone: Promise<unknown> | undefined
  const away = async () => {
    undone ??= undo().finally(() => leftovers.delete(away))
    await undone
  }
  leftovers.add(away)
  return away
}

/** Whether a signal has come, so that nothing more is to be begun. */
export const isEnding = () => endingSince > 0

/** Has a signal undo all that is left, the last first, and end the process; a second signal ends it at once. */
export function undoOnSignal(say: (what: unknown) => void): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (!isEnding()) void undoAll(say)
      else if (Date.now() - endingSince > ONE_WISH_MS) process.exit(1)
    })
}

async function undoAll(say: (what: unknown) => void): Promise<void> {
  endingSince = Date.now()
  say('Stopping what was started …')
  // What is undone makes the work that used it fail, which may begin something in its own last steps.
  for (let last = [...leftovers].at(-1); last; last = [...leftovers].at(-1)) await last().catch(say)
  process.exit(1)
}
