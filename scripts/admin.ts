import { normalEmail } from '#contract/email.ts'
import { appointAdministrator } from '#server/administration/people.ts'
import { connect } from '#server/database/connect.ts'
import { joinEmbedded } from '#server/database/embedded/open.ts'
import { reachDatabase } from '#server/database/open.ts'
import { issuerOfAccounts } from '#server/identity/create.ts'
import { runCommand } from './backup/run.ts'

await runCommand('npm run admin -- EMAIL', 'address', async (typed, { settings, log, say, stop }) => {
  const email = normalEmail(typed)
  const lost = (error: unknown) => stop.abort(error)
  const database = await reachDatabase(settings, { log, progress: say, lost }, joinEmbedded)
  const { db, close } = connect(database.config, log)
  try {
    await appointAdministrator(db, { email, issuer: issuerOfAccounts(settings.firebase), now: new Date() })
    say(`${email} is an administrator now, and can sign in. “Administration” is in their user menu.`)
  } finally {
    await close()
    await database.stop()
  }
})
