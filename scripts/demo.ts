import { parseArgs } from 'node:util'
import { CannotStart } from '#server/cannot-start.ts'
import { openDatabase } from '#server/database/open.ts'
import { loadEnvFile } from '#server/env-file.ts'
import { createLogger } from '#server/platform/log/logger.ts'
import { loadSecrets } from '#server/platform/secrets.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { readSettings, settingNames } from '#server/settings.ts'
import { openAccounts } from './demo/accounts.ts'
import { furnish } from './demo/album.ts'
import { fill, type Sizes } from './demo/fill.ts'
import { openInstance } from './instance.ts'

const USE = 'npm run demo -- --projects 6 --milestones 5 --entries 8 --seed 1'

function sizesFrom(args: string[]): Sizes {
  try {
    const { values } = parseArgs({
      args,
      options: {
        projects: { type: 'string', default: '6' },
        milestones: { type: 'string', default: '5' },
        entries: { type: 'string', default: '8' },
        seed: { type: 'string', default: '1' },
      },
    })
    const { projects, milestones, entries, seed } = values
    return {
      projects: count(projects),
      milestones: count(milestones),
      entries: count(entries),
      seed: count(seed),
    }
  } catch (error) {
    throw new CannotStart(`Please say the sizes as whole numbers, for example: ${USE}`, { cause: error })
  }
}

function count(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`${text} is not a whole number`)
  return Number(text)
}

async function main() {
  const sizes = sizesFrom(process.argv.slice(2))
  for (const warning of loadEnvFile('.env', settingNames)) console.error(warning)
  const settings = readSettings(process.env)
  const log = createLogger('warn')
  const say = (text: string) => console.log(text)
  const lost = (error: unknown) => {
    log.fatal({ err: error }, 'the database went away')
    process.exit(1)
  }
  const migration = { encryptInviteToken: createTokenCipher(await loadSecrets(settings)).encrypt }
  const { db, close } = await openDatabase(settings, { log, progress: say, lost, migration })
  const instance = await openInstance(db, settings, log)
  const accounts = await openAccounts(instance.deps, settings.publicUrl)
  try {
    const owner = await accounts.signUp('Ada Lovelace')
    const editor = await accounts.signUp('Grace Hopper')
    const projects = await fill(db, owner.caller.userId, sizes, (project) =>
      furnish(instance, { owner, editor }, project),
    )
    say(
      `${projects.length} projects are there. Sign in as ${owner.email} with the password ${owner.password}`,
    )
    const shown = projects.find((project) => project.isPublic)
    if (shown) say(`One of them is public: ${settings.publicUrl}/world/${shown.id}`)
  } finally {
    await accounts.close()
    await instance.close()
    await close()
  }
}

main().catch((error: unknown) => {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
})
