import { beforeEach, describe, expect, test, vi } from 'vitest'
import { HistoryLayers, type HistoryWindow } from './history-layers.ts'

type Entry = { state: object | null; href: string }

/** A tab with its history, and a router that follows it as React Router does. */
function tab() {
  let entries: Entry[] = [{ state: { idx: 0, key: 'start' }, href: '/start' }]
  let index = 0
  let tasks: (() => void)[] = []
  const listeners: ((event: { stopImmediatePropagation: () => void }) => void)[] = []
  const seenByRouter: string[] = []
  const here = () => entries[index] as Entry
  const idx = () => (here().state as { idx: number }).idx

  function go(by: number) {
    tasks.push(() => {
      if (entries[index + by] === undefined) return
      index += by
      let isHeard = true
      const event = {
        stopImmediatePropagation() {
          isHeard = false
        },
      }
      for (const listener of listeners) if (isHeard) listener(event)
      if (isHeard) seenByRouter.push(here().href)
    })
  }

  const window: HistoryWindow = {
    history: {
      get state() {
        return here().state
      },
      pushState(state, _title, href) {
        entries = [...entries.slice(0, index + 1), { state, href: String(href ?? here().href) }]
        index += 1
      },
      replaceState(state, _title, href) {
        entries[index] = { state, href: String(href ?? here().href) }
      },
      go: (by = 0) => go(by),
      back: () => go(-1),
    },
    get location() {
      return { href: here().href }
    },
    addEventListener: (_type, listener) => void listeners.push(listener),
    setTimeout: (run) => tasks.push(run),
  }

  function runOnce() {
    const due = tasks
    tasks = []
    for (const task of due) task()
  }

  function run() {
    while (tasks.length > 0) runOnce()
  }

  return {
    window,
    run,
    runOnce,
    seenByRouter,
    /** The router opens another page, or replaces this one. */
    push: (href: string) => window.history.pushState({ idx: idx() + 1 }, '', href),
    replace: (href: string) => window.history.replaceState({ idx: idx() }, '', href),
    back() {
      go(-1)
      run()
    },
    forward() {
      go(1)
      run()
    },
    /** Discards all state except the history. */
    reload() {
      listeners.length = 0
      return new HistoryLayers(window)
    },
    get at() {
      return here().href
    },
    get index() {
      return index
    },
    get length() {
      return entries.length
    },
  }
}

let browser: ReturnType<typeof tab>
let layers: HistoryLayers

beforeEach(() => {
  browser = tab()
  layers = new HistoryLayers(browser.window)
  browser.push('/page')
})

function open(close: () => boolean = () => true) {
  const spy = vi.fn<() => boolean>(close)
  const gone = layers.open(spy)
  browser.run()
  return { close: spy, gone }
}

describe('Back', () => {
  test('closes the open layer and does not leave the page', () => {
    const dialog = open()
    browser.back()
    dialog.gone()
    browser.run()
    expect(dialog.close).toHaveBeenCalledOnce()
    expect(browser.at).toBe('/page')
    expect(browser.seenByRouter).toEqual([])
    browser.back()
    expect(browser.at).toBe('/start')
  })

  test('closes the topmost of two first', () => {
    const below = open()
    const above = open()
    browser.back()
    above.gone()
    browser.run()
    expect(above.close).toHaveBeenCalledOnce()
    expect(below.close).not.toHaveBeenCalled()
    browser.back()
    expect(below.close).toHaveBeenCalledOnce()
    expect(browser.at).toBe('/page')
  })

  test('closes only one layer, however far it goes', () => {
    const below = open()
    const above = open()
    browser.window.history.go(-3)
    browser.run()
    expect(above.close).toHaveBeenCalledOnce()
    expect(below.close).not.toHaveBeenCalled()
    expect([browser.at, browser.index]).toEqual(['/page', 2])
    expect(browser.seenByRouter).toEqual([])
  })

  test('asks again each time while a dialog stays', () => {
    const dialog = open(() => false)
    browser.back()
    browser.back()
    expect(dialog.close).toHaveBeenCalledTimes(2)
    expect([browser.at, browser.index]).toEqual(['/page', 2])
  })

  test('closes the confirmation of a dialog', () => {
    let question: ReturnType<typeof open> | undefined
    const dialog = open(() => {
      question = { close: vi.fn<() => boolean>(() => true), gone: () => {} }
      question.gone = layers.open(question.close)
      return false
    })
    browser.back()
    expect(browser.index).toBe(3)
    browser.back()
    expect(question?.close).toHaveBeenCalledOnce()
    expect(dialog.close).toHaveBeenCalledOnce()
    expect(browser.index).toBe(2)
  })
})

