import { normalEmail } from '#contract/email.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { connect } from '#server/database/connect.ts'
import { joinEmbedded } from '#server/database/embedded/open.ts'
import { reachDatabase } from '#server/database/open.ts'
import { resetPassword } from '#server/identity/local/passwords.ts'
import { runCommand } from './backup/run.ts'

await runCommand(
  'npm run reset-password -- EMAIL',
  'address',
  async (typed, { settings, log, say, stop }) => {
    const email = normalEmail(typed)
    if (settings.firebase)
      throw new CannotStart(
        'Passwords are with Firebase here: reset them in its console, under Authentication.',
      )
    if (settings.issuerOnly)
      throw new CannotStart('Nobody signs in with a password here: SIGN_IN=issuer leaves that to the issuer.')
    const lost = (error: unknown) => stop.abort(error)
    const database = await reachDatabase(settings, { log, progress: say, lost }, joinEmbedded)
    const { db, close } = connect(database.config, log)
    try {
      const password = await resetPassword(db, email)
      say(
        `The new password of ${email} is ${password} – send it to them confidentially. All their sessions have ended.`,
      )
    } finally {
      await close()
      await database.stop()
    }
  },
)
