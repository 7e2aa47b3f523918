import { restoreFrom } from '#server/backup/command.ts'
import { runCommand } from './backup/run.ts'

await runCommand('npm run restore -- FILE', restoreFrom)
