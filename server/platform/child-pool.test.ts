import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChildPool, createChildPool } from './child-pool.ts'

const TASK = `export default (task) => {
  if (task === 'exit') process.exit(3)
  if (task === 'hang') for (;;);
  if (task === 'late') return new Promise((resolve) => process.once('SIGTERM', () => resolve({ task })))
  if (task === 'throw') throw new Error('It fell')
  return { task, pid: process.pid, bytes: new Uint8Array([1, 2]), secret: process.env.TOKEN_SECRET ?? null }
}`
const PATIENCE_MS = 30_000

type Result = { task: string; pid: number; bytes: Uint8Array; secret: string | null }
type Pool = ChildPool<string, Result>

let folder: string
const pools: Pool[] = []

type Replace = { after: number; when: (result: Result) => boolean }

async function poolOf(source: string, replace?: Replace): Promise<Pool> {
  const file = path.join(folder, `task-${pools.length}.mjs`)
  await writeFile(file, source)
  const pool: Pool = createChildPool(pathToFileURL(file), { idleMs: 60_000, ...(replace && { replace }) })
  pools.push(pool)
  return pool
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-pool-'))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await rm(folder, { recursive: true })
})

test('tasks run in one child process, without the environment of the server', async () => {
  process.env.TOKEN_SECRET = 'secret'
  const pool = await poolOf(TASK)
  const [first, second] = [await pool.run('a', PATIENCE_MS), await pool.run('b', PATIENCE_MS)]
  delete process.env.TOKEN_SECRET
  expect(first).toMatchObject({ task: 'a', bytes: new Uint8Array([1, 2]), secret: null })
  expect(second.pid).toBe(first.pid)
  expect(first.pid).not.toBe(process.pid)
})

test('a process is replaced after its number of tasks, after a result that asks for it, and after a failure', async () => {
  const pool = await poolOf(TASK, { after: 3, when: ({ task }) => task === 'worn out' })
  const pidOf = async (task: string) => (await pool.run(task, PATIENCE_MS)).pid
  const [first, second, third] = [await pidOf('a'), await pidOf('b'), await pidOf('c')]
  expect([second, third]).toEqual([first, first])
  const fourth = await pidOf('worn out')
  expect(() => process.kill(first, 0)).toThrow('ESRCH')
  const fifth = await pidOf('e')
  await expect(pool.run('throw', PATIENCE_MS)).rejects.toThrow('It fell')
  const sixth = await pidOf('f')
  expect(new Set([first, fourth, fifth, sixth]).size).toBe(4)
})

test.each([
  ['throws', 'throw', PATIENCE_MS, 'It fell'],
  ['ends its process', 'exit', PATIENCE_MS, 'Worker exited unexpectedly'],
  ['takes too long', 'hang', 500, 'The task has been aborted'],
  ['completes only after its time limit', 'late', 500, 'The task has been aborted'],
])('a task that %s is rejected, and the next one runs', async (_what, task, timeoutMs, message) => {
  const pool = await poolOf(TASK)
  await pool.run('start', PATIENCE_MS)
  await expect(pool.run(task, timeoutMs)).rejects.toMatchObject({ message })
  expect(await pool.run('next', PATIENCE_MS)).toMatchObject({ task: 'next' })
})

test('a task fails immediately if no process can be started', async () => {
  const pool = await poolOf('process.exit(1)')
  await expect(pool.run('a', PATIENCE_MS)).rejects.toMatchObject({ code: 'unavailable' })
})
