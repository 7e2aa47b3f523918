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
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : ''
  } catch {
    // The browser forbids storage, so the system's theme is used.
    return ''
  }
}

/** Chooses the theme of this browser; the script in the page's head paints it. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === '') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // The browser forbids storage, so the choice cannot be stored.
  }
  // Like the event of another tab's choice: the script in the head reads and applies it.
  dispatchEvent(new Event('storage'))
}
