import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { withTakenFlags } from './setup/flags.mjs'

const BOUNDS = ['--max-semi-space-size=8', '--heap-growing-percent=20', '--no-allocation-site-pretenuring']

test.each([
  ['npm start', 'scripts/start.mjs'],
  ['the container', 'deploy/Dockerfile'],
  ['the service', 'deploy/milepost@.service'],
  ['a command by hand', 'docs/operations.md'],
  ['the measures and the browser tests', 'testing/start-server.ts'],
])('%s starts the server with the same bounds of memory', (_, file) => {
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/MALLOC_ARENA_MAX(?:=|: ')2/)
  const started = text
    .replaceAll(/,\n\s*/g, ', ')
    .split('\n')
    .map((line) => line.replaceAll(/["',[\]]/g, ' ').split(/\s+/))
    .filter((words) => words.includes('server/main.ts'))
  expect(started).not.toEqual([])
  for (const words of started) expect(words).toEqual(expect.arrayContaining(BOUNDS))
})

test('a flag that Node.js does not take keeps no server from starting', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  expect(await withTakenFlags([...BOUNDS, 'server/main.ts'])).toEqual([...BOUNDS, 'server/main.ts'])
  expect(warn).not.toHaveBeenCalled()
  expect(await withTakenFlags(['--no-such-flag', 'server/main.ts'])).toEqual(['server/main.ts'])
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('bad option: --no-such-flag'))
})
