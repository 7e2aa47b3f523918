import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type RunningServer, startServer } from './start-server.ts'

/** Starts another process on the database, the secret and the files of one that runs, as `docs/operations.md` has it. */
export async function startBeside(first: RunningServer): Promise<RunningServer> {
  return startServer({
    PUBLIC_URL: first.url,
    DATA_DIR: first.dataDir,
    DATABASE_URL: await databaseUnder(first.dataDir),
    DATABASE_POOL_SIZE: '5',
  })
}

/** The address of the embedded database under a data folder, as its server wrote it down when it started. */
export async function databaseUnder(dataDir: string): Promise<string> {
  const home = path.join(dataDir, 'postgres')
  const password = await readFile(path.join(home, 'password'), 'utf8')
  const [, , , port = '', socketFolder = ''] = (
    await readFile(path.join(home, 'cluster', 'postmaster.pid'), 'utf8')
  ).split('\n')
  const address = new URL(`postgresql://milepost@127.0.0.1:${port}/milepost`)
  address.password = password
  if (socketFolder) address.searchParams.set('host', socketFolder)
  return address.href
}
