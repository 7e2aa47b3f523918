import { sizeText } from '#contract/parts/sizes.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { listOutside, type OutsideDatabase, removeOutside } from '#server/database/embedded/outside.ts'

const USE = 'npm run databases, or npm run databases -- remove NAME'

/** Lists and removes the embedded databases outside of their data folder, where only a Milepost started by root puts them. */
async function main([verb, ...names]: string[]): Promise<string[]> {
  if (process.platform === 'win32') return ['On Windows every database lies in its data folder.']
  if (process.getuid?.() !== 0)
    throw new CannotStart('Only root can read these databases: run this command as root.')
  if (verb === undefined) {
    const databases = await listOutside()
    if (databases.length === 0) return ['Every embedded database lies in its data folder.']
    return databases.flatMap(describe)
  }
  if (verb !== 'remove' || names.length === 0) throw new CannotStart(`This command is ${USE}`)
  const removed: string[] = []
  for (const name of names) removed.push(`Removed ${(await removeOutside(name)).folder}.`)
  return removed
}

function describe({ name, folder, bytes, lastWritten, isRunning, dataFolders }: OutsideDatabase): string[] {
  const size = sizeText(bytes, 'en')
  const written = lastWritten ? `last written ${lastWritten.toISOString().slice(0, 10)}` : 'never completed'
  const linked = dataFolders.filter(({ isLinked }) => isLinked)
  const of = (folders: typeof dataFolders) => folders.map(({ dataDir }) => dataDir).join(', ')
  const state =
    linked.length > 0
      ? `the database of ${of(linked)}`
      : dataFolders.length > 0
        ? `${of(dataFolders)} is deleted, moved or has another database`
        : 'of an unknown data folder'
  const isUsed = isRunning || linked.length > 0
  const remedy = isUsed ? [] : [`  If you do not need it: npm run databases -- remove ${name}`]
  return [`${folder}: ${size}, ${written}, ${isRunning ? 'running, ' : ''}${state}`, ...remedy]
}

try {
  for (const line of await main(process.argv.slice(2))) console.log(line)
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
}
