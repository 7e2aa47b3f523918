// The source text of each function is sent in the head of a page, so each is self-contained.

/**
 * Loads the fonts of a public page after its first paint, which uses fallback fonts of the same width, so that they compete
 * neither with its style sheet nor with its pictures. A browser that has loaded them before probably has them in its cache, and
 * loads them immediately.
 */
export function loadFonts() {
  const { dataset } = document.documentElement
  if (dataset.fonts === undefined) return
  let haveLoaded = false
  try {
    haveLoaded = localStorage.getItem('fonts') !== null
    localStorage.setItem('fonts', 'loaded')
  } catch {
    // A browser that forbids storage loads them after each first paint.
  }

  const load = () => delete dataset.fonts
  if (haveLoaded || !PerformanceObserver.supportedEntryTypes.includes('paint')) load()
  else
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      load()
    }).observe({ type: 'paint', buffered: true })
}

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
