import { readStored, store } from '#web/api/browser-storage.ts'

const KEY = 'theme'

/** Empty: that of the system. */
export type Theme = '' | 'light' | 'dark'

/** The theme toggle of the navigation bar stores the choice in its click handler; other tabs cause a storage event. */
export function subscribeToTheme(listener: () => void): () => void {
  addEventListener('storage', listener)
  addEventListener('click', listener)
  return () => {
    removeEventListener('storage', listener)
    removeEventListener('click', listener)
  }
}

export function readTheme(): Theme {
  const stored = readStored(KEY)
  return stored === 'light' || stored === 'dark' ? stored : ''
}

/** Chooses the theme of this browser; the script in the page's head paints it. */
export function chooseTheme(theme: Theme): void {
  store(KEY, theme === '' ? null : theme)
  // Like the event of another tab's choice: the script in the head reads and applies it.
  dispatchEvent(new Event('storage'))
}
