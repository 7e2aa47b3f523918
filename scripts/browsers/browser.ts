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

/** Says which program a browser lacks on this machine, and which package brings it. */
export class MissingProgram extends Error {
  constructor(program: string, debianPackage: string) {
    super(`${program} is not installed: on Debian, apt-get install ${debianPackage} brings it.`)
  }
}
