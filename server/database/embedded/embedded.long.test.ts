import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { cleanUp, killServer, open, query, startWriter, temporaryFolder } from './testing.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

afterEach(cleanUp)

test('every acknowledged row outlives the death of all processes while they write', async () => {
  const folder = await temporaryFolder()
  const acknowledged: number[] = []
  for (let round = 0; round < 4; round++) {
    const writer = await startWriter(folder)
    await pause(100 + round * 150)
    await Promise.all([writer.kill(), killServer(folder)])
    expect(writer.written.length).toBeGreaterThan(0)
    acknowledged.push(...writer.written)
  }
  const rows = await query<{ number: number }>(await open(folder), 'select number from written')
  const present = new Set(rows.map(({ number }) => number))
  expect(acknowledged.filter((number) => !present.has(number))).toEqual([])
})

test.each([
  ['spaces and quotes', `it's "my $HOME" , data`],
  ['a great length', 'a-folder-with-a-long-name/'.repeat(8)],
])('a path with %s is fine, twice', async (_, name) => {
  const folder = path.join(await temporaryFolder(), name)
  for (let round = 0; round < 2; round++) {
    const server = await open(folder)
    await expect(query(server, 'select 1 as one')).resolves.toEqual([{ one: 1 }])
    await server.stop()
  }
})

test('a killed server under a long path comes back at the same place', async () => {
  const folder = path.join(await temporaryFolder(), 'a-folder-with-a-long-name/'.repeat(8))
  const told: string[] = []
  const server = await open(folder, told)
  await killServer(folder)
  await vi.waitFor(() => expect(told).toContain('the database is owned again'), { timeout: 20_000 })
  await expect(query(server, 'select 1 as one')).resolves.toEqual([{ one: 1 }])
})