describe('a layer that is closed otherwise', () => {
  test('leaves no entry behind', () => {
    const dialog = open()
    dialog.gone()
    browser.run()
    expect([browser.at, browser.index]).toEqual(['/page', 1])
    browser.back()
    expect(browser.at).toBe('/start')
  })

  test('passes its entry to the layer that replaces it', () => {
    const coming = open()
    coming.gone()
    open()
    expect([browser.index, browser.length]).toEqual([2, 3])
  })

  test('moves the router’s replacement of its entry down', () => {
    browser.replace('/page?edit=1')
    const editor = open()
    const question = open()
    browser.replace('/page')
    question.gone()
    browser.run()
    editor.gone()
    browser.run()
    expect([browser.at, browser.index]).toEqual(['/page', 1])
  })

  test('loses no write of the router in the meantime', () => {
    const first = open()
    first.gone()
    browser.runOnce()
    browser.replace('/page?edit=1')
    browser.run()
    expect([browser.at, browser.index]).toEqual(['/page?edit=1', 1])

    const second = open()
    second.gone()
    browser.runOnce()
    browser.push('/elsewhere')
    browser.run()
    expect([browser.at, browser.index, browser.length]).toEqual(['/elsewhere', 2, 3])
    browser.back()
    expect(browser.at).toBe('/page?edit=1')
  })

  test('does not go back from the page that a link in it opened', () => {
    const menu = open()
    browser.push('/elsewhere')
    menu.gone()
    browser.run()
    expect(browser.at).toBe('/elsewhere')
  })
})

describe('Forward', () => {
  test('reopens nothing', () => {
    const dialog = open()
    browser.back()
    dialog.gone()
    browser.run()
    browser.forward()
    expect([browser.at, browser.index]).toEqual(['/page', 1])
    expect(browser.seenByRouter).toEqual([])
  })

  test('returns to the page that a link in a menu opened', () => {
    const menu = open()
    browser.push('/elsewhere')
    menu.gone()
    browser.run()
    browser.back()
    expect([browser.at, browser.index]).toEqual(['/page', 1])
    browser.forward()
    expect(browser.at).toBe('/elsewhere')
    browser.back()
    browser.back()
    expect(browser.at).toBe('/start')
  })

  test('reaches the page, and Forward the next one, even before that was shown', () => {
    const menu = open()
    browser.push('/collaborations') // the menu closes only after this page is shown
    browser.back()
    expect(menu.close).toHaveBeenCalledOnce()
    expect(browser.at).toBe('/page')
    expect(browser.seenByRouter).toEqual(['/page'])
    menu.gone()
    browser.run()
    browser.forward()
    expect(browser.at).toBe('/collaborations')
    expect(browser.seenByRouter).toEqual(['/page', '/collaborations'])
  })

  test('is not affected by a page that was opened before', () => {
    const menu = open()
    browser.push('/elsewhere')
    menu.gone()
    browser.run()
    browser.back()
    const another = open()
    another.gone()
    browser.run()
    browser.forward()
    expect([browser.at, browser.index]).toEqual(['/page', 1])
  })
})

test('a page may be left below open layers, as by Cancel in an editor that another page had opened', () => {
  open()
  open()
  layers.leave(() => browser.window.history.go(-1))
  browser.run()
  expect(browser.at).toBe('/start')
  expect(browser.seenByRouter).toEqual(['/start'])
})

test('the router is notified of the previous page once its entry is reached, because it may return from there', () => {
  const menu = open()
  browser.push('/elsewhere')
  menu.gone()
  browser.run()
  browser.reload()
  const indexes: number[] = []
  browser.window.addEventListener('popstate', () => indexes.push(browser.index))
  browser.back()
  expect([browser.at, indexes]).toEqual(['/page', [1]])
})

test('the entry of a dialog that did not survive a reload is skipped', () => {
  open()
  browser.reload()
  browser.back()
  expect(browser.at).toBe('/start')
})

test('a dialog that is open again after a reload reuses its entry', () => {
  open()
  layers = browser.reload()
  const dialog = open()
  expect([browser.index, browser.length]).toEqual([2, 3])
  browser.back()
  expect(dialog.close).toHaveBeenCalledOnce()
  expect(browser.at).toBe('/page')
})
