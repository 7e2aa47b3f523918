import { access, constants } from 'node:fs/promises'
import path from 'node:path'

/** What a journey does with a browser: the same few actions of a person, whichever protocol carries them out. */
export type Browser = {
  version: string
  open(url: string): Promise<void>
  /** Calls a function in the page; it may use nothing but its arguments. */
  call<A extends unknown[], R>(work: (...args: A) => R | Promise<R>, ...args: A): Promise<R>
  /** Presses and releases the pointer at a point of the visible page. */
  click(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  /** Presses keys together, as in `Control+z`. */
  press(combination: string): Promise<void>
  /** Chooses a file in a file field. */
  choose(selector: string, file: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Returns a PNG of the visible page. */
  screenshot(): Promise<Uint8Array>
  close(): Promise<void>
}

export class MissingProgram extends Error {}

/** Returns the path of the first of these programs that is installed, or says which Debian package brings it. */
export async function requireProgram(debianPackage: string, ...names: string[]): Promise<string> {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  for (const file of names.flatMap((name) => folders.map((folder) => path.join(folder, name)))) {
    const missing = await access(file, constants.X_OK).catch((error: unknown) => error)
    if (!missing) return file
  }
  throw new MissingProgram(
    `${names[0]} is not installed: on Debian, apt-get install ${debianPackage} brings it.`,
  )
}
