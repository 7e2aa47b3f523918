import { afterEach, expect, test, vi } from 'vitest'
import { watchPlayers } from './watch-players.ts'

class Player extends EventTarget {
  paused = true
  error: object | null = null
  readyState = 0
  currentTime = 41
  playbackRate = 1.5
  dataset: { src?: string } = { src: '/api/media/a/original?until=2' }
  src = '/api/media/a/original?until=1'
  getAttribute = () => this.src
  load = () => {
    this.error = null
    this.currentTime = 0
    this.dispatchEvent(new Event('loadedmetadata'))
  }
  play = vi.fn<() => Promise<void>>(async () => {
    this.paused = false
  })
}

function watched() {
  vi.stubGlobal('HTMLMediaElement', Player)
  vi.stubGlobal('HTMLVideoElement', Player)
  const player = Object.assign(new Player(), { videoWidth: 16 })
  const listeners = new Map<string, (event: { target: Player }) => void>()
  const box = {
    addEventListener: (type: string, listener: (event: { target: Player }) => void) =>
      listeners.set(type, listener),
    querySelectorAll: () => [player],
  }
  watchPlayers(box as unknown as HTMLElement, new AbortController().signal, () => undefined)
  return { player, tell: (type: string) => listeners.get(type)?.({ target: player }) }
}

/** As Chromium does: it pauses a player whose address it can no longer read, and tells the error first. */
async function expire({ player, tell }: ReturnType<typeof watched>) {
  Object.assign(player, { paused: true, error: { code: 2 } })
  tell('error')
  tell('pause')
  await vi.waitFor(() => expect(player.src).toBe('/api/media/a/original?until=2'))
}

afterEach(() => vi.unstubAllGlobals())

test('a player whose address expires while it plays, or is pressed after that, plays on at its position', async () => {
  const watching = watched()
  watching.tell('play')
  await expire(watching)
  expect(watching.player).toMatchObject({ currentTime: 41, playbackRate: 1.5, paused: false })
})

test('one that a person has paused stays paused with its new address', async () => {
  const watching = watched()
  watching.tell('play')
  watching.tell('pause')
  await expire(watching)
  expect(watching.player).toMatchObject({ currentTime: 41, paused: true })
  expect(watching.player.play).not.toHaveBeenCalled()
})
