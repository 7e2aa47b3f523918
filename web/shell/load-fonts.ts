import { keepPlaces } from './keep-places.ts'

/**
 * Loads the fonts of a page after its first paint, which uses fallback fonts of about the same width, so that they compete neither
 * with its style sheet nor with its pictures. All that the page uses replace the fallbacks at once, and what can be seen
 * keeps its place. A browser that has loaded them before probably has them in its cache, and loads them immediately.
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

  const apply = () => void delete dataset.fonts

  function load() {
    apply()
    // They are fetched when they are laid out.
    const isLoading = document.body.offsetHeight > 0 && document.fonts.status === 'loading'
    dataset.fonts = 'later'
    if (isLoading) void document.fonts.ready.then(load)
    else keepPlaces(apply)
  }

  if (haveLoaded) apply()
  else afterFirstPaint(load)
}

/** Runs once the page is painted for the first time; in browsers that do not tell when that is, once it is loaded. */
export function afterFirstPaint(run: () => void) {
  if (PerformanceObserver.supportedEntryTypes.includes('paint'))
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      run()
    }).observe({ type: 'paint', buffered: true })
  else if (document.readyState === 'complete') run()
  else addEventListener('load', run)
}
