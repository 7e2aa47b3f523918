import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

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

it('writes what was logged while the program goes on', async () => {
  const lines = await linesOf("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000)")
  expect(lines).toEqual(['a word'])
})
