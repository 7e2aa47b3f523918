/**
 * Runs in the page's head before anything is painted and stays in charge of the theme: the stored choice, else the
 * system's. It also answers the theme toggles, so that they work on pages whose client starts late.
 */
function keepTheme() {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  let chosen: string | null = null

  function readChoice() {
    try {
      chosen = localStorage.getItem('theme')
    } catch {
      // A browser that forbids storage keeps the choice for this page alone.
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
  addEventListener('storage', repaint)
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('[data-theme-toggle]')) return
    choose(root.classList.contains('dark') ? 'light' : 'dark')
    paint()
  })
}

/** The theme, decided before the first paint. For the head of the document, whose html element needs suppressHydrationWarning. */
export function ThemeScript({ nonce }: { nonce?: string }) {
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: `(${keepTheme.toString()})()` }}
    />
  )
}
