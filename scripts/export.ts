import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { normalEmail } from '#contract/email.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { connect } from '#server/database/connect.ts'
import { joinEmbedded } from '#server/database/embedded/open.ts'
import { reachDatabase } from '#server/database/open.ts'
import { createExports, type Sent } from '#server/export/service.ts'
import { features } from '#server/features.ts'
import { fileNamed, runCommand } from './backup/run.ts'
import { openInstance } from './instance.ts'

await runCommand('npm run export -- EMAIL', 'address', async (typed, { settings, log, say, stop }) => {
  const email = normalEmail(typed)
  const lost = (error: unknown) => stop.abort(error)
  const database = await reachDatabase(settings, { log, progress: say, lost }, joinEmbedded)
  const { db, close } = connect(database.config, log)
  const { deps, close: closeInstance } = await openInstance(db, settings, log)
  try {
    const person = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
    if (!person) throw new CannotStart(`There is no account with the email ${email}.`)
    const { publicUrl } = settings
    say(await write(await createExports(deps, { features, publicUrl }).openForOperator(person.id), stop))
  } finally {
    await closeInstance()
    await close()
    await database.stop()
  }
})

/** Writes an export to a new file beside the caller, and returns a sentence about it. */
async function write({ name, bytes }: Sent, { signal }: AbortController): Promise<string> {
  const file = fileNamed(name)
  try {
    await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CannotStart(`${file} is there already: move it first.`)
    await rm(file, { force: true })
    signal.throwIfAborted()
    throw new CannotStart(`${file} could not be written whole: ${message}.`, { cause: error })
  }
  return `${file} has everything of this account, with earlier versions: what they may download themselves. It is not encrypted.`
}
