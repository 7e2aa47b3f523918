/**
 * Chooses the theme before the first paint (the stored choice, else the system's) and handles the theme toggles, so that they
 * work before hydration. Belongs in the head of the document, whose html element needs `suppressHydrationWarning`.
 */
export function applyTheme() {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  let chosen: string | null = null

  function readChoice() {
    try {
      chosen = localStorage.getItem('theme')
    } catch {
      // A browser that forbids storage keeps the choice only for this page.
    }
  }

  function choose(theme: string) {
    chosen = theme
    try {
      localStorage.setItem('theme', theme)
    } catch {
      // See readChoice.
    }
  }

  function paint() {
    root.classList.toggle('dark', chosen ? chosen === 'dark' : system.matches)
  }

  function repaint() {
    readChoice()
    paint()
  }

  repaint()
  system.addEventListener('change', paint)
  // React creates the html element again, without its classes, when the root's error screen replaces a screen.
  addEventListener('milepost:hydrated', paint)
  addEventListener('storage', repaint)
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('[data-theme-toggle]')) return
    choose(root.classList.contains('dark') ? 'light' : 'dark')
    paint()
  })
}
