import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { CannotStart } from '#server/cannot-start.ts'
import { joinEmbedded, openEmbedded } from '#server/database/embedded/open.ts'
import { migrate } from '#server/database/migrate.ts'
import { reachDatabase } from '#server/database/open.ts'
import { derive, findSecret, loadSecrets, replaceSecretFile } from '#server/platform/secrets.ts'
import { openFiles } from '#server/platform/storage/open.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import type { Settings } from '#server/settings.ts'
import { version } from '#server/version.ts'
import type { Manifest } from './archive-format.ts'
import { verifyArchive } from './archive-reader.ts'
import { backUp } from './backup.ts'
import { createProgress } from './progress.ts'
import { restore } from './restore.ts'
import { onConnection, recordBackup } from './store.ts'

export type CommandDeps = {
  settings: Settings
  log: Logger
  say: (text: string) => void
  /** Aborts the command, with a reason. */
  stop: AbortController
}

/** Backs up the database and files of the settings to a new file; the server may be running. Throws CannotStart. */
export async function backUpTo(file: string, deps: CommandDeps): Promise<void> {
  const { settings, say } = deps
  await withDatabase(deps, joinEmbedded, async (config) => {
    const done = await backUp(
      {
        config,
        files: await openFiles(settings, say),
        secret: await findSecret(settings),
        version,
        progress: createProgress('Backing up', say),
        stop: deps.stop.signal,
      },
      file,
    )
    if (done.missing > 0) say(nameMissing(done.missingKeys))
    await onConnection({ config, stop: deps.stop.signal }, 'milepost backup', recordBackup)
    say(`${file} holds ${done.rows} rows, ${done.jobs} unfinished jobs and ${done.files} files.`)
  })
}

/** How many missing files a backup names. */
const NAMED = 20

function nameMissing(missing: string[]): string {
  const rest = missing.length - NAMED
  return `Files that entries name but that were lost before this: ${missing.length}.
${missing
  .slice(0, NAMED)
  .map((key) => `  ${key}`)
  .join('\n')}${rest > 0 ? `\n  and ${rest} more` : ''}`
}

/** Restores an archive to the empty database and the files of the settings. Throws CannotStart. */
export async function restoreFrom(file: string, deps: CommandDeps): Promise<void> {
  const { settings, say } = deps
  const signal = deps.stop.signal
  const onWait = (connections: string[]) =>
    say(`Waiting for tables that other connections use: ${connections.join(', ')}`)
  const manifest = await verifyArchive(file, { progress: createProgress('Checking', say), stop: signal })
  await withDatabase(deps, openEmbedded, async (config) => {
    const done = await restore(
      {
        config,
        openFiles: () => openFiles(settings, say),
        storeSecret: async (secret) => {
          if (settings.tokenSecret === undefined) await replaceSecretFile(settings.dataDir, secret)
        },
        progress: createProgress('Restoring', say),
        onWait,
        stop: signal,
      },
      { file, manifest },
    )
    const { encrypt } = createTokenCipher(await loadSecrets(settings))
    await migrate(config, undefined, { encryptInviteToken: encrypt }, { onWait })
    say(
      `Restored ${done.rows} rows, ${done.jobs} unfinished jobs and ${done.files} files, as of ${manifest.madeAt}.`,
    )
    await tellOtherSecret(manifest, deps)
  })
}

async function withDatabase(
  { settings, log, say, stop }: CommandDeps,
  bringUp: typeof openEmbedded,
  work: (config: PoolConfig) => Promise<void>,
) {
  const lost = (error: unknown) => stop.abort(new CannotStart('The database went away.', { cause: error }))
  const database = await reachDatabase(settings, { log, progress: say, lost }, bringUp)
  try {
    await work(database.config)
  } finally {
    await database.stop()
  }
}

async function tellOtherSecret({ secretId }: Manifest, { settings, say }: CommandDeps) {
  const secret = await findSecret(settings)
  if (secretId !== undefined && (!secret || derive(secret.text).id !== secretId))
    say(
      'The token secret is not the one of the archive: people have to sign in again, unless you set TOKEN_SECRET to that.',
    )
}
