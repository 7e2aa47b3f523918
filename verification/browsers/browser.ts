import { access, constants } from 'node:fs/promises'
import path from 'node:path'

/** The actions of a journey in a browser, independent of the protocol that executes them. */
export type Browser = {
  version: string
  open(url: string): Promise<void>
  /** Calls a function in the page. It can use only its arguments. */
  call<A extends unknown[], R>(work: (...args: A) => R | Promise<R>, ...args: A): Promise<R>
  /** Clicks at a point of the viewport. */
  click(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  /** Presses keys together, as in `Control+z`. */
  press(combination: string): Promise<void>
  /** Selects a file in a file input. */
  choose(selector: string, file: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Returns a PNG of the viewport. */
  screenshot(): Promise<Uint8Array>
  close(): Promise<void>
}

export class MissingProgram extends Error {}

/** Returns the path of the first of these programs that is installed; throws an error with its Debian package otherwise. */
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
