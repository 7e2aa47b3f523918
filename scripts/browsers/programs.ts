import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { registerCleanup } from '#testing/cleanup.ts'

/** Returns the path of the first of these programs that is installed. */
export async function findProgram(...names: string[]): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  for (const file of names.flatMap((name) => folders.map((folder) => path.join(folder, name)))) {
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return undefined
}

/** Starts a program that runs until `stop` is called or a signal ends this process. */
export function startProgram(file: string, args: string[], options: SpawnOptions) {
  const child: ChildProcess = spawn(file, args, options)
  const stop = registerCleanup(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  return { child, stop }
}
