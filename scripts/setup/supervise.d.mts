/** The dependencies that tests replace. */
type Deps = {
  now?: () => number
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
  say?: (text: string) => void
}

export function supervise(start: () => Promise<number>, deps?: Deps): Promise<number>
