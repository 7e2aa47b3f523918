import { backUpTo } from '#server/backup/command.ts'
import { fileNamed, runCommand } from './backup/run.ts'

await runCommand('npm run backup -- FILE', 'file', (name, deps) => backUpTo(fileNamed(name), deps))
