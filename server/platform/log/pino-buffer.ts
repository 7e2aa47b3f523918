import { type DestinationStream, pino } from 'pino'

const FLUSH_CHARACTERS = 8_192
/** The maximum delay of a line. */
const FLUSH_MS = 100

/**
 * Replaces the buffer of pino's destination (sonic-boom's `minLength`): one write for many lines.
 *
 * Reason: sonic-boom measures its whole buffer again with each line, which costs more than formatting the line.
 * A line of the access log took 1.4 to 2.3 µs of processor time with this and 2.9 to 4.0 µs with `minLength`
 * (200,000 lines, pino 10, Node 24); a public page from the cache takes some 30 µs as a whole.
 *
 * Upstream: https://github.com/pinojs/sonic-boom/blob/main/index.js (`write`)
 */
export function createLogBuffer(
  output: DestinationStream & { flushSync(): void } = pino.destination({ dest: 1, sync: true }),
): DestinationStream & { flushSync: () => void } {
  let pending = ''
  let timer: NodeJS.Timeout | undefined

  function flushSync() {
    clearTimeout(timer)
    timer = undefined
    const lines = pending
    pending = ''
    if (lines !== '') output.write(lines)
  }

  process.once('exit', () => {
    flushSync()
    output.flushSync()
  })
  return {
    write(line) {
      pending += line
      if (pending.length >= FLUSH_CHARACTERS) flushSync()
      else timer ??= setTimeout(flushSync, FLUSH_MS).unref()
    },
    flushSync,
  }
}
