import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { registerCleanup, temporaryDirectory } from '#testing/cleanup.ts'
import { freePort } from '#testing/start-server.ts'

/** Runs the command of `npm start`, in a separate process group, as in a terminal. */
async function start(settings: Record<string, string> = {}) {
  const { directory: dataDir, remove } = await temporaryDirectory()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    LOG_LEVEL: 'info',
    ...settings,
  }
  const running = spawn(process.execPath, ['scripts/start.mjs'], { env, detached: true })
  let output = ''
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const ended = once(running, 'close')
  const signal = (name: NodeJS.Signals) => process.kill(-(running.pid ?? 0), name)
  const stop = registerCleanup(async () => {
    if (isAlive(running)) signal('SIGTERM')
    await ended
    await remove()
  })
  return { url, dataDir, running, ended, signal, stop, output: () => output }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** Returns the processes that have logged a response. */
const serversIn = (output: string) => [...new Set(output.match(/(?<="pid":)\d+/g))].map(Number)

test('npm start restarts a killed server, and Ctrl-C stops all processes', {
  tag: '@long',
}, async () => {
  const product = await start()
  const isReady = () =>
    fetch(`${product.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
  await expect.poll(() => serversIn(product.output()).length).toBe(1)
  const [first = 0] = serversIn(product.output())
  process.kill(first, 'SIGKILL')
  await expect.poll(isReady).toBe(false)
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
  await expect.poll(() => serversIn(product.output()).length).toBe(2)
  expect(product.output()).toContain('The server died (exit code 137); starting it again in 1 s.\n')

  product.signal('SIGINT')
  expect(await product.ended).toEqual([0, null])
  expect(await isReady()).toBe(false)
  await expect(access(path.join(product.dataDir, 'postgres/cluster/postmaster.pid'))).rejects.toThrow(
    'ENOENT',
  )
  await product.stop()
})

test('npm start exits if the database cannot be reached', { tag: '@long' }, async () => {
  const product = await start({ DATABASE_URL: 'postgres://milepost@127.0.0.1:1/milepost' })
  expect(await product.ended).toEqual([75, null])
  expect(product.output()).toContain('The database of DATABASE_URL cannot be reached: ')
  await product.stop()
})

test('npm start exits immediately if a setting is invalid', async () => {
  const product = await start({ ACCOUNT_QUOTA_MB: 'plenty' })
  expect(await product.ended).toEqual([78, null])
  expect(product.output()).toBe('The setting ACCOUNT_QUOTA_MB must be a whole number from 1 to 1000000000.\n')
  await product.stop()
})
