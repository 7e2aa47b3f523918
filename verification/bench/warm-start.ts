import { realpath } from 'node:fs/promises'
import { findBinaries } from '#server/database/embedded/binaries.ts'
import { CLUSTER, databaseDirectory } from '#server/database/embedded/data-directory.ts'
import { run, serverUser } from '#server/database/embedded/processes.ts'
import { startServer } from '#testing/start-server.ts'
import { alternate, figureOf, type Row } from './row.ts'

/** The time from launch to the first response on an existing data directory, compared to PostgreSQL alone on the same one. */
export const warmStart: Row = {
  name: 'warm-start',
  what: "warm start to first answer ÷ PostgreSQL's own warm start (embedded; wall time)",
  aim: { atMost: 4 },
  async measure(stage) {
    const dataDir = await stage.folder()
    const ours = async () => {
      const start = performance.now()
      const server = await startServer({ DATA_DIR: dataDir })
      const took = performance.now() - start
      await server.stop()
      return took
    }
    await ours()
    const home = await realpath(databaseDirectory(dataDir))
    const user = await serverUser(home)
    const binaries = await findBinaries(user)
    const pgCtl = async (...args: string[]) => {
      const { code, output } = await run(binaries.pg_ctl, [...args, '-D', CLUSTER, '-w'], {
        as: user,
        cwd: home,
      })
      if (code !== 0) throw new Error(output)
    }
    const baseline = async () => {
      const start = performance.now()
      await pgCtl('start', '-l', 'bench.log')
      const took = performance.now() - start
      await pgCtl('stop', '-m', 'fast')
      return took
    }
    const rounds = await alternate(ours, baseline)
    return figureOf(
      rounds,
      ({ ours, baseline }) => ours / baseline,
      (ms) => `${ms.toFixed(0)} ms`,
    )
  },
}
