import { restoreFrom } from '#server/backup/command.ts'
import { fileNamed, runCommand } from './backup/run.ts'

await runCommand('npm run restore -- FILE', 'file', (name, deps) => restoreFrom(fileNamed(name), deps))
