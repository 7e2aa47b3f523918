import { readStoredAs, store } from '#web/api/browser-storage.ts'

const STORED_UNDER = 'story'
/** The number of stories in which the place is remembered. */
const STORIES_MAX = 50

type Places = { [story: string]: string | undefined }

/**
 * Remembers in this browser, and nowhere else, at which entry somebody stops reading a story (`data-story`), and offers to continue there
 * (`ContinueReading`). Not the part, because earlier entries may be added: the server finds it.
 */
export function rememberPlaces(signal?: AbortSignal): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-continue]')) offer(link)
  const story = document.querySelector<HTMLElement>('[data-story]')
  // Comes before a page is left, and before a phone ends the browser.
  if (story)
    document.addEventListener('visibilitychange', () => document.hidden && remember(story), {
      ...(signal && { signal }),
    })
}

function offer(link: HTMLAnchorElement): void {
  const { continue: story = '', path = '' } = link.dataset
  const entry = read()[story]
  if (entry) link.href = `${path}?entry=${entry}#entry-${entry}`
}

/** Remembers the last entry that has reached the middle of the window. */
export function remember(story: HTMLElement): void {
  const { story: key = '', begins } = story.dataset
  const entries = [...story.querySelectorAll('article')]
  const at = entries.findLastIndex((entry) => entry.getBoundingClientRect().top < innerHeight / 2)
  const entry = entries[at]?.id.slice('entry-'.length)
  // Whoever has seen only the beginning has not stopped there.
  if (!entry || (at === 0 && begins !== undefined)) return
  const { [key]: _former, ...others } = read()
  const places = [...Object.entries(others), [key, entry] as const]
  store(STORED_UNDER, JSON.stringify(Object.fromEntries(places.slice(-STORIES_MAX))))
}

const read = (): Places => readStoredAs(STORED_UNDER, { parse: (value) => value as Places | null }) ?? {}
