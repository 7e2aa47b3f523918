import { backUpTo } from '#server/backup/command.ts'
import { runCommand } from './backup/run.ts'

await runCommand('npm run backup -- FILE', backUpTo)
