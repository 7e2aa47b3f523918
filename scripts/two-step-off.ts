import { normalEmail } from '#contract/email.ts'
import { turnOffTwoFactorOf } from '#server/administration/account-recovery.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { connect } from '#server/database/connect.ts'
import { joinEmbedded } from '#server/database/embedded/open.ts'
import { reachDatabase } from '#server/database/open.ts'
import { issuerOfAccounts } from '#server/identity/create.ts'
import { runCommand } from './backup/run.ts'

await runCommand('npm run two-step-off -- EMAIL', 'address', async (typed, { settings, log, say, stop }) => {
  const email = normalEmail(typed)
  if (settings.firebase)
    throw new CannotStart('Second factors are with Firebase here: remove them in its console or by its SDK.')
  const lost = (error: unknown) => stop.abort(error)
  const database = await reachDatabase(settings, { log, progress: say, lost }, joinEmbedded)
  const { db, close } = connect(database.config, log)
  try {
    const wasOn = await turnOffTwoFactorOf(db, {
      email,
      issuer: issuerOfAccounts(settings.firebase),
      now: new Date(),
    })
    const off = `Two-step sign-in is off for ${email}: the password alone signs in.`
    say(wasOn ? `${off} All their sessions have ended.` : `${off} It was off before, so nothing changed.`)
  } finally {
    await close()
    await database.stop()
  }
})
