import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { listOutside, recordDataFolder, removeOutside } from './outside.ts'
import { cleanUp, temporaryFolder } from './testing.ts'

afterEach(cleanUp)

/** A system folder with one database, and a data folder that links to it. */
async function createOutside() {
  const folder = await temporaryFolder()
  const system = path.join(folder, 'system')
  const database = path.join(system, 'database-one')
  const dataDir = path.join(folder, 'data')
  await mkdir(path.join(database, 'cluster/global'), { recursive: true })
  await mkdir(path.join(system, 'postgresql-18.4.0'))
  await writeFile(path.join(database, 'cluster/global/pg_control'), 'x'.repeat(100))
  await mkdir(dataDir)
  await symlink(database, path.join(dataDir, 'postgres'))
  return { folder, system, database, dataDir }
}

const left = async (system: string) => (await listOutside(system)).map(({ name }) => name)

test('a database outside of its data folder is removed only after that folder', async () => {
  const { system, database, dataDir } = await createOutside()
  await recordDataFolder(database, dataDir)
  const [found] = await listOutside(system)
  expect(found).toMatchObject({ name: 'database-one', isRunning: false })
  expect(found?.dataFolders).toEqual([{ dataDir, isLinked: true }])
  await expect(removeOutside('database-one', system)).rejects.toThrow(`is the database of ${dataDir}`)
  await rm(dataDir, { recursive: true })
  await removeOutside('database-one', system)
  expect(await left(system)).toEqual([])
})

test('a database that a copied data folder still uses is kept', async () => {
  const { folder, system, database, dataDir } = await createOutside()
  await recordDataFolder(database, dataDir)
  const copy = path.join(folder, 'copy')
  await rename(dataDir, copy)
  await recordDataFolder(database, copy)
  await recordDataFolder(database, copy)
  const [found] = await listOutside(system)
  expect(found?.dataFolders).toEqual([
    { dataDir, isLinked: false },
    { dataDir: copy, isLinked: true },
  ])
  await expect(removeOutside('database-one', system)).rejects.toThrow(`is the database of ${copy}`)
})

test('a database of an unknown data folder is listed, and removed only by its name', async () => {
  const { system } = await createOutside()
  const [found] = await listOutside(system)
  expect(found).toMatchObject({ bytes: 100, dataFolders: [] })
  for (const name of ['database-two', 'postgresql-18.4.0', '../data', ''])
    await expect(removeOutside(name, system)).rejects.toThrow('nothing was removed')
  await removeOutside('database-one', system)
  expect(await left(system)).toEqual([])
})

test('without a system folder there is no such database', async () => {
  expect(await listOutside(path.join(await temporaryFolder(), 'missing'))).toEqual([])
})
