import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { createLogBuffer } from './patched/pino-buffer.ts'

const LOGGER = new URL('logger.ts', import.meta.url).href

/** What a program writes to its standard output that logs by `log` and ends by `end`. */
async function linesOf(end: string): Promise<string[]> {
  const program = `import { createLogger } from '${LOGGER}'; const log = createLogger('info'); log.info('a word'); ${end}`
  const ran = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const { stdout } = await ran.catch((error: { stdout: string }) => error)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
}

it('loses no line, however the program ends', async () => {
  expect(await linesOf('')).toEqual(['a word'])
  expect(await linesOf('process.exit(1)')).toEqual(['a word'])
  expect(await linesOf("throw new Error('unforeseen')")).toEqual(['a word'])
  expect(await linesOf("log.fatal('the end'); process.kill(process.pid, 'SIGKILL'); for (;;);")).toEqual([
    'a word',
    'the end',
  ])
})

it('writes log lines while the program runs', () => {
  vi.useFakeTimers()
  const write = vi.fn<(lines: string) => void>()
  const buffer = createLogBuffer({ write, flushSync: () => undefined })
  buffer.write('one\n')
  buffer.write('two\n')
  expect(write).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(write.mock.calls).toEqual([['one\ntwo\n']])
  buffer.write('x'.repeat(10_000))
  expect(write).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
