import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import { expect, it, vi } from 'vitest'
import { handleErrors } from '#server/platform/api/error-handler.ts'
import { forbidden } from '#server/platform/api/errors.ts'
import { watchDisk } from '#server/platform/disk.ts'
import { createLogger, logResponses } from './logger.ts'
import { createLogBuffer } from './pino-buffer.ts'

const LOGGER = new URL('logger.ts', import.meta.url).href

/** The standard output of a program that runs `log` and then `end`. */
async function linesOf(end: string): Promise<string[]> {
  const program = `import { createLogger } from '${LOGGER}'; const log = createLogger('info'); log.info('a word'); ${end}`
  const ran = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const { stdout } = await ran.catch((error: { stdout: string }) => error)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
}

it('loses no line, regardless of how the program ends', async () => {
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

it('logs why a request was refused', async () => {
  const lines: string[] = []
  const loggerInstance: FastifyBaseLogger = createLogger('info', { write: (line) => void lines.push(line) })
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
  })
  handleErrors(
    app,
    watchDisk(undefined, () => new Date()),
  )
  logResponses(app)
  app.get('/open', () => 'welcome')
  app.get('/closed', () => {
    throw forbidden()
  })
  await app.inject('/open')
  await app.inject('/closed')
  const logged = lines.map((line) => JSON.parse(line) as { status: number; code?: string })
  expect(logged.map(({ status, code }) => [status, code])).toEqual([
    [200, undefined],
    [403, 'forbidden'],
  ])
})
